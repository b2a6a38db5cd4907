import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.clocks import Clock, ClockKind, End, tick
from campaigns.errors import Invalid

ticks = st.integers(-12, 12).filter(bool)


@st.composite
def clocks(draw, kinds=tuple(ClockKind)):
    segments = draw(st.integers(2, 12))
    return Clock(draw(st.sampled_from(kinds)), segments, draw(st.integers(0, segments)))


def test_a_tick_says_before_and_after():
    ticked = tick(Clock(ClockKind.DANGER, 6, 2), 2)
    assert (ticked.before, ticked.after, ticked.filled, ticked.overflow) == (2, 4, False, 0)


def test_the_tick_that_fills_a_clock_says_so_and_what_was_lost():
    ticked = tick(Clock(ClockKind.PROGRESS, 8, 6), 3)
    assert (ticked.after, ticked.filled, ticked.overflow, ticked.clock.is_full) == (8, True, 1, True)


def test_a_full_clock_is_not_filled_again():
    ticked = tick(Clock(ClockKind.PROGRESS, 4, 4), 1)
    assert (ticked.after, ticked.filled, ticked.overflow) == (4, False, 1)


def test_unticking_stops_at_empty():
    ticked = tick(Clock(ClockKind.PROGRESS, 4, 1), -2)
    assert (ticked.after, ticked.end) == (0, None)


@pytest.mark.parametrize(("by", "end"), [(-2, End.EMPTY), (2, End.FULL), (1, None)])
def test_a_tug_of_war_ends_at_either_side(by, end):
    assert tick(Clock(ClockKind.TUG, 4, 2), by).end is end


@pytest.mark.parametrize(("by", "after", "rounds"), [(1, 0, 1), (3, 2, 1), (12, 3, 3), (-2, 1, 0)])
def test_a_healing_clock_rolls_over(by, after, rounds):
    ticked = tick(Clock(ClockKind.HEALING, 4, 3), by)
    assert (ticked.after, ticked.rounds, ticked.filled, ticked.overflow) == (after, rounds, rounds > 0, 0)


@given(clocks(), ticks)
def test_no_tick_leaves_the_clock(clock, by):
    assert 0 <= tick(clock, by).after <= clock.segments


@given(clocks([kind for kind in ClockKind if kind is not ClockKind.HEALING]), st.integers(1, 12))
def test_nothing_overflows_silently(clock, by):
    ticked = tick(clock, by)
    assert ticked.before + by == ticked.after + ticked.overflow


@given(clocks([ClockKind.HEALING]), st.integers(1, 12))
def test_a_healing_clock_loses_nothing(clock, by):
    ticked = tick(clock, by)
    assert ticked.before + by == ticked.after + ticked.rounds * clock.segments


@pytest.mark.parametrize("by", [0, 13, -13, True, 1.0, "1", 10**9])
def test_ticks_that_are_none_are_refused(by):
    with pytest.raises(Invalid) as refused:
        tick(Clock(ClockKind.PROGRESS, 4), by)
    assert refused.value.field == "ticks"


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
    with pytest.raises(Invalid) as refused:
        Clock(*clock)
    assert refused.value.field == field
