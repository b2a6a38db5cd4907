import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible
from rulesets.forged.rules import Result
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.downtime import Score, Take, engagement, payoff
from tests.rules.refusals import NO_WORDS, refused


def test_the_better_the_engagement_the_better_the_position():
    assert [engagement(result) for result in Result] == [*reversed(Position), None]


def test_a_stronger_target_pays_more_and_a_weak_one_nothing():
    assert payoff(1, 3, Take.STANDARD) == Score(rep=4, coin=6)
    assert payoff(5, 1, Take.MINOR) == Score(rep=0, coin=2)
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
    refused(lambda value: payoff(0, 0, value), "take", wrong)
