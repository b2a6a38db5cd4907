"""Two-factor sign-in: codes of an app, recovery codes, and what is refused. Passkeys: tests/browser/test_account.py."""

import json
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from people.models import User
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"


def code_of(secret, moved=0):
    """Return what an app shows now, or `moved` half-minutes from now."""
    return format_hotp_value(hotp_value(secret, int(timezone.now().timestamp()) // 30 + moved))


def password(client, name="ana"):
    return client.post(reverse("account_login"), {"login": name, "password": PASSWORD})


def enter(client, code):
    return client.post(reverse("mfa_authenticate"), {"code": code})


def is_in(client):
    return client.get(reverse("profile")).status_code == 200


@pytest.fixture
def ana():
    ana = person("ana")
    EmailAddress.objects.create(user=ana.user, email="ana@example.org", verified=True, primary=True)
    return ana


@pytest.fixture
def guarded(ana):
    """Return Ana, whose account has a second factor."""
    TOTP.activate(ana.user, SECRET)
    return ana


@pytest.fixture
def set_up(ana, client):
    """Turn it on as a person does; return the secret and the recovery codes."""
    password(client)
    page = client.get(reverse("mfa_activate_totp"), follow=True)
    assert page.redirect_chain[-1][0].startswith(reverse("account_reauthenticate"))
    page = client.post(page.redirect_chain[-1][0], {"password": PASSWORD}, follow=True).content.decode()
    secret = re.search(r"<code>([A-Z2-7]{16,})</code>", page)[1]
    assert "<svg" in page and 'class="qr-code"' in page and "data:image" not in page
    shown = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}, follow=True).content.decode()
    client.post(reverse("account_logout"))
    return secret, re.findall(r"<code>(\d{8})</code>", shown)


def test_who_turned_it_on_is_asked_for_a_code_and_one_code_serves_once(set_up, client):
    secret, _codes = set_up
    assert password(client).url == reverse("mfa_authenticate") and not is_in(client)
    code = code_of(secret, 1)
    enter(client, code)
    assert is_in(client)
    client.post(reverse("account_logout"))
    password(client)
    assert "Incorrect code" in enter(client, code).content.decode() and not is_in(client)


def test_each_recovery_code_signs_in_once(set_up, client):
    _secret, codes = set_up
    assert len(codes) == 10
    password(client)
    enter(client, codes[0])
    assert is_in(client) and "9 codes left" in client.get(reverse("mfa_index")).content.decode()
    client.post(reverse("account_logout"))
    password(client)
    enter(client, codes[0])
    assert not is_in(client)
    enter(client, codes[1])
    assert is_in(client)


def test_wrong_codes_are_counted_by_account_and_a_right_one_no_longer_helps_then(guarded, client):
    password(client)
    answers = [enter(client, "000000").content.decode() for _ in range(6)]
    assert "Incorrect code" in answers[0] and "Incorrect code" not in answers[-1]
    assert "Too many" in answers[-1]
    enter(client, code_of(SECRET))
    assert not is_in(client)
    with pytest.MonkeyPatch.context() as patch:
        later = timezone.now() + timedelta(minutes=20)
        patch.setattr("time.time", lambda: later.timestamp())
        patch.setattr(timezone, "now", lambda: later)
        password(client)
        enter(client, code_of(SECRET))
    assert is_in(client)


def test_who_has_entered_the_password_alone_sees_nothing_and_changes_nothing(guarded, client):
    password(client)
    for page in ("profile", "mfa_index", "usersessions_list", "mfa_view_recovery_codes", "mfa_deactivate_totp"):
        assert client.get(reverse(page)).status_code in (302, 404), page
    client.post(reverse("mfa_deactivate_totp"))
    assert Authenticator.objects.get().user == guarded.user


@pytest.mark.parametrize("page", ["mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_add_webauthn"])
def test_each_change_asks_first_who_one_is(guarded, page):
    answer = guarded.client.get(reverse(page))
    assert answer.status_code == 302 and "reauthenticate" in answer.url


def test_turning_it_off_asks_for_a_password_or_a_code(guarded):
    browser = guarded.client
    page = browser.get(reverse("mfa_deactivate_totp"), follow=True).content.decode()
    assert "Use a code" in page
    again = reverse("mfa_reauthenticate") + "?next=" + reverse("mfa_deactivate_totp")
    assert "Incorrect code" in browser.post(again, {"code": "1"}).content.decode()
    browser.post(again, {"code": code_of(SECRET)})
    browser.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()
    (letter,) = mail.outbox
    assert letter.subject == "Afterburn: Two-factor sign-in was turned off" and letter.to == ["ana@example.org"]
    assert "/accounts/sessions/" in letter.body


@pytest.mark.parametrize(
    "credential",
    ["", "x", "{}", "[]", "null", "1", '{"id": 1}', json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}),
     json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": {"userHandle": "MQ", "clientDataJSON": "e30",
                 "authenticatorData": "AA", "signature": "AA"}})],
)  # fmt: skip
def test_what_is_no_passkey_is_refused_in_words(guarded, client, credential):
    mail.outbox.clear()
    client.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": credential}, follow=True)
    assert answer.status_code < 500 and not is_in(client)
    password(client)
    assert client.post(reverse("mfa_authenticate"), {"credential": credential}).status_code < 500 and not is_in(client)
    browser = guarded.client
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    browser.get(reverse("mfa_add_webauthn"))
    added = browser.post(reverse("mfa_add_webauthn"), {"name": "Key", "credential": credential, "passwordless": "on"})
    assert added.status_code < 500 and Authenticator.objects.count() == 1


def test_deleting_the_account_deletes_its_factors(guarded):
    guarded.client.post(reverse("profile_delete"), {"password": PASSWORD})
    assert not User.objects.exists() and not Authenticator.objects.exists()
