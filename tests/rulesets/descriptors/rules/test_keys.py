import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.descriptors.rules.keys import (
    XP,
    Change,
    KeyKind,
    Level,
    check_level,
    cost,
    cost_from_scratch,
    xp_of,
)
from rulesets.descriptors.settings import Settings


def test_each_level_is_worth_what_the_frameworks_say():
    dramatic = {Level.INVOLVED: 1, Level.CHALLENGED: 2, Level.PROGRESSES: 5, Level.BUYOFF: 10}
    motivation = {Level.EXPRESSED: 1, Level.AT_A_PRICE: 3, Level.BUYOFF: 10}
    for kind, levels in ((KeyKind.DRAMATIC, dramatic), (KeyKind.MOTIVATION, motivation)):
        assert {level: xp_of(kind, level) for level in levels} == levels


def test_a_level_of_one_key_counts_once_in_a_scene():
    check_level(Level.INVOLVED, [Level.CHALLENGED, Level.PROGRESSES])
    with pytest.raises(NotPossible):
        check_level(Level.INVOLVED, [Level.CHALLENGED, Level.INVOLVED])
    check_level(Level.INVOLVED, [Level.INVOLVED], Settings(levels_once_per_scene=False))


@pytest.mark.parametrize("level", [level for level in Level if level not in XP[KeyKind.MOTIVATION]])
def test_a_kind_of_key_knows_its_own_levels_only(level):
    with pytest.raises(UnknownWord):
        xp_of(KeyKind.MOTIVATION, level)


@pytest.mark.parametrize("change", [Change.NEW, Change.PROMOTE, Change.RETIRE, Change.NEW_KEY])
def test_a_new_thing_or_a_move_costs_1(change):
    assert cost(change) == 1


@pytest.mark.parametrize("change", [Change.RAISE, Change.LOWER])
def test_raising_and_lowering_cost_the_rating_they_start_from(change):
    assert [cost(change, rating) for rating in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(OutOfRange):
        cost(change)


def test_a_1d_is_not_lowered_but_retired():
    with pytest.raises(OutOfRange):
        cost(Change.LOWER, 1)


@given(st.integers(1, 100))
def test_from_scratch_is_a_new_one_raised_step_by_step(rating):
    assert cost_from_scratch(rating) == cost(Change.NEW) + sum(cost(Change.RAISE, step) for step in range(1, rating))
