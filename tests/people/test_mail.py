"""Mail that fails is logged and told, and breaks nothing."""

import logging
from contextlib import ExitStack

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from people import adapter
from people.models import User
from tests import smtp
from tests.answers import same_page

pytestmark = pytest.mark.django_db

ADDRESS = "ana@example.org"
FORM = {"username": "ana", "email": ADDRESS, "password1": "lanterns-and-soot"}


@pytest.fixture
def mail_server(settings):
    """`mail_server(port)` sends mail there, by SMTP."""

    def use(port):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.EMAIL_TIMEOUT = 0.2
        settings.DEFAULT_FROM_EMAIL = "Afterburn <table@example.org>"

    return use


@pytest.fixture(params=["absent", "silent", "refuses senders", "refuses recipients", "refuses letters"])
def no_mail(request, mail_server):
    """Yield with a mail server that fails, in each possible way."""
    commands = {"refuses senders": b"MAIL", "refuses recipients": b"RCPT", "refuses letters": b"DATA"}
    with ExitStack() as stack:
        if request.param in commands:
            mail_server(stack.enter_context(smtp.refusing(commands[request.param])))
        else:
            mail_server(stack.enter_context(smtp.silent()) if request.param == "silent" else smtp.absent())
        yield


@pytest.fixture
def ana(settings):
    user = User.objects.create_user("ana", password="lanterns-and-soot", email=ADDRESS)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True)
    return user


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def ask_for_a_password(client, address=ADDRESS):
    return client.post(reverse("account_reset_password"), {"email": address})


def test_mail_comes_from_the_address_that_is_set(client, mail_server):
    with smtp.taking() as (port, letters):
        mail_server(port)
        answer = client.post(reverse("account_signup"), FORM, follow=True)
    assert answer.status_code == 200
    (letter,) = letters
    assert "From: Afterburn <table@example.org>" in letter
    assert f"To: {ADDRESS}" in letter
    assert adapter.NOT_SENT_AT_SIGN_UP not in said(answer)


def test_an_account_is_made_and_signed_in_where_its_mail_fails(client, no_mail):
    answer = client.post(reverse("account_signup"), FORM, follow=True)
    assert answer.status_code == 200
    assert adapter.NOT_SENT_AT_SIGN_UP in said(answer)
    assert not any("sent to" in message for message in said(answer))
    assert answer.context["user"].username == "ana"
    assert EmailAddress.objects.filter(user__username="ana", email=ADDRESS, verified=False).exists()


def test_an_address_is_kept_where_its_mail_fails(client, no_mail, ana):
    client.force_login(ana)
    answer = client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""}, follow=True)
    assert answer.status_code == 200
    assert adapter.NOT_SENT in said(answer)
    assert not any("sent to" in message for message in said(answer))
    assert EmailAddress.objects.filter(user=ana, email="new@example.org").exists()


def test_who_asks_for_a_new_password_is_told_and_keeps_what_they_typed(client, no_mail, ana):
    answer = ask_for_a_password(client)
    assert answer.status_code == 503
    assert str(adapter.NOT_SENT) in answer.content.decode()
    assert f'value="{ADDRESS}"' in answer.content.decode()
    assert reverse("account_login") in answer.content.decode()


def test_that_tells_nothing_of_who_has_an_account(client, no_mail, ana):
    switched_off = User.objects.create_user("ben", email="ben@example.org", is_active=False)
    EmailAddress.objects.create(user=switched_off, email="ben@example.org", primary=True, verified=True)
    known, *others = (ask_for_a_password(client, address) for address in (ADDRESS, "ben@example.org", "cy@example.org"))
    for other in others:
        other.content = other.content.replace(other.context["form"]["email"].value().encode(), ADDRESS.encode())
        assert same_page(known, other)


def test_a_silent_server_is_waited_for_once_however_many_have_the_address(client, mail_server, ana, caplog):
    other = User.objects.create_user("ana-too", password="lanterns-and-soot", email=ADDRESS)
    EmailAddress.objects.create(user=other, email=ADDRESS, primary=True)
    with smtp.silent() as port:
        mail_server(port)
        ask_for_a_password(client)
    assert len([record for record in caplog.records if record.name == "people.adapter"]) == 1


def test_the_log_says_why_and_not_to_whom(client, mail_server, ana, caplog):
    with smtp.refusing(b"RCPT") as port:
        mail_server(port)
        ask_for_a_password(client)
    (record,) = (record for record in caplog.records if record.name == "people.adapter")
    assert record.levelno == logging.ERROR
    assert record.getMessage() == "Mail could not be sent: SMTPRecipientsRefused [550]"


def test_the_next_request_tries_again(client, mail_server, ana):
    mail_server(smtp.absent())
    assert ask_for_a_password(client).status_code == 503
    with smtp.taking() as (port, letters):
        mail_server(port)
        assert ask_for_a_password(client).url == reverse("account_reset_password_done")
    assert len(letters) == 1


def test_a_fault_of_ours_in_a_letter_is_not_taken_for_one_of_the_mail_server(client, ana, monkeypatch):
    monkeypatch.setattr("people.adapter.AccountAdapter.render_mail", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ask_for_a_password(client)


def letter_in_english(letter):
    return "ignore this email" in letter.body


@pytest.mark.parametrize(("language", "english"), [("de", False), ("en-gb", True)])
def test_mail_is_in_the_language_of_the_account_that_it_is_about(client, ana, mailoutbox, language, english):
    User.objects.filter(pk=ana.pk).update(language=language)
    asker = {"HTTP_ACCEPT_LANGUAGE": "en" if language == "de" else "de"}
    client.post(reverse("account_reset_password"), {"email": ADDRESS}, **asker)
    assert letter_in_english(mailoutbox[0]) is english


def test_who_has_chosen_no_language_is_written_to_in_that_of_their_browser(client, ana, mailoutbox):
    client.post(reverse("account_reset_password"), {"email": ADDRESS}, HTTP_ACCEPT_LANGUAGE="de")
    client.post(reverse("account_reset_password"), {"email": "stranger@example.org"}, HTTP_ACCEPT_LANGUAGE="de")
    assert [letter_in_english(letter) for letter in mailoutbox] == [False, False]


def test_a_host_who_sends_somebody_a_link_does_not_choose_the_language(admin_client, ana, mailoutbox):
    chosen = {"action": "reset_password", "_selected_action": [ana.pk]}
    admin_client.post(reverse("admin:people_user_changelist"), chosen, HTTP_ACCEPT_LANGUAGE="de")
    assert letter_in_english(mailoutbox[0])
