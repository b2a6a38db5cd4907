"""Clocks at a table: what a tick does, who may, and what is told to whom."""

from threading import Thread
from uuid import uuid4

import pytest
from django.db import connection

from campaigns.access import Seat
from campaigns.errors import Forbidden, Invalid, Missing, Stale
from campaigns.models import Clock, ClockKind, ClockSight, ClockTemplate, Event, Role
from campaigns.services import clocks
from campaigns.services.clock_drafts import Draft, Rival, clock_version
from campaigns.services.clock_templates import drop_template, keep_template
from characters.models import Character

pytestmark = pytest.mark.django_db

KNOWN, SECRET, VISIBLE = ClockSight.KNOWN, ClockSight.SECRET, ClockSight.VISIBLE


@pytest.fixture
def make(cast):
    """`make("Dawn", 6, sight=SECRET)`: a clock of the GM's."""

    def make(name="The Regent’s patience", segments=6, *, rival=None, filled=0, **said):
        return clocks.make_clock(cast.gm.member, Draft(name, segments, **said), rival=rival, filled=filled, key=uuid4())

    return make


@pytest.fixture
def tick(cast):
    def tick(clock, ticks=1, *, by=None, key=None, **how):
        return clocks.tick_clock((by or cast.gm).member, clock, ticks, key=key or uuid4(), **how)

    return tick


def told(cast, stream="table", what=None):
    """The facts of a stream's events of clocks, oldest first."""
    events = Event.objects.filter(campaign=cast.campaign, stream__name=stream, kind__startswith="campaigns.clock")
    found = events.order_by("seq").select_related("payload")
    return [event.facts for event in found if what is None or event.kind == f"campaigns.{what}"]


def seat(who):
    return Seat(who.member.campaign, who.member, Role(who.member.role))


def seen(who):
    """Name and progress of each clock on somebody's panel."""
    return [(clock["name"], clock["filled"]) for clock in clocks.clocks_of(seat(who))]


def test_a_tick_is_one_event_with_before_and_after(cast, make, tick):
    clock = tick(make(), 2, reason="The guards are awake.")
    assert clock.filled == 2
    (facts,) = told(cast, what="clock_ticked")
    assert (facts["ticks"], facts["before"], facts["after"], facts["full"]) == (2, 0, 2, False)
    assert (facts["reason"], facts["clock"]["filled"], facts["less"]) == ("The guards are awake.", 2, False)
    assert told(cast, "gm") == []


def test_a_tick_sent_twice_counts_once(cast, make, tick):
    clock, key = make(), uuid4()
    assert tick(clock, 2, key=key) == tick(clock, 2, key=key)
    assert Clock.objects.get().filled == 2
    assert len(told(cast, what="clock_ticked")) == 1
    with pytest.raises(Invalid):
        tick(clock, 3, key=key)


def test_a_full_clock_says_so_in_the_tick_that_filled_it(cast, make, tick):
    tick(make(segments=4, kind=ClockKind.DANGER), 7)
    (facts,) = told(cast, what="clock_ticked")
    assert (facts["full"], facts["after"], facts["overflow"], facts["clock"]["full"]) == (True, 4, 3, True)


def test_unticking_never_goes_below_empty(cast, make, tick):
    clock = make(filled=2)
    assert tick(clock, -5).filled == 0
    with pytest.raises(Invalid, match="empty already"):
        tick(clock, -1)


def test_a_full_clock_takes_no_more(cast, make, tick):
    clock = tick(make(segments=2), 2)
    with pytest.raises(Invalid, match="full already"):
        tick(clock)
    assert len(told(cast, what="clock_ticked")) == 1


def test_a_tug_of_war_ends_on_either_side(cast, make, tick):
    tick(make(kind=ClockKind.TUG, filled=3), -3)
    (facts,) = told(cast, what="clock_ticked")
    assert (facts["emptied"], facts["full"], facts["after"]) == (True, False, 0)


def test_a_healing_clock_rolls_over(cast, make, tick):
    clock = tick(make(segments=4, kind=ClockKind.HEALING, filled=3), 3)
    assert clock.filled == 2
    (facts,) = told(cast, what="clock_ticked")
    assert (facts["full"], facts["rounds"], facts["after"]) == (True, 1, 2)


