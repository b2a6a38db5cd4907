"""What hosts do with accounts."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse

from people.models import User
from rolls.registry import LEFT_OUT
from tests import smtp
from tests.cast import PASSWORD, person

pytestmark = pytest.mark.django_db

LIST = "/admin/people/user/"


@pytest.fixture
def host():
    """Return a superuser, as manage.py createsuperuser makes them."""
    made = person("host")
    User.objects.filter(pk=made.user.pk).update(is_staff=True, is_superuser=True)
    return made


@pytest.fixture
def staff():
    made = person("helper")
    User.objects.filter(pk=made.user.pk).update(is_staff=True)
    return made


@pytest.fixture
def ana():
    made = person("ana")
    EmailAddress.objects.create(user=made.user, email="ana@example.org", primary=True, verified=True)
    return made


def act(by, operation, *people):
    chosen = [one.user.pk for one in people]
    return by.client.post(LIST, {"action": operation, "_selected_action": chosen}, follow=True)


def change(by, somebody, **form):
    return by.client.post(f"{LIST}{somebody.user.pk}/change/", form)


def now(somebody):
    return User.objects.get(pk=somebody.user.pk)


def may_look(client):
    return client.get(reverse("profile")).status_code == 200


@pytest.mark.parametrize("way", ["by the list", "on the page of the account"])
def test_who_is_switched_off_is_signed_out_for_good(host, ana, way):
    phone = Client()
    phone.force_login(ana.user)
    assert may_look(ana.client) and may_look(phone)
    if way == "by the list":
        act(host, "off", ana)
    else:
        assert change(host, ana).status_code == 302
    assert not now(ana).is_active
    assert not may_look(ana.client) and not may_look(phone)
    assert not Client().login(username="ana", password=PASSWORD)
    act(host, "on", ana)
    assert now(ana).is_active
    assert not may_look(ana.client) and not may_look(phone)  # the owner of those sessions
    assert Client().login(username="ana", password=PASSWORD)


def test_others_stay_signed_in(host, ana, staff):
    assert may_look(staff.client)
    act(host, "off", ana)
    assert may_look(staff.client) and may_look(host.client)


def test_staff_may_switch_off_those_who_are_not(staff, ana):
    act(staff, "off", ana)
    assert not now(ana).is_active
    assert LogEntry.objects.get().user == staff.user


@pytest.mark.parametrize("operation", ["off", "reset_password"])
def test_staff_do_not_rule_over_each_other_or_over_superusers(staff, host, operation):
    other = person("other-helper")
    User.objects.filter(pk=other.user.pk).update(is_staff=True)
    said = act(staff, operation, other, host).content.decode()
    assert "Host wasn’t changed: only a superuser can change staff." in said
    assert now(other).is_active and now(host).is_active
    assert change(staff, host, is_active="").status_code == 403
    assert now(host).is_active


def test_nobody_shuts_themselves_out(host):
    assert "Host wasn’t changed: this is your own account." in act(host, "off", host).content.decode()
    assert change(host, host, is_active="", is_staff="").status_code == 403
    assert now(host).is_active and now(host).is_staff


def test_only_a_superuser_says_who_is_staff(staff, host, ana):
    change(staff, ana, is_active="on", is_staff="on")
    assert not now(ana).is_staff
    change(host, ana, is_active="on", is_staff="on")
    assert now(ana).is_staff and now(ana).is_active and not now(ana).is_superuser


def test_what_people_say_of_themselves_stays_theirs(host, ana):
    change(host, ana, is_active="on", username="x", display_name="X", password="x", is_superuser="on", email="x@x.org")
    found = now(ana)
    assert (found.username, found.display_name, found.is_superuser, found.email) == ("ana", "", False, "")
    assert found.check_password(PASSWORD)


def test_a_link_to_a_new_password_goes_to_the_address_of_the_account(host, ana):
    assert "A link for a new password is on its way to ana." in act(host, "reset_password", ana).content.decode()
    (letter,) = mail.outbox
    assert letter.to == ["ana@example.org"]
    assert "/accounts/password/reset/key/" in letter.body
    assert "/accounts/password/reset/key/" not in LogEntry.objects.get().get_change_message()


def test_an_address_from_createsuperuser_will_do(host):
    boss = person("boss")
    User.objects.filter(pk=boss.user.pk).update(email="boss@example.org", is_superuser=True)
    act(host, "reset_password", boss)
    assert [letter.to for letter in mail.outbox] == [["boss@example.org"]]


def test_where_it_cannot_go_that_is_said(host, ana, staff, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp.absent()
    said = act(host, "reset_password", ana, staff).content.decode()
    assert "Nothing was sent to ana. The email couldn’t be sent." in said
    assert (
        "Nothing was sent to helper. The account has no email address. Set a new password with manage.py changepassword."
        in said
    )
    act(host, "off", ana)
    assert "Nothing was sent to ana. The account is switched off." in act(host, "reset_password", ana).content.decode()
    assert [entry.get_change_message() for entry in LogEntry.objects.all()] == ["Switched off."]


def test_people_are_found_by_their_address(host, ana, staff):
    html = host.client.get(f"{LIST}?q=ana@example").content.decode()
    assert "1 user" in html and ">ana<" in html


def test_those_who_run_the_site_read_which_rules_were_left_out(host, monkeypatch):
    monkeypatch.setitem(LEFT_OUT, "afterburn_moths", "Its table has no `read`.")
    assert (
        "Rules are left out: afterburn_moths. Its table has no `read`." in host.client.get("/admin/").content.decode()
    )
