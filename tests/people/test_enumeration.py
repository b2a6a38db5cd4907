"""Nobody learns at our doors whether an e-mail address has an account, and nobody is kept out for its having one."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from people.models import User

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "ana@tables.example", "ben@tables.example"
ANAS, ANOTHERS = "lanterns-and-soot", "mirrors-and-salt"


@pytest.fixture(params=[False, True], ids=["unconfirmed", "confirmed"])
def ana(request):
    user = User.objects.create_user("ana", KNOWN, ANAS)
    EmailAddress.objects.create(user=user, email=KNOWN, primary=True, verified=request.param)
    return user


def sign_up(name, email):
    """Sign up. Return the browser, and the answer."""
    client = Client()
    form = {"username": name, "email": email, "password1": ANOTHERS}
    return client, client.post(reverse("account_signup"), form, follow=True)


def send(client, name, **fields):
    return client.post(reverse(name), fields, follow=True)


def told(answer, *own):
    """Return an answer without what differs by who asks: their name, their address, the tokens of forms."""
    main = re.search(r"<main.*</main>", answer.content.decode(), re.S)[0]
    words = re.sub(r"\b(" + "|".join(map(re.escape, own)) + r")\b|\b\w{64}\b", "…", main)
    return answer.status_code, answer.redirect_chain, words


def test_signing_up_says_the_same_of_any_address(ana, mailoutbox):
    answers = [told(sign_up(name, email)[1], name, email) for name, email in (("quill", KNOWN), ("sorrel", UNKNOWN))]
    assert answers[0] == answers[1]
    assert [mail.to for mail in mailoutbox] == [[KNOWN], [UNKNOWN]]
    bodies = [re.sub(r"http\S+|\b(quill|sorrel)\b", "…", mail.body) for mail in mailoutbox]
    assert bodies[0] == bodies[1] and mailoutbox[0].subject == mailoutbox[1].subject


def test_resetting_a_password_says_the_same_of_any_address(ana, mailoutbox):
    answers = [told(send(Client(), "account_reset_password", email=email), email) for email in (KNOWN, UNKNOWN)]
    assert answers[0] == answers[1]
    assert [mail.to for mail in mailoutbox] == [[KNOWN], [UNKNOWN]]


def test_a_wrong_password_says_the_same_of_any_address(ana):
    answers = [
        told(send(Client(), "account_login", login=email, password="a-wrong-one"), email) for email in (KNOWN, UNKNOWN)
    ]
    assert answers[0] == answers[1]


def test_changing_ones_address_says_the_same_of_any_address(ana):
    answers = []
    for name, email in (("quill", KNOWN), ("sorrel", UNKNOWN)):
        client, _ = sign_up(name, "")
        answers.append(
            told(client.post(reverse("account_email"), {"action_add": "", "email": email}, follow=True), name, email)
        )
    assert answers[0] == answers[1]


def test_who_signs_up_with_the_address_of_another_has_an_account_and_takes_none(ana):
    client, _ = sign_up("ben", KNOWN)
    assert client.get(reverse("profile")).status_code == 200
    for name, password in (("ana", ANAS), ("ben", ANOTHERS), (KNOWN, ANAS)):
        browser = Client()
        send(browser, "account_login", login=name, password=password)
        assert browser.get(reverse("profile")).context["user"].username == ("ben" if password == ANOTHERS else "ana")


def test_a_reset_goes_to_who_has_confirmed_the_address_or_else_to_each(ana, mailoutbox):
    sign_up("ben", KNOWN)
    mailoutbox.clear()
    send(Client(), "account_reset_password", email=KNOWN)
    names = {name for mail in mailoutbox for name in ("ana", "ben") if f"username is {name}" in mail.body}
    confirmed = EmailAddress.objects.get(user=ana).verified
    assert names == ({"ana"} if confirmed else {"ana", "ben"})


def test_an_address_that_another_has_confirmed_cannot_be_confirmed_again(ana, mailoutbox):
    EmailAddress.objects.filter(user=ana).update(verified=True)
    client, _ = sign_up("ben", KNOWN)
    link = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", mailoutbox[-1].body)
    client.post(link[1])
    assert EmailAddress.objects.get(email=KNOWN, verified=True).user == ana


def test_a_user_name_is_ones_own_alone(ana):
    _, answer = sign_up("ana", UNKNOWN)
    assert User.objects.count() == 1
    assert "already exists" in answer.content.decode()
