"""Whatever people do at a table, in whatever order, over whatever lines: what guarantees.md promises holds after every step."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import Count, Max, Min, Q
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from campaigns.models import Clock, Event, Role, Stream
from campaigns.models.clocks import ClockVisibility
from campaigns.models.members import TABLE
from characters.models import Character
from rolls.events import EPOCH_REVEALED
from rolls.models import Roll, SeedEpoch
from scale.models import Burn, Scale
from scale.queries.projection import check
from tests.flows.browsers import Room, in_this_thread
from tests.flows.world import FIELD, Operation, World, everything_shown

BOUNDED = settings(
    max_examples=5,
    stateful_step_count=30,
    database=None,
    suppress_health_check=list(HealthCheck),
)

players = st.sampled_from(["mo", "iva"])
anybody = st.sampled_from(["gm", "mo", "iva", "watcher"])
pools = st.one_of(
    st.lists(st.integers(1, 10), min_size=1, max_size=6),
    st.lists(st.sampled_from([1, 2]), min_size=4, max_size=6),  # so that Scales tip
    st.lists(st.sampled_from([10, 9]), min_size=4, max_size=6),
)
which = st.integers(0, 7)


def standing(html: str) -> str:
    """Return what was sent without the GMs' button, which goes on to the last line of its thing."""
    without = re.sub(r'<div class="line-undo".*?</form>\s*</div>', "", html, flags=re.DOTALL)
    return " ".join(without.split())


