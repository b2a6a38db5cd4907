from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.second_opinion import versus
from rules.errors import OutOfRange
from rulesets.descriptors.odds import opposed
from rulesets.descriptors.rules.contest import Side, oppose
from rulesets.descriptors.settings import DEFAULTS, Settings
from tests.answers import refusal


def pools(dice, sides):
    """Yield every pool without regard to order, and how many rolls show it."""
    for faces in combinations_with_replacement(range(1, sides + 1), dice):
        yield faces, factorial(dice) // prod(map(factorial, Counter(faces).values()))


def by_enumeration(a, b, settings=DEFAULTS):
    """Return the chances from every pool against every other, judged by the rules themselves."""
    chances = Counter()
    for ours, ways in pools(a, settings.sides):
        for theirs, others in pools(b, settings.sides):
            outcome = oppose(ours, theirs, settings)
            chances[outcome.winner, outcome.successes] += Fraction(ways * others, settings.sides ** (a + b))
    return chances


def as_counter(odds):
    found = Counter({(Side.A, k): chance for k, chance in odds.successes_a.items()})
    found.update({(Side.B, k): chance for k, chance in odds.successes_b.items()})
    return found + Counter({(None, 0): odds.stalemate})


@pytest.mark.parametrize(("a", "b"), [(0, 0), (0, 2), (1, 0), (1, 1), (2, 1), (2, 2), (1, 4), (3, 2)])
def test_the_odds_are_those_of_every_pair_of_rolls(a, b):
    assert as_counter(opposed(a, b)) == by_enumeration(a, b)


@pytest.mark.parametrize(("a", "b", "sides"), [(4, 4, 4), (5, 3, 4), (2, 5, 3), (6, 6, 2), (3, 2, 12)])
def test_they_hold_for_dice_with_other_sides(a, b, sides):
    settings = Settings(sides=sides)
    assert as_counter(opposed(a, b, settings)) == by_enumeration(a, b, settings)


@pytest.mark.parametrize(("a", "b"), [*product(range(1, 6), repeat=2), (8, 3), (4, 9), (10, 10)])
def test_icepool_agrees_on_the_table_of_pools(a, b):
    """The second opinion counts faces from the top, die by die."""
    assert as_counter(opposed(a, b)) == versus(a, b)


@given(st.integers(0, 25), st.integers(0, 25))
def test_the_two_sides_mirror_each_other_and_all_adds_up(a, b):
    odds, mirrored = opposed(a, b), opposed(b, a)
    assert odds.successes_a == mirrored.successes_b
    assert odds.win + odds.lose + odds.stalemate == 1
    assert a == b or odds.stalemate == 0


@pytest.mark.parametrize("b", [0, 3, 10])
def test_another_die_never_makes_winning_less_likely(b):
    wins = [opposed(a, b).win for a in range(13)]
    assert wins == sorted(wins)


def test_a_hundred_dice_against_a_hundred_have_odds_too():
    odds = opposed(100, 100)
    assert odds.win == odds.lose > Fraction(499, 1000)
    assert max(odds.successes_a) == 100


@pytest.mark.parametrize("count", [-1, 101, 10**9, True, 3.0, "3", None, float("nan")])
def test_pools_that_cannot_be_are_refused_on_either_side(count):
    opposed(1, 1), opposed(3, 3)  # equal to True and 3.0 for a cache
    assert refusal(OutOfRange, opposed, count, 3).field == "a"
    assert refusal(OutOfRange, opposed, 3, count).field == "b"


def test_a_campaign_without_empty_pools_has_no_odds_for_them():
    with pytest.raises(OutOfRange):
        opposed(0, 3, Settings(fewest_dice=1))
