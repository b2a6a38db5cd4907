import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.forged.rules.body import Strain
from rulesets.forged.rules.downtime import (
    Downtime,
    Indulged,
    activities,
    activity_pool,
    downtime,
    ignore_vice,
    vice,
    vice_pool,
)
from rulesets.forged.rules.roll import Result
from tests.rolls.rules.refusals import NO_BOOLS, NO_NUMBERS, NO_WORDS, refused

TICKING = [Downtime.PROJECT, Downtime.RECOVER, Downtime.HEAT]


def test_two_activities_one_at_war_and_more_for_coin_or_rep():
    assert activities().total == 2
    assert activities(war=True).total == 1
    bought = activities(war=True, coin=2, rep=1)
    assert (bought.free, bought.coin, bought.rep, bought.total) == (1, 2, 1, 4)


def test_a_friend_and_a_push_add_a_die_each():
    assert activity_pool(2).dice == 2
    assert activity_pool(2, friend=True, push=True).dice == 4
    assert activity_pool(0).lowest


@pytest.mark.parametrize("kind", TICKING)
def test_projects_recovery_and_heat_go_by_one_two_three_and_five(kind):
    assert [downtime(kind, result) for result in Result] == [1, 2, 3, 5]


@pytest.mark.parametrize("kind", TICKING)
def test_a_coin_makes_the_result_one_better_up_to_critical(kind):
    assert [downtime(kind, Result.BAD, coin=coin) for coin in range(5)] == [1, 2, 3, 5, 5]


def test_an_asset_is_of_the_crews_tier_more_or_less():
    assert [downtime(Downtime.ACQUIRE, result, tier=2) for result in Result] == [1, 2, 3, 4]
    assert downtime(Downtime.ACQUIRE, Result.BAD, tier=0) == 0
    assert [downtime(Downtime.ACQUIRE, Result.CRITICAL, tier=1, coin=coin) for coin in range(5)] == [3, 3, 4, 4, 5]


def test_training_is_worth_one_xp_however_it_goes():
    assert {downtime(Downtime.TRAIN, result, coin=1) for result in Result} == {1}


@given(st.sampled_from(Downtime), st.sampled_from(Result), st.integers(0, 99), st.integers(0, 6))
def test_more_coin_never_makes_it_worse(kind, result, coin, tier):
    assert downtime(kind, result, coin=coin + 1, tier=tier) >= downtime(kind, result, coin=coin, tier=tier) >= 0


def test_a_vice_is_rolled_with_the_lowest_attribute():
    assert vice_pool({"hunt": 1, "prowl": 2, "wreck": 1, "sway": 1, "command": 1}).dice == 1
    assert vice_pool({"hunt": 4}).lowest


def test_a_die_above_the_stress_overindulges():
    assert vice(3, 5) == Indulged(0, 3, overindulged=True)
    assert vice(5, 5) == Indulged(0, 5, overindulged=False)


@given(st.integers(0, 9), st.integers(1, 6))
def test_a_vice_clears_what_is_there_and_no_more(stress, value):
    indulged = vice(stress, value)
    assert (indulged.stress >= 0, indulged.stress + indulged.cleared) == (True, stress)
    assert indulged.overindulged == (value > stress)


def test_an_ignored_vice_costs_stress_for_each_trauma_and_may_bring_another():
    assert ignore_vice(2, 0) == Strain(2, 0)
    assert ignore_vice(2, 3) == Strain(5, 3)
    assert ignore_vice(7, 2) == Strain(0, 3, taken_out=True)


@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=lambda wrong: type(wrong).__name__)
def test_numbers_are_checked(wrong):
    refused(lambda value: activities(coin=value), "coin", wrong)
    refused(lambda value: activities(rep=value), "rep", wrong)
    refused(activity_pool, "rating", wrong)
    refused(lambda value: downtime(Downtime.HEAT, Result.BAD, coin=value), "coin", wrong)
    refused(lambda value: downtime(Downtime.HEAT, Result.BAD, tier=value), "tier", wrong)
    refused(lambda value: vice(value, 1), "stress", wrong)
    refused(lambda value: vice(1, value), "dice", wrong)
    refused(lambda value: ignore_vice(value, 0), "stress", wrong)
    refused(lambda value: ignore_vice(0, value), "trauma", wrong)


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: downtime(value, Result.BAD), "kind", wrong)
    refused(lambda value: downtime(Downtime.HEAT, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_choices_are_checked(wrong):
    refused(lambda value: activities(war=value), "war", wrong)
    refused(lambda value: activity_pool(1, friend=value), "friend", wrong)
    refused(lambda value: activity_pool(1, push=value), "push", wrong)
