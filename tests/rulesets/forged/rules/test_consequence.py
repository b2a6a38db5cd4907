from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, RuleError
from rulesets.forged.rules.action import FATAL, HARM_SLOTS, Inflicted, Resisting, harm_row, heal
from tests.answers import refusal

rows = st.fixed_dictionaries({row: st.integers(0, slots) for row, slots in HARM_SLOTS.items()})
NO_ROWS = [{4: 1}, {0: 1}, {-1: 0}, {"1": 1}, {1.0: 1}, {True: 1}, {None: 0}, {10**4000: 1}]


def test_a_full_row_moves_a_harm_up_until_none_is_left():
    assert harm_row({}, 1) == harm_row({1: 1}, 1) == 1
    assert harm_row({1: 2}, 1) == 2
    assert harm_row({2: 2}, 2) == 3
    assert harm_row({1: 2, 2: 2, 3: 1}, 1) == harm_row({3: 1}, 3) == harm_row({}, 4) == FATAL


@given(rows, st.integers(1, 4))
def test_a_harm_goes_where_there_is_room_and_never_down(taken, level):
    row = harm_row(taken, level)
    assert level <= row <= FATAL
    assert row == FATAL or taken[row] < HARM_SLOTS[row]
    assert all(taken[below] == HARM_SLOTS[below] for below in range(level, row))


def test_a_full_healing_clock_brings_every_harm_down_and_rolls_over():
    assert heal({1: 1, 2: 2, 3: 1}, healing=3, ticks=3) == (2, 1)


def test_the_clock_may_go_round_more_than_once():
    assert heal({3: 1}, healing=3, ticks=5) == (0, 2)


def test_what_is_over_is_of_no_use_once_all_harm_is_gone():
    assert heal({1: 2}, healing=2, ticks=3)[0] == 0


def test_nobody_heals_without_harm():
    for taken in ({}, {1: 0, 2: 0}):
        with pytest.raises(NotPossible):
            heal(taken, 0, 1)


@given(rows.filter(lambda taken: any(taken.values())), st.integers(0, 3), st.integers(1, 12))
def test_healing_never_leaves_its_clock(taken, healing, ticks):
    after, down = heal(taken, healing, ticks)
    assert 0 <= after <= 3
    if any(held and row > down for row, held in taken.items()):
        assert down * 4 + after == healing + ticks
    else:
        assert after == 0


@pytest.mark.parametrize("wrong", NO_ROWS, ids=lambda wrong: type(next(iter(wrong))).__name__)
def test_rows_are_one_two_and_three(wrong):
    for call in (lambda taken: harm_row(taken, 1), lambda taken: heal(taken, 0, 1)):
        caught = refusal(RuleError, call, wrong)
        assert (caught.field, caught.allowed) == ("row", "1 to 3")


def wound(severity: int = 3, **given: Any) -> Inflicted:
    return Inflicted(id="c1", code="harm_3", severity=severity, whom="silas", words="Gut-stabbed", **given)


@pytest.mark.parametrize(
    ("there", "given", "by", "left"),
    [
        (3, {}, [1, 1], 1),
        (3, {}, [2], 1),
        (3, {"resisting": Resisting.AVOIDS}, [1], 0),
        (1, {}, [2], 0),
    ],
    ids=["resisted and armoured", "an alert clock ticks once", "avoided", "never below nothing"],
)
def test_resisting_and_armour_lessen_the_same_consequence(there, given, by, left):
    one = wound(there, **given)
    for less in by:
        one.lessen(less)
    assert one.severity == left