def test_a_full_clock_opens_the_next_in_the_same_deed(cast, make, tick):
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


def test_what_a_secret_clock_opens_does_not_name_it(cast, make, tick):
    first = make("The betrayal", 2, sight=SECRET)
    make("The knives", 4, kind=ClockKind.LINKED, after=first)
    tick(first, 2)
    (opened,) = told(cast)
    assert opened["clock"]["name"] == "The knives"
    assert opened["opened_by"] is None
    assert opened["clock"]["after"] is None


def test_a_clock_after_a_full_one_is_open_at_once(cast, make, tick):
    first = tick(make("The perimeter", 2), 2)
    assert make("The vault", 4, kind=ClockKind.LINKED, after=first).opened


def test_linked_clocks_cannot_wait_for_each_other(cast, make):
    first = make("The perimeter", 2, sight=SECRET)
    second = make("The vault", 4, kind=ClockKind.LINKED, after=first)
    for after in (second, first):
        with pytest.raises(Invalid, match="wait for each other"):
            draft = Draft("The perimeter", 2, kind=ClockKind.LINKED, after=after)
            clocks.change_clock(cast.gm.member, first, draft, seen=clock_version(first), key=uuid4())


def test_a_racing_pair_names_both_when_one_is_full(cast, make, tick):
    escape = make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6))
    watch = escape.rival
    tick(watch, 3)
    tick(escape, 4)
    facts = told(cast, what="clock_ticked")[-1]
    assert facts["full"] and facts["rival"] == watch.ref | {"segments": 6, "filled": 3, "full": False}
    tick(watch, 3)
    facts = told(cast, what="clock_ticked")[-1]
    assert facts["full"] and facts["rival"]["full"] and facts["rival"]["name"] == "Escape"


def test_the_secret_half_of_a_racing_pair_is_not_named_to_players(cast, make, tick):
    escape = make("Escape", 4, kind=ClockKind.RACING, rival=Rival("The watch", 6))
    change(cast, escape.rival, sight=SECRET)
    tick(escape)
    assert told(cast)[-1]["rival"] is None and told(cast)[-1]["clock"]["rival"] is None
    assert told(cast, "gm")[-1]["rival"]["name"] == "The watch"


def change(cast, clock, **other):
    found = Clock.objects.get(pk=clock.pk)
    said = {
        "name": found.name,
        "segments": found.segments,
        "kind": ClockKind(found.kind),
        "sight": ClockSight(found.sight),
    }
    draft = Draft(**(said | {"after": found.after} | other))
    return clocks.change_clock(cast.gm.member, found, draft, seen=clock_version(found), key=uuid4())


def test_of_a_known_clock_players_hear_only_that_it_is_full(cast, make, tick):
    clock = make("Rumours", 4, sight=KNOWN)
    assert seen(cast.player) == [("Rumours", None)]
    tick(clock, 3, reason="One more and they know.")
    assert told(cast, what="clock_ticked") == []
    tick(clock, 1, reason="They know.")
    (facts,) = told(cast, what="clock_ticked")
    assert facts["full"] and facts["clock"]["full"] and facts["clock"]["filled"] is None
    assert (facts["before"], facts["after"], facts["ticks"], facts["reason"]) == (None, None, None, "")
    twins = Event.objects.filter(kind="campaigns.clock_ticked").order_by("-pk")[:2]
    assert len({event.uid for event in twins}) == 1
    tick(clock, -1)
    facts = told(cast, what="clock_ticked")[-1]
    assert (facts["full"], facts["clock"]["full"]) == (False, False)


def test_of_a_secret_clock_players_hear_nothing(cast, make, tick):
    clock = make("The betrayal", 4, sight=SECRET)
    tick(clock, 4)
    clocks.move_clock(cast.gm.member, clock, up=True, key=uuid4())
    keep_template(cast.gm.member, clock, key=uuid4())
    clocks.archive_clock(cast.gm.member, clock, key=uuid4())
    clocks.restore_clock(cast.gm.member, clock, key=uuid4())
    assert told(cast) == [] and seen(cast.player) == []
    assert len(told(cast, "gm")) == 5


