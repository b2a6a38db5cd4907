"""The page of notices: everyone chooses for themselves, and what a browser or a stranger sends is checked."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.services.campaigns import show_as_sample
from notices.models import Choice, Device, Preferences
from tests.notices.service import Browser
from tests.notices.telling import ask, tell_after, turn_on
from tests.webhooks.receiving import add
from webhooks.models import Format

EVERY = {
    "waits": ["device", "mail"],
    "date": ["mail"],
    "date_set": [],
    "answered": ["device"],
    "day_before": ["discord"],
    "hour_before": [],
    "recap": ["mail"],
}


@pytest.fixture
def page(cast):
    """`page(do=…)` posts to the default's page as Mo, `page("ashes", …)` to a campaign's; without a form it reads it."""

    def ask_for(slug: str = "", **form):
        url = f"/c/{slug}/notices/" if slug else "/notices/"
        client = cast.player.client
        return client.post(url, form) if form else client.get(url)

    return ask_for


def kept(cast) -> Preferences:
    return Preferences.objects.get(user=cast.player.user)


def test_who_was_never_at_the_page_has_nothing_kept_and_sees_what_would_hold(cast, page):
    shown = page().content.decode()
    assert "Tell me when it’s my turn" in shown and not Preferences.objects.exists()
    assert 'name="waits" value="device"' in shown and "Ashes" in shown


def test_what_is_chosen_holds_for_all_campaigns_but_those_with_a_choice_of_their_own(cast, page):
    assert page(do="ways", **EVERY).status_code == 302 and kept(cast).ways == EVERY
    assert page("ashes", do="ways", waits="mail").status_code == 302
    choice = Choice.objects.get(member=cast.player.member)
    assert kept(cast).ways == EVERY and kept(cast).ways_for("waits", choice) == ["mail"]
    page("ashes", do="mute")
    assert kept(cast).ways_for("waits", Choice.objects.get()) == [] and "Muted" in page("ashes").content.decode()
    page("ashes", do="default")
    assert not Choice.objects.exists()


def test_hours_are_kept_and_what_is_no_hour_is_refused_and_changes_nothing(cast, page):
    hours = {
        "do": "hours",
        "is_quiet": "on",
        "quiet_from": 22,
        "quiet_until": 7,
        "patience": 30,
        "day_before_at": 20,
        "discord_id": "1" * 18,
    }
    assert page(**hours).status_code == 302
    person = kept(cast)
    assert (person.quiet_from, person.quiet_until, person.patience, person.day_before_at) == (22, 7, 30, 20)
    assert person.discord_id == "1" * 18
    wrong = (
        {"quiet_from": 24},
        {"patience": 1},
        {"day_before_at": -1},
        {"patience": "x" * 5000},
        {"discord_id": "@everyone"},
        {"discord_id": "1\x00"},
    )
    for fault in wrong:
        answer = page(**hours | {"quiet_until": 9} | fault)
        assert answer.status_code == 422 and kept(cast).quiet_until == 7
    assert "A Discord user ID has 15 to 20 digits." in page(**hours | {"discord_id": "mo"}).content.decode()
    assert page(do="ways", waits="pigeon").status_code == 422 and kept(cast).ways == {}


@pytest.mark.parametrize("does", ["", "mute", "burn"])
def test_a_button_that_the_page_does_not_have_is_refused(cast, page, does):
    answer = page(do=does)
    assert answer.status_code == 422 and "Reload the page" in answer.content.decode()
    assert not Preferences.objects.exists()


def test_a_way_that_is_not_there_now_keeps_what_was_chosen_for_it(cast, page):
    webhook = add(cast.gm.member, sent_as=Format.DISCORD)
    page("ashes", do="ways", waits=["device", "discord"])
    assert "Discord" in page("ashes").content.decode()
    webhook.delete()
    assert 'value="discord"' not in page("ashes").content.decode()
    page("ashes", do="ways", waits=["mail"])
    assert Choice.objects.get().ways["waits"] == ["mail", "discord"]


def test_a_host_without_mail_offers_none(cast, page, settings):
    assert 'value="mail"' in page().content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert 'value="mail"' not in page().content.decode()


def test_a_browser_is_kept_under_its_name_moves_to_who_subscribes_it_next_and_goes_at_signing_out(cast):
    form = Browser("https://push.example.org/one").form
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    mo = cast.player.client
    assert mo.post("/notices/device/", form, HTTP_USER_AGENT=agent).status_code == 204
    assert (
        "Firefox, Linux" in mo.get("/notices/").content.decode() and "this one" in mo.get("/notices/").content.decode()
    )
    assert kept(cast)
    iva = cast.other_player.client
    iva.post("/notices/device/", form)
    assert Device.objects.get().user == cast.other_player.user
    mo.post("/notices/device/", Browser("https://push.example.org/two").form)
    mo.post("/accounts/logout/")
    assert [device.user for device in Device.objects.all()] == [cast.other_player.user]


def test_a_browser_that_subscribes_anew_replaces_itself_and_too_many_the_oldest(cast):
    mo = cast.player.client
    for number in (1, 2):
        mo.post("/notices/device/", Browser(f"https://push.example.org/{number}").form)
    assert Device.objects.get().endpoint.endswith("/2")
    for number in range(3, 14):
        other = Client()
        other.force_login(cast.player.user)
        other.post("/notices/device/", Browser(f"https://push.example.org/{number}").form)
    endpoints = [device.endpoint.rpartition("/")[2] for device in Device.objects.all()]
    assert endpoints == [str(number) for number in range(4, 14)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.org/"},
        {"endpoint": "https://127.0.0.1/"},
        {"endpoint": "https://[::1]/"},
        {"endpoint": "https://169.254.169.254/latest/"},
        {"endpoint": "https://10.0.0.7/"},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": "https://push.example.org/" + "x" * 1000},
        {"endpoint": ""},
        {"p256dh": "AAAA"},
        {"p256dh": "é"},
        {"auth": "AAAA"},
        {"auth": ""},
    ],
)
def test_an_address_that_only_this_server_reaches_and_keys_that_are_none_are_refused(cast, wrong):
    form = Browser("https://push.example.org/one").form | wrong
    assert cast.player.client.post("/notices/device/", form).status_code == 422 and not Device.objects.exists()


def test_a_name_that_leads_into_the_host_s_network_is_not_asked_when_it_comes_to_sending(cast, service, settings):
    turn_on(cast.player, service)
    settings.WEBHOOK_NETWORKS = []
    ask(cast.gm, cast.player)
    tell_after(11)
    assert service.asked == [] and kept(cast).tries == 1


def test_nobody_takes_another_s_device_away(cast, page, service):
    turn_on(cast.other_player, service)
    turn_on(cast.player, service)
    theirs, mine = (Device.objects.get(user=person.user) for person in (cast.other_player, cast.player))
    for device in (theirs.pk, "1", "x" * 99):
        assert page(do="remove", device=device).status_code == 302
    assert Device.objects.count() == 2
    page(do="remove", device=mine.pk)
    assert Device.objects.get() == theirs


def test_a_browser_whose_device_is_gone_is_offered_to_turn_it_on_again(cast, page):
    cast.player.client.post("/notices/device/", Browser("https://push.example.org/one").form)
    assert f'data-device="{Device.objects.get().pk}"' in page().content.decode()
    Device.objects.all().delete()
    assert 'data-device=""' in page().content.decode()


def test_a_gm_who_sees_it_as_a_player_sees_and_changes_nothing_of_theirs(cast, page):
    page("ashes", do="mute")
    gm = cast.gm.client
    gm.post(reverse("see_as", args=["ashes"]), {"as": cast.player.member.pk, "key": uuid4()})
    shown = gm.get("/c/ashes/notices/")
    assert shown.status_code == 200 and "Muted" not in shown.content.decode()
    assert gm.post("/c/ashes/notices/", {"do": "default"}).status_code == 403 and Choice.objects.exists()


def test_people_without_an_account_are_asked_to_sign_in_and_outsiders_find_nothing(cast):
    for url in ("/notices/", "/notices/device/"):
        assert Client().post(url).status_code == 302
    for client in (Client(), cast.outsider.client, cast.removed.client):
        assert client.get("/c/ashes/notices/").status_code == 404
    assert cast.spectator.client.get("/c/ashes/notices/").status_code == 200


def test_whoever_only_watches_has_nothing_to_choose(cast):
    show_as_sample(cast.campaign)
    for client in (Client(), cast.outsider.client):
        assert client.get("/c/ashes/notices/").status_code == 403
        assert client.post("/c/ashes/notices/", {"do": "mute"}).status_code == 403
