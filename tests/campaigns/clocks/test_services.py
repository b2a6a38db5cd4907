"""Clocks at a table: what a tick does, who may, and what is refused."""

from functools import partial
from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import Clock, ClockKind, ClockTemplate, Event
from campaigns.services import clocks
from campaigns.services.clocks import Draft, Rival, clock_version, drop_template, keep_template
from characters.models import Character
from tests.campaigns.clocks.play import SECRET, change, seen, told
from tests.racing import at_once


def test_a_tick_is_one_event_with_before_and_after(cast, make, tick):
    clock = tick(make(), 2, reason="The guards are awake.")
    assert clock.filled == 2
    (payload,) = told(cast, what="clock_ticked")
    assert (payload["ticks"], payload["before"], payload["after"], payload["full"]) == (2, 0, 2, False)
    assert (payload["reason"], payload["clock"]["filled"], payload["less"]) == ("The guards are awake.", 2, False)
    assert told(cast, "gm") == []


def test_a_full_clock_says_so_in_the_tick_that_filled_it(cast, make, tick):
    tick(make(segments=4, kind=ClockKind.DANGER), 7)
    (payload,) = told(cast, what="clock_ticked")
    assert (payload["full"], payload["after"], payload["overflow"], payload["clock"]["full"]) == (True, 4, 3, True)


def test_a_full_clock_opens_the_next_in_the_same_operation(cast, make, tick):
    first = make("The perimeter", 2)
    second = make("The vault", 4, kind=ClockKind.LINKED, after=first)
    assert seen(cast.player) == [("The perimeter", 0)]
    with pytest.raises(Invalid, match="opens when"):
        tick(second)
    tick(first, 2)
    assert seen(cast.player) == [("The perimeter", 2), ("The vault", 0)]
    opened = told(cast)[-1]
    assert (opened["clock"]["name"], opened["before"], opened["opened_by"]["name"]) == (
        "The vault",
        None,
        "The perimeter",
    )
    assert [event.kind for event in Event.objects.order_by("-pk")[:2]][::-1] == [
        "campaigns.clock_ticked",
        "campaigns.clock_changed",
    ]


def test_linked_clocks_cannot_wait_for_each_other(cast, make):
    first = make("The perimeter", 2, visibility=SECRET)
    second = make("The vault", 4, kind=ClockKind.LINKED, after=first)
    for after in (second, first):
        with pytest.raises(Invalid, match="wait for each other"):
            draft = Draft("The perimeter", 2, kind=ClockKind.LINKED, after=after)
            clocks.change_clock(cast.gm.member, first, draft, expected=clock_version(first), key=uuid4())


def test_a_racing_pair_names_both_when_one_is_full(cast, make, tick):
    escape = make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6))
    watch = escape.rival
    tick(watch, 3)
    tick(escape, 4)
    payload = told(cast, what="clock_ticked")[-1]
    assert payload["full"] and payload["rival"] == watch.ref | {"segments": 6, "filled": 3, "full": False}
    tick(watch, 3)
    payload = told(cast, what="clock_ticked")[-1]
    assert payload["full"] and payload["rival"]["full"] and payload["rival"]["name"] == "Escape"


def test_players_tick_what_is_theirs_and_the_crews(cast, make, tick):
    character = Character.objects.create(campaign=cast.campaign, name="Silas Grey", owner=cast.player.member)
    mine = make(owner=f"member:{cast.player.member.pk}")
    ours = make(owner="crew")
    characters = make(owner=f"character:{character.pk}")
    for clock in (mine, ours, characters):
        assert tick(clock, by=cast.player).filled == 1
    assert tick(ours, by=cast.other_player).filled == 2
    for clock in (mine, characters, make()):
        with pytest.raises(Forbidden):
            tick(clock, by=cast.other_player)
    with pytest.raises(Forbidden):
        tick(ours, by=cast.spectator)
    with pytest.raises(NotFound):
        tick(ours, by=cast.removed)


def test_a_new_clock_is_not_full(make):
    with pytest.raises(Invalid):
        make(segments=4, filled=4)


def test_a_racing_clock_comes_in_a_pair_and_stays_one(cast, make):
    with pytest.raises(Invalid, match="in pairs"):
        make(kind=ClockKind.RACING)
    with pytest.raises(Invalid, match="in pairs"):
        make(rival=Rival("The watch", 4))
    pair = make(kind=ClockKind.RACING, rival=Rival("The watch", 4))
    with pytest.raises(Invalid, match="join or leave a racing pair"):
        change(cast, pair, kind=ClockKind.DANGER)
    with pytest.raises(Invalid, match="join or leave a racing pair"):
        change(cast, make(), kind=ClockKind.RACING)


def test_a_clock_does_not_shrink_onto_its_ticks(cast, make, tick):
    clock = tick(make(), 3)
    with pytest.raises(Invalid, match="3 segments are filled"):
        change(cast, clock, segments=3)
    assert change(cast, clock, segments=4).segments == 4


def test_an_archived_clock_is_put_away_with_its_ticks_and_brought_back(cast, make, tick):
    clock = tick(make("Dawn"), 2)
    make("Dusk")
    clocks.archive_clock(cast.gm.member, clock, key=uuid4())
    assert [name for name, _ in seen(cast.gm)] == ["Dusk"]
    for operation in (lambda: tick(clock), lambda: change(cast, clock, name="Noon")):
        with pytest.raises(Invalid, match="archived"):
            operation()
    clocks.restore_clock(cast.gm.member, clock, key=uuid4())
    assert seen(cast.player) == [("Dusk", 0), ("Dawn", 2)]


def test_a_template_keeps_a_clock_for_later(cast, make, tick):
    pair = tick(make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6)), 2)
    template = keep_template(cast.gm.member, pair, key=uuid4())
    assert (template.name, template.segments, template.rival_name, template.rival_segments) == (
        "Escape",
        4,
        "The watch",
        6,
    )
    drop_template(cast.gm.member, template.pk, key=uuid4())
    assert not ClockTemplate.objects.exists()
    with pytest.raises(NotFound):
        drop_template(cast.gm.member, template.pk, key=uuid4())


@pytest.mark.django_db(transaction=True)
def test_two_people_ticking_at_once_both_count(cast, make, tick):
    clock = make(segments=12, owner="crew")
    at_once(*(partial(tick, clock, by=who) for who in (cast.player, cast.other_player) * 5))
    assert Clock.objects.get().filled == 10
    ticks = told(cast, what="clock_ticked")
    assert [(payload["before"], payload["after"]) for payload in ticks] == [(at, at + 1) for at in range(10)]
