import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange
from rulesets.storyteller.rules.roll import RATING_NAMES, Pool, typed_pool
from rulesets.storyteller.sheet import ATTRIBUTE_MAXIMUM


def test_modifier_and_burn_dice_come_on_top():
    pool = Pool(dots=5, modifier=-2, extra_dice=1)
    assert (pool.dots, pool.dice) == (5, 4)


@given(st.integers(1, 11), st.integers(-100, 0), st.integers(-100, 0), st.integers(0, 10))
def test_nothing_takes_the_last_die(dots, modifier, extra_dice, wounds):
    assert Pool(dots=dots, modifier=modifier, extra_dice=extra_dice, wounds=wounds).dice >= 1


@pytest.mark.parametrize("modifier", [0, 1, 5])
def test_no_dots_are_no_pool_whatever_is_added(modifier):
    with pytest.raises(NotPossible):
        Pool(dots=0, modifier=modifier, extra_dice=1)


def test_burn_dice_cannot_lift_a_pool_over_100():
    assert typed_pool(100).dice == 100
    with pytest.raises(OutOfRange):
        typed_pool(100, extra_dice=1)


def test_more_than_ten_dice_are_beyond_a_human_and_still_rolled():
    assert not typed_pool(10).is_beyond_human
    assert typed_pool(11).is_beyond_human


def test_every_rating_of_an_attribute_has_a_name_and_none_above():
    assert list(RATING_NAMES) == list(range(ATTRIBUTE_MAXIMUM + 1))
