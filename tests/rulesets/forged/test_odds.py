from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from bench import second_opinion
from rules.dice import mean
from rules.errors import OutOfRange
from rulesets.forged.odds import group, opposed_fortune, resistance_stress, results
from rulesets.forged.rules import ORDER, Pool, Result, resolve
from rulesets.forged.rules.action import resist_cost, resist_pool
from tests.answers import refusal


def rolls(dice):
    """Return every roll of the pool, judged by the rules themselves."""
    pool = Pool(dice)
    return [resolve(pool, iter(faces)) for faces in product(range(1, 7), repeat=pool.rolled)]


def shares(happened):
    """Return the chance of each of these equally likely results."""
    counted = Counter(happened)
    return {what: Fraction(ways, counted.total()) for what, ways in counted.items()}


def that_come(odds):
    return {what: chance for what, chance in odds.items() if chance}


@pytest.mark.parametrize("dice", [-3, 0, 1, 2, 3, 4, 5])
def test_the_results_are_those_of_every_roll(dice):
    assert that_come(results(dice)) == shares(outcome.result for outcome in rolls(dice))


@pytest.mark.parametrize("dice", [-100, 0, 1])
def test_all_four_results_are_named_where_a_critical_cannot_come(dice):
    assert list(results(dice)) == list(Result)
    assert results(dice)[Result.CRITICAL] == 0


@pytest.mark.parametrize("dice", [*range(1, 11), 40])
def test_icepool_agrees(dice):
    assert that_come(results(dice)) == second_opinion.forged(dice)


def test_the_known_figures_come_out():
    assert [results(dice)[Result.BAD] for dice in range(5)] == [
        Fraction(text) for text in ["3/4", "1/2", "1/4", "1/8", "1/16"]
    ]
    critical = [results(dice)[Result.CRITICAL] for dice in range(5)]
    assert critical == [0, 0, Fraction(1, 36), Fraction(2, 27), Fraction(19, 144)]
    stress = [mean(resistance_stress(dice)) for dice in range(5)]
    assert stress == [Fraction(text) for text in ["125/36", "5/2", "3/2", "209/216", "101/162"]]


@pytest.mark.parametrize("rating", range(5))
def test_the_stress_of_resisting_is_that_of_every_roll(rating):
    every = product(range(1, 7), repeat=max(rating, 1) + (rating == 0))
    assert resistance_stress(rating) == shares(
        resist_cost(resolve(resist_pool(rating), iter(faces))) for faces in every
    )


@pytest.mark.parametrize(("dice", "cohorts"), [([2], []), ([1, 0], []), ([2, 1, 1], []), ([1, 1], [2]), ([], [1, -2])])
def test_a_group_is_every_roll_of_every_member(dice, cohorts):
    every = list(product(*(rolls(count) for count in [*dice, *cohorts])))
    odds = group(dice, cohorts)
    assert that_come(odds.results) == shares(
        max((outcome.result for outcome in rolled), key=ORDER.index) for rolled in every
    )
    misses = [[outcome.result is Result.BAD for outcome in rolled[: len(dice)]] for rolled in every]
    assert odds.stress == shares(sum(those) for those in misses)


def test_the_order_of_a_group_does_not_matter():
    assert group([3, 1, 2], [0, 4]) == group((2, 3, 1), (4, 0))


def test_the_largest_group_still_adds_up():
    odds = group([100] * 60, [100] * 40)
    assert sum(odds.results.values()) == sum(odds.stress.values()) == 1


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 0), (0, 3), (-1, 2)])
def test_opposed_fortune_is_every_pair_of_rolls(a, b):
    levels = [[ORDER.index(outcome.result) for outcome in rolls(dice)] for dice in (a, b)]
    every = shares((ours > theirs) - (ours < theirs) for ours, theirs in product(*levels))
    odds = opposed_fortune(a, b)
    assert {1: odds.a, -1: odds.b, 0: odds.equal} == every


@pytest.mark.parametrize("dice", [101, -101, 10**9, -(10**9), True, 2.0, "2", None, float("nan")])
def test_pools_that_cannot_be_are_refused(dice):
    results(1), results(2), resistance_stress(1), resistance_stress(2)  # equal to True and 2.0 for a cache
    for ask in (results, resistance_stress, lambda pool: opposed_fortune(1, pool), lambda pool: group([pool])):
        assert refusal(OutOfRange, ask, dice).field == "pool"


@pytest.mark.parametrize("dice", [[], [1] * 101, range(10**9), None, 5, "12"])
def test_groups_that_cannot_be_are_refused(dice):
    assert refusal(OutOfRange, group, dice).field == "rolls"


def test_the_odds_of_every_pool_are_kept():
    first, again = ([(results(dice), resistance_stress(dice)) for dice in range(-100, 101)] for _ in range(2))
    assert all(a is b for one, other in zip(first, again, strict=True) for a, b in zip(one, other, strict=True))
