from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, RuleError
from rulesets.forged.rules.body import (
    ACTIONS,
    TRAUMAS,
    Attribute,
    Strain,
    attribute,
    lowest_rating,
    pay,
    rating_of,
    resist_cost,
    resist_pool,
    strain,
)
from rulesets.forged.rules.roll import resolve
from rulesets.forged.settings import MOST_TRAUMAS, Settings
from tests.rolls.rules.refusals import NO_WORDS, refused

IVA = {"hunt": 1, "study": 2, "tinker": 1, "prowl": 3, "attune": 1, "sway": 2}


@given(st.integers(0, 8), st.integers(0, 3), st.lists(st.integers(-100, 100), max_size=20))
def test_stress_never_leaves_its_track(stress, trauma, changes):
    for change in changes:
        after = strain(stress, trauma, change)
        assert 0 <= after.stress <= 8
        assert after.trauma == trauma + after.taken_out <= 4
        if after.retired:
            assert after.trauma == 4
            return
        stress, trauma = after.stress, after.trauma


def test_the_last_box_brings_a_trauma_and_the_excess_is_lost():
    assert strain(8, 0, 1) == strain(3, 0, 100) == Strain(0, 1, taken_out=True)
    assert strain(8, 3, 1) == Strain(0, 4, taken_out=True, retired=True)
    assert strain(2, 1, -5) == Strain(0, 1)


def test_a_campaign_may_have_other_tracks():
    short = Settings(boxes=5, last_trauma=1)
    assert strain(3, 0, 1, short) == Strain(4, 0)
    assert strain(4, 0, 1, short) == Strain(0, 1, taken_out=True, retired=True)


def test_what_fills_the_track_counts_unless_the_campaign_says_otherwise():
    assert pay(7, 0, 2) == Strain(0, 1, taken_out=True)
    strict = Settings(filling_stress_counts=False)
    assert pay(6, 0, 2, strict) == Strain(8, 0)
    with pytest.raises(NotPossible) as caught:
        pay(7, 0, 2, strict)
    assert caught.value.allowed == "0 to 1"


def resist(rating, faces):
    return resist_cost(resolve(resist_pool(rating), faces))


def test_silas_resists_with_a_five_for_one_stress():
    assert resist(3, iter([5, 2, 1])) == 1


def test_resisting_costs_nothing_on_a_six_and_clears_one_on_a_critical():
    assert [resist(1, iter([face])) for face in range(1, 7)] == [5, 4, 3, 2, 1, 0]
    assert resist(2, iter([6, 6])) == -1
    assert resist(0, iter([6, 6])) == 0


def test_the_mean_stress_of_every_rating():
    means = []
    for rating in range(5):
        ways = list(product(range(1, 7), repeat=rating or 2))
        means.append(Fraction(sum(resist(rating, iter(way)) for way in ways), len(ways)))
    assert means == [Fraction(125, 36), Fraction(5, 2), Fraction(3, 2), Fraction(209, 216), Fraction(101, 162)]


def test_an_attribute_is_rated_by_its_actions_with_a_dot():
    assert [rating_of(which, IVA) for which in Attribute] == [3, 1, 2]
    assert lowest_rating(IVA) == 1
    assert lowest_rating({}) == 0
    assert attribute([0, 4, 4, 1]) == 3


def test_every_attribute_has_four_actions_and_none_is_in_two():
    assert [len(ACTIONS[which]) for which in Attribute] == [4, 4, 4]
    assert len({action for actions in ACTIONS.values() for action in actions}) == 12


def test_there_is_a_condition_for_every_trauma():
    assert len(set(TRAUMAS)) >= MOST_TRAUMAS


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_there_are_three_attributes(wrong):
    refused(lambda value: rating_of(value, IVA), "attribute", wrong)


@pytest.mark.parametrize("wrong", [None, 4, "1111", [1, 1, 1], [1] * 5, {1: 1}])
def test_four_actions_make_an_attribute(wrong):
    refused(attribute, "actions", wrong)


@pytest.mark.parametrize("wrong", [None, 4, "hunt", [1, 1, 1, 1]])
def test_ratings_are_dots_by_action(wrong):
    with pytest.raises(RuleError):
        lowest_rating(wrong)
