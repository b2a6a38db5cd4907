"""One's own profile: what others call one, and how pages look to oneself."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone

from campaigns.live.render import render_line
from campaigns.models import Event, Role
from campaigns.services.play import say
from characters.services.cards import Card, make_character
from people.forms import time_zones
from people.middleware import ReaderMiddleware
from people.models import Hue, Theme, User

pytestmark = pytest.mark.django_db

FORM = {
    "display_name": "Ana",
    "pronouns": "she/her",
    "colour": "teal",
    "theme": "dark",
    "language": "de",
    "time_zone": "Europe/Berlin",
    "single_keys": True,
    "motion": True,
    "sound": 30,
}


def save(person, **form):
    return person.client.post(reverse("profile"), FORM | form)


def saved(person):
    return User.objects.values(*FORM).get(pk=person.user.pk)


def test_what_is_said_is_kept(cast):
    assert save(cast.player).url == reverse("profile")
    assert saved(cast.player) == FORM


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"display_name": "x" * 61}, "at most 60 characters"),
        ({"display_name": "Ana\u202eanA"}, "can’t be shown"),
        ({"display_name": "A\nB"}, "can’t be shown"),
        ({"display_name": "bell\x07"}, "can’t be shown"),
        ({"display_name": "Ana\u3164"}, "can’t be shown"),
        ({"display_name": "A\u200dna"}, "can’t be shown"),
        ({"display_name": "\u2800"}, "can’t be shown"),
        ({"pronouns": "x" * 41}, "at most 40 characters"),
        ({"colour": "beige"}, "not one of the available choices"),
        ({"theme": "loud"}, "not one of the available choices"),
        ({"sound": 200}, "not one of the available choices"),
        ({"language": "tlh"}, "not one of the available choices"),
        ({"time_zone": "Moon/Tycho"}, "Choose a time zone from the list"),
    ],
)
def test_what_is_wrong_is_said_at_the_field_and_nothing_is_kept(cast, wrong, message):
    before = saved(cast.player)
    answer = save(cast.player, **wrong)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert saved(cast.player) == before


@pytest.mark.parametrize("name", ["Zoë", "علی\u200cرضا", "👩\u200d🚀", "O’Brien-Smith", "李"])
def test_names_of_the_whole_world_fit(cast, name):
    assert save(cast.player, display_name=name).status_code == 302


def test_a_name_is_kept_in_one_form_however_it_was_typed(cast):
    save(cast.player, display_name="Zoe\u0308")
    assert saved(cast.player)["display_name"] == "Zo\u00eb"


@pytest.mark.parametrize("name", ["Other Player", "OTHER  PLAYER", "Оther Рlayer", "Other P1ayer", "Other PIayer"])
def test_those_who_look_alike_at_a_table_are_told_apart_in_its_lines(cast, name):
    save(cast.player, display_name=name)
    cast.player.member.refresh_from_db()
    said = say(cast.player.member, "It was me.", key=uuid4())
    assert f"{name} (2)" in render_line(said, Role.PLAYER)
    save(cast.player, display_name="Mo")
    cast.player.member.refresh_from_db()
    assert cast.player.member.name == "Mo"


@pytest.mark.parametrize("name", ["Othér Player", "Other Players"])
def test_names_that_an_eye_can_tell_apart_stay_as_they_are(cast, name):
    save(cast.player, display_name=name)
    cast.player.member.refresh_from_db()
    assert cast.player.member.name == name


def test_a_name_is_text_wherever_it_stands(cast):
    save(cast.player, display_name="<b>Mo</b>")
    for person in (cast.player, cast.gm):
        page = person.client.get(reverse("members", args=["ashes"])).content.decode()
        assert "<b>Mo</b> " not in page
        assert "&lt;b&gt;Mo&lt;/b&gt;" in page


def test_without_a_name_one_is_called_by_the_user_name(cast):
    save(cast.player, display_name="")
    assert User.objects.get(pk=cast.player.user.pk).name == "mo"


def test_what_was_written_before_keeps_the_name_of_then(cast):
    said = say(cast.player.member, "I light it.", key=uuid4())
    save(cast.player)
    cast.player.member.refresh_from_db()
    later = say(cast.player.member, "And I run.", key=uuid4())
    assert [Event.objects.get(pk=event.pk).actor_name for event in (said, later)] == ["Mo", "Ana"]


def test_a_form_shown_again_does_not_rename_anybody(cast):
    answer = save(cast.player, display_name="Wrong", colour="beige")
    assert answer.wsgi_request.user.name == "Mo"
    assert 'value="Wrong"' in answer.content.decode()


def test_everybody_has_their_own_and_nobody_any_without_signing_in(cast, client):
    assert client.get(reverse("profile")).url == f"/accounts/login/?next={reverse('profile')}"
    save(cast.gm)
    assert saved(cast.player)["display_name"] == "Mo"


def test_user_name_address_and_rank_cannot_be_smuggled_in(cast):
    save(cast.player, username="admin", is_superuser="on", is_staff="on", email="x@example.org")
    kept = User.objects.get(pk=cast.player.user.pk)
    assert (kept.username, kept.is_superuser, kept.is_staff, kept.email) == ("mo", False, False, "")


def test_every_colour_and_theme_can_be_chosen(cast):
    page = cast.player.client.get(reverse("profile")).content.decode()
    assert all(f'value="{choice}"' in page for choice in [*Hue.values, *Theme.values])


def test_a_chosen_theme_stands_on_every_page(cast):
    save(cast.player, theme="dark")
    assert 'data-theme="dark"' in cast.player.client.get(reverse("home")).content.decode()
    save(cast.player, theme="system")
    assert "data-theme" not in cast.player.client.get(reverse("home")).content.decode()


def test_single_keys_are_shortcuts_until_somebody_switches_them_off(cast):
    silas = make_character(cast.player.member, Card("Silas", "", cast.player.member, True), key=uuid4())
    sheet, table = reverse("character", args=["ashes", silas.pk]), reverse("table", args=["ashes"])
    page = {path: cast.player.client.get(path).content.decode() for path in (sheet, table)}
    assert "data-keys" not in page[table]
    assert 'id="keys"' in page[table]
    assert 'aria-keyshortcuts="u"' in page[sheet]
    assert save(cast.player, single_keys="").status_code == 302
    for path in (sheet, table):
        page = cast.player.client.get(path).content.decode()
        assert 'data-keys="off"' in page
        assert set(re.findall(r'aria-keyshortcuts="(.*?)"', page)) <= {"Control+K"}  # which is no single key
        assert 'id="keys"' not in page  # a list of keys that do nothing


def test_things_move_until_somebody_keeps_them_still(cast):
    assert "data-still" not in cast.player.client.get(reverse("home")).content.decode()
    save(cast.player, motion="")
    assert "data-still" in cast.player.client.get(reverse("home")).content.decode()


def test_the_table_is_silent_until_somebody_chooses_how_loud_it_is(cast):
    table = reverse("table", args=["ashes"])
    assert "data-sound" not in cast.player.client.get(table).content.decode()
    save(cast.player, sound=60)
    page = cast.player.client.get(table).content.decode()
    assert 'data-sound="60"' in page


# time zones


def hour_seen_by(rf, user):
    """Return the hour that a page shows for noon, UTC."""
    request = rf.get("/")
    request.user = user
    noon = Context({"at": datetime(2026, 7, 1, 12, tzinfo=UTC)})
    show = ReaderMiddleware(lambda request: HttpResponse(Template("{{ at|date:'H' }}").render(noon)))
    return show(request).content.decode()


@pytest.mark.parametrize(("zone", "hour"), [("UTC", "12"), ("Europe/Berlin", "14"), ("Moon/Tycho", "12")])
def test_times_are_as_they_are_where_one_is(rf, zone, hour):
    assert hour_seen_by(rf, User(username="ana", time_zone=zone)) == hour


def test_one_reader_leaves_no_time_zone_to_the_next(rf):
    hour_seen_by(rf, User(username="ana", time_zone="Europe/Berlin"))
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_database_that_is_away_is_left_for_the_page_to_tell(rf):
    class Away:
        @property
        def is_authenticated(self):
            raise OperationalError

    assert hour_seen_by(rf, Away()) == "12"


def test_the_list_of_time_zones_names_places(db):
    zones = dict(time_zones())
    assert ("Europe/Berlin", "Berlin") in zones["Europe"]
    assert ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires") in zones["America"]
    assert zones["UTC"] == [("UTC", "UTC")]
    assert "Etc" not in zones


def test_a_zone_that_has_left_the_list_may_stay(cast):
    User.objects.filter(pk=cast.player.user.pk).update(time_zone="Etc/GMT-3")
    assert save(cast.player, time_zone="Etc/GMT-3").status_code == 302


# languages


def language_seen_by(client, **headers):
    return client.get(reverse("home"), headers=headers).headers["Content-Language"]


def test_somebody_reads_in_the_language_that_they_chose(cast):
    save(cast.player, language="de")
    assert language_seen_by(cast.player.client, accept_language="en") == "de"
    assert language_seen_by(cast.gm.client) == "en-gb"


@pytest.mark.parametrize(("browser", "language"), [("de-AT,en;q=0.5", "de"), ("en-US", "en-gb"), ("tlh", "en-gb")])
def test_whoever_has_chosen_none_reads_in_that_of_the_browser(cast, browser, language):
    assert language_seen_by(cast.player.client, accept_language=browser) == language


def test_an_account_begins_with_the_language_of_the_browser(client):
    form = {"username": "jule", "password1": "sieben Zwerge und ein Berg"}
    client.post(reverse("account_signup"), form, headers={"accept-language": "de"})
    assert User.objects.get(username="jule").language == "de"


def test_what_django_and_allauth_say_is_said_in_our_german(client):
    german = {"headers": {"accept-language": "de"}}
    page = client.post(reverse("account_login"), {"login": "jule", "password": "falsch"}, **german).content.decode()
    assert "Benutzername oder Passwort stimmt nicht." in page
    page = client.post(reverse("account_signup"), {"username": "", "password1": "password"}, **german).content.decode()
    assert "Fülle dieses Feld aus." in page and "Dieses Passwort ist leicht zu erraten." in page
