"""Signing in with an account elsewhere: at an OpenID Connect provider on this machine, over HTTP, and back."""

import re
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.urls import reverse

from people.adapter import INVITED
from people.models import User
from tests import provider as providers
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

DOOR = "/accounts/oidc/oidc/login/"


@pytest.fixture
def provider(settings):
    with providers.serving() as one:
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [one.app]}}
        yield one


def away_and_back(client, door=DOOR):
    """Press the button, sign in over there, and come back; return the answer to that."""
    answer = client.post(door)
    there = answer["Refresh"].removeprefix("0; url=")
    assert answer.status_code == 200 and there.replace("&", "&amp;") in answer.content.decode()
    link = HTTPConnection(urlsplit(there).netloc)
    link.request("GET", there)
    back = link.getresponse().headers["Location"]
    link.close()
    assert back.startswith("http://testserver/")
    return client.get(back.removeprefix("http://testserver"))


def sign_up(client, **fields):
    answer = away_and_back(client)
    assert answer.url == reverse("socialaccount_signup")
    form = client.get(answer.url).content.decode()
    name = re.search(r'name="username"[^>]*value="([^"]*)"', form) or re.search(
        r'value="([^"]*)"[^>]*name="username"', form
    )
    return client.post(answer.url, {"username": name[1], "time_zone": "Europe/Lisbon"} | fields)


def connect(someone, provider):
    SocialAccount.objects.create(user=someone.user, provider="oidc", uid=provider.person["sub"])


def is_in(client):
    return client.get(reverse("profile")).status_code == 200


def test_without_keys_there_is_no_door(client):
    assert "Continue with" not in client.get(reverse("account_login")).content.decode()
    for door in (DOOR, "/accounts/discord/login/"):
        assert client.post(door).status_code == 404
    ana = person("ana")
    assert reverse("socialaccount_connections") not in ana.client.get(reverse("profile")).content.decode()


def test_somebody_new_picks_a_name_and_has_an_account_with_it(client, provider):
    provider.person |= {"email": "nell@example.org", "email_verified": True, "name": "Eleanor Surname"}
    assert "Continue with Lamps" in client.get(reverse("account_login")).content.decode()
    sign_up(client, email="nell@example.org")
    nell = User.objects.get(username="nell")
    assert is_in(client) and nell.time_zone == "Europe/Lisbon" and not nell.has_usable_password()
    # What they confirmed there need not be confirmed again; a real name is nothing that a table needs.
    assert EmailAddress.objects.get(user=nell).verified and not nell.first_name + nell.last_name
    client.logout()
    away_and_back(client)
    assert is_in(client) and User.objects.count() == 1


@pytest.mark.parametrize(
    ("rule", "invited", "is_open"), [("closed", True, False), ("invite", False, False), ("invite", True, True)]
)
def test_who_may_sign_up_here_holds_there_as_well(client, provider, settings, rule, invited, is_open):
    settings.SIGNUP = rule
    session = client.session
    session[INVITED] = invited
    session.save()
    answer = away_and_back(client)
    assert (answer.status_code == 302) == is_open
    assert is_open or "No new accounts" in answer.content.decode()
    assert not User.objects.exists()


def test_the_address_of_somebody_here_opens_their_account_to_nobody(client, provider):
    ana = person("ana")
    EmailAddress.objects.create(user=ana.user, email="ana@example.org", verified=True, primary=True)
    provider.person |= {"email": "ana@example.org", "email_verified": True}
    answer = sign_up(client, email="ana@example.org")
    assert answer.status_code < 500
    assert not SocialAccount.objects.filter(user=ana.user).exists()
    assert EmailAddress.objects.filter(verified=True).get().user == ana.user


def test_the_second_factor_is_asked_for_as_well(client, provider):
    ana = person("ana")
    connect(ana, provider)
    TOTP.activate(ana.user, "JBSWY3DPEHPK3PXP")
    assert away_and_back(client).url == reverse("mfa_authenticate")
    assert not is_in(client)


def test_connecting_asks_for_the_password_first_and_is_told_by_mail(provider):
    ana = person("ana")
    EmailAddress.objects.create(user=ana.user, email="ana@example.org", verified=True, primary=True)
    browser = ana.client
    page = browser.get(reverse("socialaccount_connections")).content.decode()
    assert "Connect Lamps" in page
    answer = away_and_back(browser, f"{DOOR}?process=connect")
    assert answer.url.startswith(reverse("account_reauthenticate")) and not SocialAccount.objects.exists()
    browser.post(answer.url, {"password": PASSWORD})
    assert SocialAccount.objects.get().user == ana.user
    assert mail.outbox[-1].subject == "Afterburn: Another way to sign in was connected"
    assert mail.outbox[-1].to == ["ana@example.org"] and "ana" in mail.outbox[-1].body


def test_an_account_that_is_connected_to_another_stays_theirs(provider):
    ana, ben = person("ana"), person("ben").client
    connect(ana, provider)
    ben.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = ben.get(away_and_back(ben, f"{DOOR}?process=connect").url).content.decode()
    assert "connected to someone else" in answer and SocialAccount.objects.get().user == ana.user


def test_the_only_door_is_not_closed_and_another_can_be(client, provider):
    sign_up(client)
    account = SocialAccount.objects.get()
    page = client.post(reverse("socialaccount_connections"), {"account": account.pk}).content.decode()
    assert 'class="notice trouble"' in page and SocialAccount.objects.exists()
    nell = User.objects.get()
    nell.set_password(PASSWORD)
    nell.save()
    client.login(username="nell", password=PASSWORD)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("socialaccount_connections"), {"account": account.pk})
    assert not SocialAccount.objects.exists()


def test_who_has_no_password_deletes_their_account_by_its_name(client, provider):
    sign_up(client)
    assert "isn’t your username" in client.post(reverse("profile_delete"), {"password": "nobody"}).content.decode()
    client.post(reverse("profile_delete"), {"password": "nell"})
    assert not User.objects.exists() and not SocialAccount.objects.exists()


def test_a_provider_that_is_away_or_broken_is_a_page_that_says_so(client, provider, settings):
    provider.is_broken = True
    assert "couldn’t sign you in" in client.post(DOOR).content.decode()
    away = provider.app | {"settings": {"server_url": "http://127.0.0.1:1"}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [away]}}
    assert "couldn’t sign you in" in client.post(DOOR).content.decode()


@pytest.mark.parametrize("query", ["", "?code=x", "?code=x&state=y", "?error=access_denied", "?state=%00&code=%00"])
def test_a_return_that_nobody_asked_for_is_a_page_and_no_account(client, provider, query):
    answer = client.get(f"{DOOR}callback/{query}")
    assert answer.status_code in (200, 401) and "Not signed in" in answer.content.decode()
    assert not User.objects.exists()


def test_turning_back_at_the_provider_is_said(client, provider):
    state = re.search(r"state=([^&]+)", client.post(DOOR)["Refresh"])[1]
    answer = client.get(f"{DOOR}callback/?error=access_denied&state={state}", follow=True).content.decode()
    assert "You cancelled signing in there." in answer


def test_a_door_leads_only_where_a_button_was_pressed(client, provider):
    assert client.get(DOOR).status_code == 405
    assert client.post("/accounts/oidc/other/login/").status_code == 404
