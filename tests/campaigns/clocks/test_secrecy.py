"""What players are told of clocks that they may not see, or not see through."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import Clock, ClockKind, Event
from campaigns.queries.clocks import clocks_of
from campaigns.services import clocks
from campaigns.services.clocks import Rival, keep_template
from campaigns.views.log import feed
from characters.models import Character
from characters.services.cards import Card, card_version, change_character, make_character
from tests.campaigns.clocks.play import KNOWN, SECRET, VISIBLE, change, seen, told, viewer


def test_what_a_secret_clock_opens_does_not_name_it(cast, make, tick):
    first = make("The betrayal", 2, visibility=SECRET)
    make("The knives", 4, kind=ClockKind.LINKED, after=first)
    tick(first, 2)
    (opened,) = told(cast)
    assert opened["clock"]["name"] == "The knives"
    assert opened["opened_by"] is None
    assert opened["clock"]["after"] is None


def test_the_secret_half_of_a_racing_pair_is_not_named_to_players(cast, make, tick):
    escape = make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6))
    change(cast, escape.rival, visibility=SECRET)
    tick(escape)
    assert told(cast)[-1]["rival"] is None and told(cast)[-1]["clock"]["rival"] is None
    assert told(cast, "gm")[-1]["rival"]["name"] == "The watch"


def test_of_a_known_clock_players_hear_only_that_it_is_full(cast, make, tick):
    clock = make("Rumours", 4, visibility=KNOWN)
    assert seen(cast.player) == [("Rumours", None)]
    tick(clock, 3, reason="One more and they know.")
    assert told(cast, what="clock_ticked") == []
    tick(clock, 1, reason="They know.")
    (payload,) = told(cast, what="clock_ticked")
    assert payload["full"] and payload["clock"]["full"] and payload["clock"]["filled"] is None
    assert (payload["before"], payload["after"], payload["ticks"], payload["reason"]) == (None, None, None, "")
    twins = Event.objects.filter(kind="campaigns.clock_ticked").order_by("-pk")[:2]
    assert len({event.uid for event in twins}) == 1
    tick(clock, -1)
    payload = told(cast, what="clock_ticked")[-1]
    assert (payload["full"], payload["clock"]["full"]) == (False, False)


def test_of_a_secret_clock_players_hear_nothing(cast, make, tick):
    clock = make("The betrayal", 4, visibility=SECRET)
    tick(clock, 4)
    clocks.move_clock(cast.gm.member, clock, up=True, key=uuid4())
    keep_template(cast.gm.member, clock, key=uuid4())
    clocks.archive_clock(cast.gm.member, clock, key=uuid4())
    clocks.restore_clock(cast.gm.member, clock, key=uuid4())
    assert told(cast) == [] and seen(cast.player) == []
    assert len(told(cast, "gm")) == 5


def test_showing_a_clock_tells_the_whole_of_it(cast, make, tick):
    clock = tick(make("The betrayal", 4, visibility=SECRET), 3)
    change(cast, clock, visibility=VISIBLE)
    (payload,) = told(cast)
    assert (payload["clock"]["name"], payload["clock"]["filled"], payload["before"]) == ("The betrayal", 3, None)


def test_hiding_a_clock_takes_it_from_players_and_tells_them_no_more(cast, make):
    clock = make()
    change(cast, clock, visibility=SECRET, name="The betrayal")
    payload = told(cast)[-1]
    assert payload["gone"] and payload["clock"] == {"id": str(clock.pk), "name": "The Regent’s patience"}
    assert told(cast, "gm")[-1]["clock"]["name"] == "The betrayal"


def test_hidden_clocks_leave_no_mark_on_what_players_are_told(cast, make, tick):
    """Players get the same numbers, order and words, whatever the GM does in secret in between."""

    def evening(secretly):
        hidden = [make("Hidden", 4, visibility=SECRET)] if secretly else []
        first = make("First", 4)
        for clock in hidden:
            tick(clock)
            clocks.move_clock(cast.gm.member, clock, up=False, key=uuid4())
        second = make("Second", 4)
        hidden += [make("Hidden too", 4, visibility=SECRET)] if secretly else []
        make("Third", 4)
        for _ in range(2 if secretly else 1):  # over the hidden one, too
            clocks.move_clock(cast.gm.member, second, up=True, key=uuid4())
        clocks.archive_clock(cast.gm.member, first, key=uuid4())
        for clock in hidden:
            clocks.archive_clock(cast.gm.member, clock, key=uuid4())
        panel = [(clock["name"], clock["order"]) for clock in clocks_of(viewer(cast.player))]
        for clock in Clock.objects.running():
            clocks.archive_clock(cast.gm.member, clock, key=uuid4())
        return panel

    start = len(told(cast))
    plain = evening(secretly=False)
    between = len(told(cast))
    assert evening(secretly=True) == plain == [("Second", 1000), ("Third", 3000)]
    assert [_nameless(f) for f in told(cast)[start:between]] == [_nameless(f) for f in told(cast)[between:]]


def test_moving_a_clock_among_hidden_ones_is_nothing_to_players(cast, make):
    make("First")
    hidden = make("Hidden", visibility=SECRET)
    last = make("Last")
    before = len(told(cast))
    clocks.move_clock(cast.gm.member, hidden, up=False, key=uuid4())
    assert [name for name, _ in seen(cast.gm)] == ["First", "Last", "Hidden"]
    clocks.move_clock(cast.gm.member, last, up=False, key=uuid4())
    assert [name for name, _ in seen(cast.gm)] == ["First", "Hidden", "Last"]
    assert len(told(cast)) == before
    clocks.move_clock(cast.gm.member, last, up=True, key=uuid4())
    clocks.move_clock(cast.gm.member, last, up=True, key=uuid4())
    assert [name for name, _ in seen(cast.player)] == ["Last", "First"]
    assert [clock["name"] for clock in told(cast)[-1]["clocks"]] == ["Last", "First"]


def test_players_do_not_tick_what_they_cannot_see_the_progress_of(cast, make, tick):
    with pytest.raises(Forbidden):
        tick(make(owner="crew", visibility=KNOWN), by=cast.player)
    with pytest.raises(NotFound):
        tick(make(owner="crew", visibility=SECRET), by=cast.player)


def test_a_shown_clock_does_not_name_a_hidden_character(cast, make):
    hidden = Character.objects.create(campaign=cast.campaign, name="The Regent", shown=False)
    with pytest.raises(Invalid, match="Players don’t know about The Regent") as refused:
        make(owner=f"character:{hidden.pk}")
    assert refused.value.field == "owner"
    clock = make(owner=f"character:{hidden.pk}", visibility=SECRET)
    assert told(cast, "gm")[0]["clock"]["owner"]["thing"]["name"] == "The Regent"
    with pytest.raises(Invalid):
        change(cast, clock, visibility=VISIBLE, owner=f"character:{hidden.pk}")


def test_a_tick_names_the_event_it_comes_from_to_those_who_see_it(cast, make, tick):
    make("Something public")
    make("Something secret", visibility=SECRET)
    public, secret = (event.uid for event in Event.objects.filter(kind="campaigns.clock_changed").order_by("pk"))
    clock = make("The crew’s", owner="crew")
    tick(clock, source=public, by=cast.player)
    assert told(cast)[-1]["source"] == str(public)
    tick(clock, source=secret)
    assert told(cast)[-1]["source"] is None
    for uid in (secret, uuid4()):
        with pytest.raises(NotFound):
            tick(clock, source=uid, by=cast.player)


def _nameless(value):
    """Facts without the ids, which differ from clock to clock."""
    if isinstance(value, dict):
        return {key: _nameless(item) for key, item in value.items() if key != "id"}
    return [_nameless(item) for item in value] if isinstance(value, list) else value


def test_what_one_clock_opens_is_told_apart_whoever_sees_it(cast, make, tick):
    first = make("The gate", 2)
    for name, visibility in (("The knives", SECRET), ("The bells", VISIBLE), ("The crowd", KNOWN)):
        make(name, 4, visibility=visibility, kind=ClockKind.LINKED, after=first)
    last = Event.objects.latest("pk").pk
    tick(first, 2)
    names = {}
    for event in Event.objects.filter(pk__gt=last).with_related():
        names.setdefault(event.uid, set()).add(event.payload["clock"]["name"])
    assert sorted(names.values(), key=str) == [{"The bells"}, {"The crowd"}, {"The gate"}, {"The knives"}]
    lines = " ".join(feed(viewer(cast.gm)).lines)
    assert [lines.count(f"“{name}” (") for name in ("The knives", "The bells", "The crowd")] == [
        2,
        2,
        2,
    ]  # made, opened


def test_the_clocks_of_a_character_follow_its_name_and_its_hiding(cast, make):
    regent = make_character(cast.gm.member, Card("The Regent"), key=uuid4())
    make(owner=regent.subject.key)
    for card in (Card("The Regent of Harrow"), Card("The Traitor", shown=False)):
        regent = change_character(cast.gm.member, regent, card, expected=card_version(regent), key=uuid4())
    owners = [payload["clock"]["owner"] for payload in told(cast, what="clock_changed")]
    assert [owner.get("thing", {}).get("name") for owner in owners] == ["The Regent", "The Regent of Harrow", None]
    assert "The Traitor" not in str(told(cast))
