import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange
from rulesets.storyteller.rules.pool import LIMITS, RATING_NAMES, Pool, TraitLimits, trait_pool, typed_pool


def test_a_pool_is_attribute_and_ability_together():
    assert trait_pool(attribute=3, ability=2).dice == 5


def test_without_the_ability_the_attribute_is_rolled_alone():
    assert trait_pool(attribute=3).dice == 3


def test_modifier_and_burn_dice_come_on_top():
    pool = trait_pool(attribute=3, ability=2, modifier=-2, extra_dice=1)
    assert (pool.dots, pool.dice) == (5, 4)


@given(st.integers(1, 5), st.integers(0, 6), st.integers(-100, 0), st.integers(-100, 0))
def test_nothing_takes_the_last_die(attribute, ability, modifier, extra_dice):
    assert trait_pool(attribute=attribute, ability=ability, modifier=modifier, extra_dice=extra_dice).dice >= 1


@pytest.mark.parametrize("modifier", [0, 1, 5])
def test_no_dots_are_no_pool_whatever_is_added(modifier):
    with pytest.raises(NotPossible):
        trait_pool(attribute=0, modifier=modifier, extra_dice=1)


@pytest.mark.parametrize(("attribute", "ability"), [(6, 0), (3, 7)])
def test_ratings_stay_inside_their_limits(attribute, ability):
    with pytest.raises(OutOfRange):
        trait_pool(attribute=attribute, ability=ability)


def test_a_campaign_may_know_higher_ratings():
    assert trait_pool(attribute=8, ability=7, limits=TraitLimits(attribute=10, ability=10)).dice == 15
    assert (LIMITS.attribute, LIMITS.ability) == (5, 6)


def test_burn_dice_cannot_lift_a_pool_over_100():
    assert typed_pool(100).dice == 100
    with pytest.raises(OutOfRange):
        typed_pool(100, extra_dice=1)


def test_more_than_ten_dice_are_beyond_a_human_and_still_rolled():
    assert not typed_pool(10).is_beyond_human
    assert typed_pool(11).is_beyond_human


@pytest.mark.parametrize("dots", [1, 5])
def test_dots_without_an_ability_are_one_pool_wherever_they_come_from(dots):
    assert trait_pool(attribute=dots) == typed_pool(dots) == Pool(dots=dots)
    assert typed_pool(dots).ability == 0


def test_every_rating_of_an_attribute_has_a_name_and_none_above():
    assert list(RATING_NAMES) == list(range(LIMITS.attribute + 1))