def test_showing_a_clock_tells_the_whole_of_it(cast, make, tick):
    clock = tick(make("The betrayal", 4, sight=SECRET), 3)
    change(cast, clock, sight=VISIBLE)
    (facts,) = told(cast)
    assert (facts["clock"]["name"], facts["clock"]["filled"], facts["before"]) == ("The betrayal", 3, None)


def test_hiding_a_clock_takes_it_from_players_and_tells_them_no_more(cast, make):
    clock = make()
    change(cast, clock, sight=SECRET, name="The betrayal")
    facts = told(cast)[-1]
    assert facts["gone"] and facts["clock"] == {"id": str(clock.pk), "name": "The Regent’s patience"}
    assert told(cast, "gm")[-1]["clock"]["name"] == "The betrayal"


def test_hidden_clocks_leave_no_mark_on_what_players_are_told(cast, make, tick):
    """The numbers, order and words that players get are the same, whatever the GM does in secret between."""

    def evening(secretly):
        hidden = [make("Hidden", 4, sight=SECRET)] if secretly else []
        first = make("First", 4)
        for clock in hidden:
            tick(clock)
            clocks.move_clock(cast.gm.member, clock, up=False, key=uuid4())
        second = make("Second", 4)
        hidden += [make("Hidden too", 4, sight=SECRET)] if secretly else []
        make("Third", 4)
        for _ in range(2 if secretly else 1):  # over the hidden one, too
            clocks.move_clock(cast.gm.member, second, up=True, key=uuid4())
        clocks.archive_clock(cast.gm.member, first, key=uuid4())
        for clock in hidden:
            clocks.archive_clock(cast.gm.member, clock, key=uuid4())
        panel = [(clock["name"], clock["order"]) for clock in clocks.clocks_of(seat(cast.player))]
        for clock in Clock.objects.running():
            clocks.archive_clock(cast.gm.member, clock, key=uuid4())
        return panel

    start = len(told(cast))
    plain = evening(secretly=False)
    between = len(told(cast))
    assert evening(secretly=True) == plain == [("Second", 1000), ("Third", 3000)]
    assert [_nameless(f) for f in told(cast)[start:between]] == [_nameless(f) for f in told(cast)[between:]]


def _nameless(value):
    """Facts without the ids, which differ from clock to clock."""
    if isinstance(value, dict):
        return {key: _nameless(item) for key, item in value.items() if key != "id"}
    return [_nameless(item) for item in value] if isinstance(value, list) else value


def test_moving_a_clock_among_hidden_ones_is_nothing_to_players(cast, make):
    make("First")
    hidden = make("Hidden", sight=SECRET)
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
    with pytest.raises(Missing):
        tick(ours, by=cast.removed)


def test_players_do_not_tick_what_they_cannot_see_the_progress_of(cast, make, tick):
    with pytest.raises(Forbidden):
        tick(make(owner="crew", sight=KNOWN), by=cast.player)
    with pytest.raises(Missing):
        tick(make(owner="crew", sight=SECRET), by=cast.player)


def test_a_shown_clock_does_not_name_a_hidden_character(cast, make):
    hidden = Character.objects.create(campaign=cast.campaign, name="The Regent", shown=False)
    with pytest.raises(Invalid, match="Players do not know of The Regent") as refused:
        make(owner=f"character:{hidden.pk}")
    assert refused.value.field == "owner"
    clock = make(owner=f"character:{hidden.pk}", sight=SECRET)
    assert told(cast, "gm")[0]["clock"]["owner"]["thing"]["name"] == "The Regent"
    with pytest.raises(Invalid):
        change(cast, clock, sight=VISIBLE, owner=f"character:{hidden.pk}")


def test_a_tick_names_the_event_it_comes_from_to_those_who_see_it(cast, make, tick):
    make("Something public")
    public, secret = Event.objects.get().uid, None
    make("Something secret", sight=SECRET)
    secret = Event.objects.get(stream__name="gm").uid
    clock = make("The crew’s", owner="crew")
    tick(clock, source=public, by=cast.player)
    assert told(cast)[-1]["source"] == str(public)
    tick(clock, source=secret)
    assert told(cast)[-1]["source"] is None
    for uid in (secret, uuid4()):
        with pytest.raises(Missing):
            tick(clock, source=uid, by=cast.player)


