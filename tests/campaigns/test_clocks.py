import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.clocks import Clock, ClockKind, End, tick
from campaigns.errors import Invalid
from tests.answers import refusal

ticks = st.integers(-12, 12).filter(bool)


@st.composite
def clocks(draw, kinds=tuple(ClockKind)):
    segments = draw(st.integers(2, 12))
    return Clock(draw(st.sampled_from(kinds)), segments, draw(st.integers(0, segments)))


# A clock, by how much it is ticked; where it stands then, whether that filled it, and what was lost; how it ended; its rounds.
TICKED = {
    "a tick says what it came to": ((ClockKind.DANGER, 6, 2), 2, (4, False, 0, None, 0)),
    "the tick that fills a clock says so and what was lost": (
        (ClockKind.PROGRESS, 8, 6),
        3,
        (8, True, 1, End.FULL, 1),
    ),
    "a full clock is not filled again": ((ClockKind.PROGRESS, 4, 4), 1, (4, False, 1, None, 0)),
    "unticking stops at empty": ((ClockKind.PROGRESS, 4, 1), -2, (0, False, 0, None, 0)),
    "a tug of war ends when it is empty": ((ClockKind.TUG, 4, 2), -2, (0, False, 0, End.EMPTY, 0)),
    "a tug of war ends when it is full": ((ClockKind.TUG, 4, 2), 2, (4, True, 0, End.FULL, 1)),
    "a tug of war goes on in between": ((ClockKind.TUG, 4, 2), 1, (3, False, 0, None, 0)),
    "a healing clock rolls over": ((ClockKind.HEALING, 4, 3), 1, (0, True, 0, End.FULL, 1)),
    "a healing clock keeps what is left": ((ClockKind.HEALING, 4, 3), 3, (2, True, 0, End.FULL, 1)),
    "a healing clock rolls over several times": ((ClockKind.HEALING, 4, 3), 12, (3, True, 0, End.FULL, 3)),
    "a healing clock is unticked like any other": ((ClockKind.HEALING, 4, 3), -2, (1, False, 0, None, 0)),
}


@pytest.mark.parametrize("what", TICKED)
def test_a_tick_says_what_it_did(what):
    clock, by, came = TICKED[what]
    ticked = tick(Clock(*clock), by)
    assert (ticked.after, ticked.filled, ticked.overflow, ticked.end, ticked.rounds) == came
    assert ticked.before == clock[2]


@given(clocks(), ticks)
def test_no_tick_leaves_the_clock_and_none_is_lost(clock, by):
    ticked = tick(clock, by)
    assert 0 <= ticked.after <= clock.segments
    beyond = ticked.rounds * clock.segments if clock.kind is ClockKind.HEALING else ticked.overflow
    assert by < 0 or ticked.before + by == ticked.after + beyond


@pytest.mark.parametrize("by", [0, 13, -13, True, 1.0, "1", 10**9])
def test_ticks_that_are_none_are_refused(by):
    assert refusal(Invalid, tick, Clock(ClockKind.PROGRESS, 4), by).field == "ticks"


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ((ClockKind.PROGRESS, 1), "segments"),
        ((ClockKind.PROGRESS, 13), "segments"),
        ((ClockKind.PROGRESS, True), "segments"),
        ((ClockKind.PROGRESS, 4, 5), "filled"),
        ((ClockKind.PROGRESS, 4, -1), "filled"),
        (("doom", 4), "kind"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(clock, field):
    assert refusal(Invalid, Clock, *clock).field == field