class Evening(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.world = World()
        self.start = transaction.savepoint()
        self.room = Room(self.world.campaign.slug, self.world.viewer)
        for name in self.world.ids:
            self.room.sit_down(name)

    def teardown(self) -> None:
        try:
            self.everybody_is_up_to_date_in_the_end()
            self.nobody_can_tell_what_was_hidden_from_them()
        finally:
            self.room.close()
            transaction.set_rollback(True)
            self.outer.__exit__(None, None, None)

    # What people do

    def happen(self, what: str, by: str, *args, **more) -> None:
        self.world.happen(Operation(what, by, args, **more))

    @rule(name=players, faces=pools, audience=st.sampled_from(["table", "table", "table", "self"]))
    def roll(self, name, faces, audience):
        self.happen("roll", name, name, len(faces), audience, faces=tuple(faces))

    @rule(by=st.sampled_from(["gm", "mo"]), faces=pools)
    def roll_for_the_gm_alone(self, by, faces):
        self.happen("roll", by, by, len(faces), "gm", faces=tuple(faces), hidden=True)

    @rule(by=anybody)
    def talk(self, by):
        self.happen("say", by, "Hush!")

    @rule(pair=st.sampled_from([("mo", "gm"), ("gm", "mo"), ("gm", "iva"), ("iva", "mo")]))
    def whisper(self, pair):
        self.happen("whisper", pair[0], "canary", pair[1], hidden="iva" not in pair)

    @precondition(lambda self: Burn.objects.filter(state__in=["offered", "banked", "fired"]).exists())
    @rule(
        by=st.sampled_from(["gm", "mo", "iva", "iva", "mo"]),
        index=which,
        effect=st.sampled_from(["die", "discipline"]),
        plausible=st.booleans(),
        rather_bank=st.booleans(),
    )
    def settle_a_burn(self, by, index, effect, plausible, rather_bank):
        waiting = Burn.objects.filter(state__in=["offered", "banked", "fired"]).order_by("at", "pk")
        burn = waiting[index % waiting.count()]
        if burn.state == "offered":
            self.happen("bank" if rather_bank else "take", by, burn.pk)
        elif burn.state == "banked":
            self.happen("spend", by, burn.pk)
        elif burn.effect:
            self.happen("decide", by, burn.pk, plausible)
        else:
            self.happen("choose", by, burn.pk, effect)

    @precondition(lambda self: Burn.objects.filter(major=True, state__in=["open", "deferred"]).exists())
    @rule(by=anybody, what=st.sampled_from(["narrate", "narrate", "defer", "see"]))
    def live_with_a_major_burn(self, by, what):
        burn = Burn.objects.filter(major=True, state__in=["open", "deferred"]).order_by("at", "pk").first()
        self.happen(what, "gm" if what != "see" else by, burn.pk)

    @precondition(lambda self: Scale.objects.exists())
    @rule(by=st.sampled_from(["gm", "gm", "iva"]))
    def take_back_the_newest(self, by):
        self.happen("undo", by, Scale.objects.first().pk)

    @precondition(lambda self: Roll.objects.exists())
    @rule(index=which, what=st.sampled_from(["void", "reveal"]))
    def put_a_roll_right(self, index, what):
        rolls = Roll.objects.order_by("-at", "pk")[:8]
        roll = rolls[index % len(rolls)]
        secret = roll.audience == "gm"
        if not (secret and what == "reveal"):  # shown to all, it could not be left out of the twin
            self.happen(what, "gm", roll.pk, hidden=secret)

    @rule(by=anybody, name=players, value=st.integers(0, 6), seen=st.sampled_from(["now", "now", "before"]))
    def edit_a_sheet(self, by, name, value, seen):
        now = Character.objects.get(pk=self.world.characters[name].pk).value(FIELD)
        self.happen("edit", by, name, value, now if seen == "now" else now + 1)
        if seen == "before" and value != now:  # an unchanged value is no conflict
            assert self.world.history[-1][1] != "done"

    @rule(by=st.sampled_from(["gm", "gm", "mo"]), what=st.sampled_from(["begin", "end"]))
    def begin_or_end_a_session(self, by, what):
        self.happen(what, by)

    @rule(visibility=st.sampled_from([ClockVisibility.SECRET, ClockVisibility.VISIBLE]))
    def make_a_clock(self, visibility):
        self.happen("clock", "gm", visibility, hidden=visibility == ClockVisibility.SECRET)

    @precondition(lambda self: Clock.objects.exists())
    @rule(by=st.sampled_from(["gm", "gm", "iva"]), index=which, ticks=st.sampled_from([1, 2, -1]))
    def tick_a_clock(self, by, index, ticks):
        found = Clock.objects.order_by("pk")
        clock = found[index % found.count()]
        self.happen("tick", by, clock.pk, ticks, hidden=clock.visibility == ClockVisibility.SECRET and by == "gm")

    @rule(what=st.sampled_from(["remove", "back", "role"]), role=st.sampled_from([Role.PLAYER, Role.SPECTATOR]))
    def come_and_go(self, what, role):
        more = {"back": (uuid4(),), "role": (role,)}.get(what, ())
        self.happen(what, "gm", "mo", *more)
        if what == "back":
            self.room.sit_down("mo")

    @precondition(lambda self: self.world.history)
    @rule(index=which)
    def send_a_form_again(self, index):
        operation, outcome = self.world.history[-1 - index % len(self.world.history)]
        events = Event.objects.count()
        if outcome == "done" and operation.what != "role":  # whose form says what the role was
            again = self.world.do(operation, len(self.world.history))
            assert again in ("done", "NotFound", "Forbidden", "Blocked"), again
            assert Event.objects.count() == events

    # What becomes of it on the way

    @rule(
        notifications=st.sampled_from([0, 1, 1, 3]),
        name=anybody,
        fault=st.sampled_from(["", "", "drop", "double", "turn"]),
    )
    def news_arrives(self, notifications, name, fault):
        self.room.pull(notifications)
        self.room.browsers[name].arrive(fault)

    @rule(name=anybody)
    def a_line_is_cut(self, name):
        if not self.room.browsers[name].is_gone:
            self.room.browsers[name].connect()

    # What holds, always

    @invariant()
    def the_scale_is_the_fold_of_the_log(self):
        assert check(self.world.campaign) == []

    @invariant()
    def seeds_are_told_when_their_epoch_is_closed_and_not_before(self):
        told = [event.payload["seed"] for event in Event.objects.filter(kind=EPOCH_REVEALED).select_related("stored")]
        closed = SeedEpoch.objects.exclude(closed_at=None).values_list("seed", flat=True)
        assert sorted(told) == sorted(closed)

    @invariant()
    def every_stream_counts_without_gaps(self):
        for stream in Stream.objects.annotate(n=Count("events"), low=Min("events__seq"), high=Max("events__seq")):
            assert (stream.low, stream.high, stream.n) == (1, stream.seq, stream.seq), stream

    @invariant()
    def everybody_holds_a_beginning_of_their_streams_and_of_no_other(self):
        for browser in self.room.browsers.values():
            held = dict(browser.began)
            for frame in browser.kept:
                held[frame["stream"]] = held.get(frame["stream"], 0) + 1
                assert frame["seq"] == held[frame["stream"]]
                assert browser.viewer.streams is None or frame["stream"] in browser.viewer.streams

    def everybody_is_up_to_date_in_the_end(self) -> None:
        self.room.pull(1)
        self.room.beat()
        for name, browser in self.room.browsers.items():
            for _ in range(3):
                browser.arrive("")
            if browser.is_gone:
                assert self.world.viewer(name) is None
                self.nothing_came_after_the_removal(browser)
                continue
            rows = everything_shown(self.world.viewer(name))["rows"]
            missed = {(stream, seq): html for stream, seq, _, html in rows if seq > browser.began.get(stream, 0)}
            held = {(frame["stream"], frame["seq"]): frame["html"] for frame in browser.kept}
            assert held.keys() == missed.keys(), name
            # Events undone since then are drawn differently by now.
            undone = Event.objects.filter(amendments__isnull=False)
            whole = Q(pk__in=undone) | Q(index__card__in=undone.exclude(index__card=None).values("index__card"))
            amended = Event.objects.filter(whole).values_list("stream__name", "seq")
            for row in held.keys() - set(amended):
                assert standing(held[row]) == standing(missed[row]), (name, row)

    def nothing_came_after_the_removal(self, browser) -> None:
        ends = Event.objects.filter(kind="campaigns.member_removed", stream__name=TABLE).values_list("seq", flat=True)
        assert browser.last.get(TABLE, 0) < max(ends)

    def nobody_can_tell_what_was_hidden_from_them(self) -> None:
        """Compare with the twin: the same evening without the operations hidden from Iva shows her the same, byte by byte."""
        shown = everything_shown(self.world.viewer("iva"))
        transaction.savepoint_rollback(self.start)
        for operation, outcome, moment in self.world.without_hidden():
            assert self.world.do(operation, moment) == outcome, operation
        assert everything_shown(self.world.viewer("iva")) == shown


@pytest.mark.django_db
def test_everything_promised_holds_whatever_happens(monkeypatch):
    in_this_thread(monkeypatch)
    run_state_machine_as_test(Evening, settings=BOUNDED)