@pytest.mark.parametrize("segments", [1, 13, 0, -4])
def test_clocks_have_2_to_12_segments(cast, make, segments):
    with pytest.raises(Invalid) as refused:
        make(segments=segments)
    assert refused.value.field == "segments"
    assert not Clock.objects.exists() and not Event.objects.exists()


@pytest.mark.parametrize("ticks", [0, 13, 99, -13])
def test_nobody_ticks_by_nothing_or_by_too_much(cast, make, tick, ticks):
    clock = make()
    with pytest.raises(Invalid) as refused:
        tick(clock, ticks)
    assert refused.value.field == "ticks"
    assert told(cast, what="clock_ticked") == []


def test_a_new_clock_is_not_full(make):
    with pytest.raises(Invalid):
        make(segments=4, filled=4)


def test_a_racing_clock_comes_in_a_pair_and_stays_one(cast, make):
    with pytest.raises(Invalid, match="in pairs"):
        make(kind=ClockKind.RACING)
    with pytest.raises(Invalid, match="in pairs"):
        make(rival=Rival("The watch", 4))
    pair = make(kind=ClockKind.RACING, rival=Rival("The watch", 4))
    with pytest.raises(Invalid, match="stays one"):
        change(cast, pair, kind=ClockKind.DANGER)
    with pytest.raises(Invalid, match="stays one"):
        change(cast, make(), kind=ClockKind.RACING)


def test_a_clock_does_not_shrink_onto_its_ticks(cast, make, tick):
    clock = tick(make(), 3)
    with pytest.raises(Invalid, match="3 segments are filled"):
        change(cast, clock, segments=3)
    assert change(cast, clock, segments=4).segments == 4


def test_two_changes_at_once_do_not_overwrite_each_other(cast, make):
    clock = make()
    seen_by_both = clock_version(clock)
    clocks.change_clock(cast.gm.member, clock, Draft("Dawn", 8), seen=seen_by_both, key=uuid4())
    with pytest.raises(Stale):
        clocks.change_clock(cast.gm.member, clock, Draft("Dusk", 8), seen=seen_by_both, key=uuid4())
    assert Clock.objects.get().name == "Dawn"


def test_an_archived_clock_is_put_away_with_its_ticks_and_brought_back(cast, make, tick):
    clock = tick(make("Dawn"), 2)
    make("Dusk")
    clocks.archive_clock(cast.gm.member, clock, key=uuid4())
    assert [name for name, _ in seen(cast.gm)] == ["Dusk"]
    for deed in (lambda: tick(clock), lambda: change(cast, clock, name="Noon")):
        with pytest.raises(Invalid, match="archived"):
            deed()
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
    drop_template(cast.gm.member, template, key=uuid4())
    assert not ClockTemplate.objects.exists()
    with pytest.raises(Missing):
        drop_template(cast.gm.member, template, key=uuid4())


@pytest.mark.parametrize("who", ["player", "spectator"])
def test_only_the_gm_makes_and_keeps_clocks(cast, make, who):
    clock, member = make(), getattr(cast, who).member
    deeds = [
        lambda: clocks.make_clock(member, Draft("Dawn", 4), key=uuid4()),
        lambda: clocks.change_clock(member, clock, Draft("Dawn", 4), seen=clock_version(clock), key=uuid4()),
        lambda: clocks.move_clock(member, clock, up=True, key=uuid4()),
        lambda: clocks.archive_clock(member, clock, key=uuid4()),
        lambda: clocks.restore_clock(member, clock, key=uuid4()),
        lambda: keep_template(member, clock, key=uuid4()),
    ]
    for deed in deeds:
        with pytest.raises(Forbidden):
            deed()


@pytest.mark.django_db(transaction=True)
def test_two_people_ticking_at_once_both_count(cast, make, tick):
    clock = make(segments=12, owner="crew")
    refused = []

    def go(who):
        try:
            for _ in range(5):
                tick(clock, by=who)
        except Exception as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [Thread(target=go, args=[who]) for who in (cast.player, cast.other_player)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == []
    assert Clock.objects.get().filled == 10
    ticks = told(cast, what="clock_ticked")
    assert [(facts["before"], facts["after"]) for facts in ticks] == [(at, at + 1) for at in range(10)]
