import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRange
from rulesets.arc.rules.check import Reaction, actions_in_turn
from rulesets.arc.settings import Settings


@pytest.mark.parametrize(("som", "last"), [(1, 1), (5, 5), (10, 10)])
def test_a_reaction_succeeds_up_to_the_som(som, last):
    assert [Reaction(som, face).success for face in range(1, 11)] == [face <= last for face in range(1, 11)]


@given(st.integers(1, 9), st.integers(1, 10))
def test_a_higher_som_never_reacts_worse(som, face):
    assert Reaction(som + 1, face).success >= Reaction(som, face).success


@pytest.mark.parametrize("value", [0, 11, True, "5", 5.0, float("nan"), None])
def test_a_reaction_takes_a_som_and_a_face_of_the_d10(value):
    for som, face in ((value, 5), (5, value)):
        with pytest.raises(OutOfRange):
            Reaction(som, face)


def test_the_es_says_how_often_one_acts():
    assert [actions_in_turn([es]) for es in range(1, 11)] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]


def test_with_different_es_the_smallest_number_counts():
    assert actions_in_turn([9, 4, 6]) == 1
    assert actions_in_turn([9, 4, 6], Settings(smallest_allowance_counts=False)) == 3


def test_a_campaign_may_have_other_numbers_of_actions():
    assert [actions_in_turn([es], Settings(actions_from=(3, 8))) for es in (2, 3, 8)] == [0, 1, 2]
