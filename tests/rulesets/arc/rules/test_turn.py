from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, RuleError, UnknownWord
from rulesets.arc.rules.turn import LONGEST_NAME, Declarant, Reaction, actions_in_turn, declaration_order
from rulesets.arc.settings import Settings

# Few different scores and faces, so that ties are the rule.
few = st.integers(1, 3)
crowds = st.lists(
    st.builds(
        Declarant,
        name=st.text("abcdefgh", min_size=1, max_size=3),
        som=few,
        empathy=few,
        perception=few,
        rolls=st.lists(few, max_size=2).map(tuple),
        aware=st.booleans(),
        lost_turn=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda declarant: declarant.name,
)


def someone(name="Mo", *rolls, som=5, empathy=4, perception=4, **payload):
    return Declarant(name, som, empathy, perception, rolls, **payload)


def names(declarants):
    return [declarant.name for declarant in declarants]


def equals(order):
    return [names(group) for group in order.roll_again]


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


def test_the_order_goes_up_by_som_then_empathy_then_perception_then_d10():
    order = declaration_order(
        [
            someone("e", som=6, empathy=1, perception=1),
            someone("d", 8),
            someone("c", 2),
            someone("b", perception=3),
            someone("a2", empathy=3, perception=9),
            someone("a1", som=1, empathy=9, perception=9),
        ]
    )
    assert names(order.declare) == ["a1", "a2", "b", "c", "d", "e"]
    assert order.roll_again == ()


def test_the_unaware_and_those_who_lost_the_turn_wait_for_the_next():
    order = declaration_order([someone("a", aware=False), someone("b"), someone("c", lost_turn=True)])
    assert (names(order.declare), names(order.waiting), order.roll_again) == (["b"], ["a", "c"], ())


def test_equals_roll_again_and_keep_their_dice():
    order = declaration_order([someone("a", 5), someone("b", 5), someone("c", 7)])
    assert equals(order) == [["a", "b"]]
    settled = declaration_order([someone("a", 5, 9), someone("b", 5, 2), someone("c", 7)])
    assert (names(settled.declare), settled.roll_again) == (["b", "a", "c"], ())


def test_two_ties_at_once_are_two_groups_of_equals():
    crowd = [someone("d", som=6), someone("b"), someone("a"), someone("c", som=6), someone("e", som=7)]
    order = declaration_order(crowd)
    assert equals(order) == [["a", "b"], ["c", "d"]]


def test_a_newcomer_with_the_same_d10_catches_up_alone():
    order = declaration_order([someone("a", 5, 9), someone("b", 5, 2), someone("new", 5)])
    assert equals(order) == [["new"]]
    caught_up = declaration_order([someone("a", 5, 9), someone("b", 5, 2), someone("new", 5, 4)])
    assert names(caught_up.declare) == ["b", "new", "a"]


def test_a_changed_som_moves_one_and_nobody_else():
    before = declaration_order([someone("a", som=3), someone("b", som=4), someone("c", som=5)]).declare
    after = declaration_order([before[0], before[1], replace(before[2], som=1)])
    assert names(after.declare) == ["c", "a", "b"]


def test_a_campaign_may_let_equal_dice_stand():
    settings = Settings(equal_dice_roll_again=False)
    assert declaration_order([someone("b", 5), someone("a", 5)], settings).roll_again == ()
    assert equals(declaration_order([someone("b"), someone("a")], settings)) == [["a", "b"]]


@given(crowds, st.randoms())
def test_the_order_is_total_whoever_is_named_first(crowd, random):
    assert declaration_order(crowd) == declaration_order(random.sample(crowd, len(crowd)))


@given(crowds)
def test_any_two_stand_to_each_other_as_they_do_in_the_crowd(crowd):
    declare = declaration_order(crowd).declare
    for i, first in enumerate(declare):
        for later in declare[i + 1 :]:
            assert declaration_order([later, first]).declare == (first, later)
            assert (first.som, first.empathy, first.perception) <= (later.som, later.empathy, later.perception)


@given(crowds)
def test_everybody_either_declares_or_waits(crowd):
    order = declaration_order(crowd)
    assert sorted(names((*order.declare, *order.waiting))) == sorted(names(crowd))
    rolling = [one for group in order.roll_again for one in group]
    assert rolling == [one for one in order.declare if one in rolling]
    for group in order.roll_again:
        assert len({(one.som, one.empathy, one.perception, one.rolls) for one in group}) == 1


def test_nobody_in_the_action_is_an_order_too():
    assert declaration_order([]).declare == ()


def test_two_of_one_name_cannot_be_told_apart():
    with pytest.raises(NotPossible):
        declaration_order([someone("a"), someone("a", som=2)])


def test_more_than_a_hundred_are_refused_before_they_are_all_read():
    crowd = (someone(str(number)) for number in count())
    with pytest.raises(OutOfRange):
        declaration_order(crowd)
    assert next(crowd).name == "101"


@pytest.mark.parametrize("field", ["som", "empathy", "perception"])
@pytest.mark.parametrize("value", [0, 11, True, "5", 5.0, float("nan"), None])
def test_the_keys_are_scores(field, value):
    with pytest.raises(OutOfRange) as refused:
        someone(**{field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("rolls", [(0,), (11,), (True,), ("5",), (1,) * 101])
def test_the_kept_dice_are_faces(rolls):
    with pytest.raises(OutOfRange):
        someone("a", *rolls)
    with pytest.raises(OutOfRange):
        Declarant("a", 5, 4, 4, rolls=[5])


def test_a_name_may_be_as_long_and_dice_as_many_as_there_is_room():
    assert someone("x" * LONGEST_NAME)
    assert someone("a", *[1] * 100)


@pytest.mark.parametrize("name", ["", "x" * 201, None, 5])
def test_a_name_is_needed(name):
    with pytest.raises(RuleError):
        someone(name)


@pytest.mark.parametrize("field", ["aware", "lost_turn"])
def test_awareness_is_yes_or_no(field):
    with pytest.raises(UnknownWord):
        someone(**{field: 1})
