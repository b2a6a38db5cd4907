"""Where one is signed in: the list, signing out elsewhere, and mail about a device that is new."""

from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from notices.leaving import DEVICE
from notices.models import Device
from people.admin import switch_off
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1"
SESSIONS = "/accounts/sessions/"


@pytest.fixture
def ana():
    ana = person("ana")
    EmailAddress.objects.create(user=ana.user, email="ana@example.org", verified=True, primary=True)
    return ana


def signed_in(agent, name="ana"):
    browser = Client(headers={"user-agent": agent})
    sign_in(browser, name)
    return browser


def sign_in(browser, name="ana"):
    browser.post(reverse("account_login"), {"login": name, "password": PASSWORD})


def is_in(client):
    return client.get(reverse("profile")).status_code == 200


def listed(agent):
    return UserSession.objects.get(user_agent=agent).pk


def test_each_session_is_listed_by_its_browser(ana):
    desk, _phone = signed_in(FIREFOX), signed_in(PHONE)
    page = desk.get(SESSIONS).content.decode()
    assert "Firefox, Linux" in page and "Safari, iPhone" in page and page.count("this one") == 1
    assert reverse("usersessions_list") in desk.get(reverse("profile")).content.decode()


def test_a_session_that_began_before_there_was_a_list_is_on_it(ana):
    assert "this one" in ana.client.get(SESSIONS).content.decode()


def test_one_is_signed_out_and_the_others_stay(ana):
    desk, phone, third = signed_in(FIREFOX), signed_in(PHONE), signed_in("curl/8")
    desk.post(SESSIONS, {"session": listed(PHONE)})
    assert is_in(desk) and is_in(third) and not is_in(phone)
    desk.post(SESSIONS)
    assert is_in(desk) and not is_in(third)


def test_what_is_no_session_of_ones_own_ends_nothing(ana):
    person("ben")
    desk, ben = signed_in(FIREFOX), signed_in(PHONE, "ben")
    for wrong in (listed(PHONE), 0, "x", "9" * 30):
        answer = desk.post(SESSIONS, {"session": wrong}, follow=True).content.decode()
        assert "has ended already" in answer
    assert is_in(desk) and is_in(ben)


def test_an_ended_session_is_told_nothing_more_on_its_device(ana):
    desk, phone = signed_in(FIREFOX), signed_in(PHONE)
    for browser in (desk, phone):
        device = Device.objects.create(user=ana.user, endpoint=f"https://push.example/{id(browser)}", name="x")
        session = browser.session
        session[DEVICE] = str(device.pk)
        session.save()
    desk.post(SESSIONS, {"session": listed(PHONE)})
    assert str(Device.objects.get().pk) == desk.session[DEVICE]


@pytest.mark.parametrize("end", ["sign out", "switch off", "housekeeping"])
def test_however_a_session_ends_nothing_of_it_stays_on_the_list(ana, end):
    desk = signed_in(FIREFOX)
    assert UserSession.objects.exists()
    if end == "sign out":
        desk.post(reverse("account_logout"))
    elif end == "switch off":
        switch_off(ana.user)
    else:
        Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
        call_command("housekeeping", stdout=StringIO())
    assert not UserSession.objects.exists()


def test_another_password_leaves_the_session_that_chose_it_on_the_list(ana):
    desk, _phone = signed_in(FIREFOX), signed_in(PHONE)
    fields = {"oldpassword": PASSWORD, "password1": "soot-and-lanterns", "password2": "soot-and-lanterns"}
    desk.post(reverse("account_change_password"), fields)
    page = desk.get(SESSIONS).content.decode()
    assert "Firefox" in page and "iPhone" not in page
    assert mail.outbox[-1].subject == "Afterburn: Your password was changed"


def test_a_new_device_is_told_once_and_where_it_is(ana):
    desk = signed_in(FIREFOX)
    (letter,) = mail.outbox
    assert letter.subject == "Afterburn: New sign-in" and letter.to == ["ana@example.org"]
    assert "Firefox, Linux" in letter.body and "127.0.0.1" in letter.body and SESSIONS in letter.body
    desk.post(reverse("account_logout"))
    sign_in(desk)
    assert len(mail.outbox) == 1
    signed_in(FIREFOX)
    assert len(mail.outbox) == 2


def test_it_is_told_in_the_language_of_the_account(ana):
    ana.user.language, ana.user.time_zone = "de", "Europe/Berlin"
    ana.user.save()
    signed_in(FIREFOX)
    assert mail.outbox[0].subject == "Afterburn: Neue Anmeldung" and "Warst du das?" in mail.outbox[0].body


def test_a_browser_that_two_use_is_new_to_each_once(ana):
    ben = person("ben")
    EmailAddress.objects.create(user=ben.user, email="ben@example.org", verified=True, primary=True)
    home = signed_in(FIREFOX)
    for name in ("ben", "ana", "ben"):
        home.post(reverse("account_logout"))
        sign_in(home, name)
    assert [letter.to for letter in mail.outbox] == [["ana@example.org"], ["ben@example.org"]]


@pytest.mark.parametrize("cookie", ["x", "", "a:b:c", "9" * 5000])
def test_a_cookie_of_others_makes_no_device_known(ana, cookie):
    browser = Client(headers={"user-agent": FIREFOX})
    browser.cookies["known"] = cookie
    sign_in(browser)
    assert len(mail.outbox) == 1 and is_in(browser)


def test_an_address_that_nobody_confirmed_is_told_nothing(ana):
    EmailAddress.objects.update(verified=False)
    signed_in(FIREFOX)
    assert not mail.outbox


def test_an_address_that_is_taken_away_is_told_of_it_there(ana):
    browser = ana.client
    EmailAddress.objects.create(user=ana.user, email="thief@example.org", verified=True)
    browser.post(reverse("account_email"), {"email": "thief@example.org", "action_primary": ""})
    browser.post(reverse("account_email"), {"email": "ana@example.org", "action_remove": ""})
    told = {letter.subject: letter.to for letter in mail.outbox}
    assert told["Afterburn: An email address was removed"] == ["ana@example.org"]
    assert set(map(tuple, told.values())) == {("ana@example.org",)}


def test_a_new_account_is_told_of_no_new_device(client, settings):
    settings.SIGNUP = "open"
    client.post(reverse("account_signup"), {"username": "cleo", "password1": "lanterns-and-soot"})
    assert not mail.outbox and Session.objects.count() == 1
