import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.body import strain
from rulesets.forged.rules.roll import Result
from rulesets.forged.rules.score import (
    MOST_EXTRA_STRESS,
    Flashback,
    Load,
    Payoff,
    Take,
    engagement,
    engagement_pool,
    flashback,
    load,
    payoff,
)
from tests.rolls.rules.refusals import NO_WORDS, refused


def test_an_engagement_is_one_die_and_what_speaks_for_or_against():
    assert engagement_pool().dice == 1
    assert engagement_pool(advantages=2, disadvantages=1).dice == 2
    assert engagement_pool(disadvantages=2).lowest


def test_the_better_the_engagement_the_better_the_position():
    assert [engagement(result) for result in Result] == [*reversed(Position), None]


def test_what_is_carried_has_a_name():
    names = [load(items) for items in range(10)]
    assert names == [Load.LIGHT] * 4 + [Load.NORMAL] * 2 + [Load.HEAVY] + [Load.ENCUMBERED] * 3


def test_a_flashback_costs_more_the_more_it_asks():
    assert [flashback(kind) for kind in Flashback] == [0, 1, 2]
    assert flashback(Flashback.ELABORATE, extra=2) == 4
    with pytest.raises(NotPossible):
        flashback(Flashback.COMPLEX, extra=1)


def test_a_stronger_target_pays_more_and_a_weak_one_nothing():
    assert payoff(1, 3, Take.STANDARD) == Payoff(rep=4, coin=6)
    assert payoff(5, 1, Take.MINOR) == Payoff(rep=0, coin=2)
    assert [payoff(0, 0, take).coin for take in Take] == [2, 4, 6, 8, 10]


def test_only_a_major_haul_is_worth_more():
    assert payoff(0, 0, Take.MAJOR, extra=5).coin == 15
    with pytest.raises(NotPossible):
        payoff(0, 0, Take.BIG, extra=1)


@given(st.integers(0, 6), st.integers(0, 6))
def test_rep_stays_in_its_range(tier, target):
    assert 0 <= payoff(tier, target, Take.SMALL).rep <= 8


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(engagement, "result", wrong)
    refused(flashback, "kind", wrong)
    refused(lambda value: payoff(0, 0, value), "take", wrong)


def test_a_flashback_asks_for_the_whole_stress_track_at_most():
    dearest = flashback(Flashback.ELABORATE, extra=MOST_EXTRA_STRESS)
    assert strain(0, 0, dearest).taken_out
    assert not strain(0, 0, dearest - 1).taken_out
    with pytest.raises(OutOfRange):
        flashback(Flashback.ELABORATE, extra=MOST_EXTRA_STRESS + 1)
