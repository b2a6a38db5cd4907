"""Pins: whoever may see a moment may pin it, and exactly those who see it are told."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.events import MOMENT_PINNED, MOMENT_UNPINNED
from campaigns.live.render import render_live
from campaigns.models import Event, Pin, Role, Viewer
from campaigns.queries import play as queries
from campaigns.services import log_entries as moments
from campaigns.services import play
from tests.dom import parse
from tests.news import news


def said(cast, words="Hello"):
    return play.say(cast.player.member, words, key=uuid4())


def whispered(cast):
    return play.whisper(cast.player.member, "Psst", to=[cast.gm.member], key=uuid4())


def pin(who, event):
    return moments.pin(who.member, event.uid, key=uuid4())


def told(kind):
    return [event.stream.name for event in news().filter(kind=kind).select_related("stream").order_by("pk")]


def kept(cast, who, session):
    return [event.uid for event in queries.pinned(Viewer(cast.campaign, who.member, Role(who.member.role)), session)]


def test_a_moment_that_all_saw_is_pinned_once_and_for_all(cast, session):
    event = said(cast)
    pin(cast.player, event)
    pin(cast.other_player, event)
    assert told(MOMENT_PINNED) == ["table"]
    assert Pin.objects.get().by == cast.player.member
    for who in (cast.gm, cast.player, cast.other_player):
        assert kept(cast, who, session) == [event.uid]


def test_a_whisper_is_pinned_for_those_who_heard_it(cast, session):
    event = whispered(cast)
    pin(cast.player, event)
    assert set(told(MOMENT_PINNED)) == {cast.player.member.stream, cast.gm.member.stream}
    assert kept(cast, cast.player, session) == kept(cast, cast.gm, session) == [event.uid]
    assert kept(cast, cast.other_player, session) == []


def test_what_one_may_not_see_cannot_be_pinned_nor_taken_off(cast, session):
    event = whispered(cast)
    pin(cast.player, event)
    for operation in (moments.pin, moments.unpin):
        for uid in (event.uid, uuid4()):
            with pytest.raises(NotFound):
                operation(cast.other_player.member, uid, key=uuid4())


def test_what_happens_between_sessions_cannot_be_pinned(cast):
    with pytest.raises(Invalid):
        pin(cast.player, said(cast))
    assert not Pin.objects.exists()


def test_nobody_pins_a_pin(cast, session):
    pin(cast.player, said(cast))
    with pytest.raises(Invalid):
        pin(cast.player, Event.objects.get(kind=MOMENT_PINNED))


def test_only_the_gm_takes_off_the_pins_of_others(cast, session):
    event = said(cast)
    pin(cast.player, event)
    with pytest.raises(Forbidden):
        moments.unpin(cast.other_player.member, event.uid, key=uuid4())
    moments.unpin(cast.gm.member, event.uid, key=uuid4())
    moments.unpin(cast.gm.member, event.uid, key=uuid4())
    assert told(MOMENT_UNPINNED) == ["table"]
    assert not Pin.objects.exists()


def test_a_viewer_is_offered_to_take_off_what_they_may(cast, session):
    event = said(cast)
    pin(cast.player, event)
    offered = {
        name: queries.pins_of(Viewer(cast.campaign, who.member, Role(who.member.role)), session)
        for name, who in {"gm": cast.gm, "mo": cast.player, "other": cast.other_player}.items()
    }
    assert offered == {"gm": {event.uid}, "mo": {event.uid}, "other": set()}
    assert queries.pins_of(Viewer(cast.campaign, None, Role.SPECTATOR), session) == set()


def test_a_line_carries_its_pin_for_players_and_none_for_spectators(cast, session):
    event = said(cast)
    address = reverse("moment_pin", args=[cast.campaign.slug, event.uid])
    log = reverse("log", args=[cast.campaign.slug])
    assert address in cast.player.client.get(log).content.decode()
    assert address not in cast.spectator.client.get(log).content.decode()


def test_a_pressed_pin_says_that_it_is_done(cast, session):
    address = reverse("moment_pin", args=[cast.campaign.slug, said(cast).uid])
    answer = cast.player.client.post(address, {"key": uuid4()}, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and "Pinned" in answer.content.decode()
    assert Pin.objects.count() == 1


def test_a_line_says_that_it_is_pinned_on_open_pages_and_after_a_reload(cast, session):
    event = said(cast)
    pin(cast.player, event)
    now = shown_pin(cast.other_player, cast, event)
    assert "Pinned" in now and "<form" not in now
    moment = Event.objects.with_related().select_related("campaign").get(kind=MOMENT_PINNED)
    assert str(parse(render_live(moment, Role.PLAYER)).by_id(f"pin-{event.uid}")) == now
    assert f"pin-{event.uid}" not in render_live(moment, Role.SPECTATOR)
    moments.unpin(cast.player.member, event.uid, key=uuid4())
    assert "<form" in shown_pin(cast.other_player, cast, event)


def shown_pin(who, cast, event):
    html = who.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    return str(parse(html).by_id(f"pin-{event.uid}"))


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_a_pin_pressed_again_after_it_was_unpinned_gets_the_first_answer(cast, session, headers):
    event, key = said(cast), uuid4()
    address = reverse("moment_pin", args=[cast.campaign.slug, event.uid])
    first = cast.player.client.post(address, {"key": key}, headers=headers)
    moments.unpin(cast.player.member, event.uid, key=uuid4())
    again = cast.player.client.post(address, {"key": key}, headers=headers)
    assert (again.status_code, again.headers.get("Location")) == (first.status_code, first.headers.get("Location"))
    assert not Pin.objects.exists() and told(MOMENT_PINNED) == ["table"]
