"""Failed sign-ins are logged: from where and for which account, never what was typed."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from people.models import User
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana():
    made = person("ana")
    EmailAddress.objects.create(user=made.user, email="ana@example.org", primary=True)
    return made


@pytest.fixture
def tried(client, caplog):
    """`tried(name, password)` signs in, and returns what the log says of it."""

    def sign_in(name, password):
        caplog.clear()
        client.post(reverse("account_login"), {"login": name, "password": password}, REMOTE_ADDR="203.0.113.7")
        return [record.getMessage() for record in caplog.records if record.name == "people.sign_ins"]

    return sign_in


@pytest.mark.parametrize("name", ["ana", "Ana", "ana@example.org"])
def test_the_account_is_named(tried, ana, name):
    assert tried(name, "quill-and-soot") == ["Sign-in failed from 203.0.113.7: account ana"]


def test_what_is_no_account_may_be_a_password(tried, ana):
    for name in ("quill-and-soot", "quill@soot.example"):
        assert tried(name, "quill-and-soot") == ["Sign-in failed from 203.0.113.7: no such account"]


def test_of_an_account_that_is_switched_off_that_is_said(tried, ana):
    User.objects.update(is_active=False)
    assert tried("ana", PASSWORD) == ["Sign-in failed from 203.0.113.7: account ana, which is switched off"]


def test_a_good_one_is_not_logged(tried, ana):
    assert tried("ana", PASSWORD) == []


def test_a_wrong_password_in_ones_own_account_is_logged_too(client, ana, caplog):
    client.force_login(ana.user)
    client.post(reverse("account_reauthenticate"), {"password": "quill-and-soot"}, REMOTE_ADDR="203.0.113.7")
    assert "Sign-in failed from 203.0.113.7: account ana" in caplog.messages
