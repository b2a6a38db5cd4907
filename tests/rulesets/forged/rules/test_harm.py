import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, RuleError
from rulesets.forged.rules.harm import FATAL, HARM_SLOTS, harm_row, heal, record

rows = st.fixed_dictionaries({row: st.integers(0, slots) for row, slots in HARM_SLOTS.items()})
NO_ROWS = [{4: 1}, {0: 1}, {-1: 0}, {"1": 1}, {1.0: 1}, {True: 1}, {None: 0}, {10**4000: 1}]


def test_a_full_row_moves_a_harm_up_until_none_is_left():
    assert harm_row({}, 1) == harm_row({1: 1}, 1) == 1
    assert harm_row({1: 2}, 1) == 2
    assert harm_row({2: 2}, 2) == 3
    assert harm_row({1: 2, 2: 2, 3: 1}, 1) == harm_row({3: 1}, 3) == harm_row({}, 4) == FATAL


@given(rows, st.lists(st.integers(1, 4), max_size=10))
def test_harm_never_leaves_its_rows_and_none_gets_lost(taken, levels):
    for level in levels:
        recorded = record(taken, level)
        assert recorded.row >= level
        assert all(0 <= recorded.taken[row] <= slots for row, slots in HARM_SLOTS.items())
        assert sum(recorded.taken.values()) == sum(taken.values()) + (not recorded.fatal)
        assert recorded.healing == 0
        taken = recorded.taken


def test_a_full_healing_clock_brings_every_harm_down_and_rolls_over():
    healed = heal({1: 1, 2: 2, 3: 1}, healing=3, ticks=3)
    assert (healed.healing, healed.levels_down) == (2, 1)
    assert dict(healed.taken) == {1: 2, 2: 1, 3: 0}


def test_the_clock_may_go_round_more_than_once():
    healed = heal({3: 1}, healing=3, ticks=5)
    assert (healed.healing, healed.levels_down, dict(healed.taken)) == (0, 2, {1: 1, 2: 0, 3: 0})


def test_what_is_over_is_of_no_use_once_all_harm_is_gone():
    healed = heal({1: 2}, healing=2, ticks=3)
    assert (healed.healing, sum(healed.taken.values())) == (0, 0)


def test_nobody_heals_without_harm():
    for taken in ({}, {1: 0, 2: 0}):
        with pytest.raises(NotPossible):
            heal(taken, 0, 1)


@given(rows.filter(lambda taken: any(taken.values())), st.integers(0, 3), st.integers(1, 12))
def test_healing_never_leaves_its_clock_nor_the_rows(taken, healing, ticks):
    healed = heal(taken, healing, ticks)
    assert 0 <= healed.healing <= 3
    assert all(0 <= healed.taken[row] <= slots for row, slots in HARM_SLOTS.items())
    if any(healed.taken.values()):
        assert healed.levels_down * 4 + healed.healing == healing + ticks


@pytest.mark.parametrize("wrong", NO_ROWS, ids=lambda wrong: type(next(iter(wrong))).__name__)
def test_rows_are_one_two_and_three(wrong):
    for call in (lambda taken: harm_row(taken, 1), lambda taken: heal(taken, 0, 1)):
        with pytest.raises(RuleError) as caught:
            call(wrong)
        assert (caught.value.field, caught.value.allowed) == ("row", "1 to 3")
