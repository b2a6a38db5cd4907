import pytest

from rules.errors import NotPossible
from rulesets.forged.rules import MOST_TRAUMAS, Settings, resolve
from rulesets.forged.rules.action import ACTIONS, Attribute, check_payment, resist_cost, resist_pool
from rulesets.forged.sheet import TRAUMAS
from tests.answers import refusal

STRICT = Settings(filling_stress_counts=False)


def test_what_fills_the_track_counts_unless_the_campaign_says_otherwise():
    check_payment(7, 2)
    check_payment(6, 2, STRICT)
    for stress, cost, most in ((7, 2, 1), (8, 1, 0), (9, 2, 0)):
        assert refusal(NotPossible, check_payment, stress, cost, STRICT).allowed == f"0 to {most}"


@pytest.mark.parametrize("stress", [8, 9])
def test_what_costs_nothing_needs_no_room(stress):
    check_payment(stress, 0, STRICT)


def test_a_campaign_may_have_a_shorter_track():
    short = Settings(boxes=5, filling_stress_counts=False)
    check_payment(2, 2, short)
    with pytest.raises(NotPossible):
        check_payment(3, 2, short)


def resist(rating, faces):
    return resist_cost(resolve(resist_pool(rating), faces))


def test_resisting_costs_nothing_on_a_six_and_clears_one_on_a_critical():
    assert [resist(1, iter([face])) for face in range(1, 7)] == [5, 4, 3, 2, 1, 0]
    assert resist(2, iter([6, 6])) == -1
    assert resist(0, iter([6, 6])) == 0


def test_every_attribute_has_four_actions_and_none_is_in_two():
    assert [len(ACTIONS[which]) for which in Attribute] == [4, 4, 4]
    assert len({action for actions in ACTIONS.values() for action in actions}) == 12


def test_there_is_a_condition_for_every_trauma():
    assert len(set(TRAUMAS)) >= MOST_TRAUMAS
