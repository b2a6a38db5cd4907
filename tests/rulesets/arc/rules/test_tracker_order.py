"""The order of declaration: by SOM, Empathy, Perception, then the d10 (arc.txt, V.6)."""

from hypothesis import given
from hypothesis import strategies as st

from rulesets.arc.rules.tracker import Mind, Participant, Reaction, Turns
from rulesets.arc.settings import DEFAULTS, Settings

# Few different scores and faces, so that ties are the rule.
few = st.integers(1, 3)
crowds = st.lists(
    st.builds(
        Participant,
        key=st.text("abcdefgh", min_size=1, max_size=3),
        name=st.sampled_from(["Mo", "Iva"]),
        som=few,
        empathy=few,
        perception=few,
        rolls=st.lists(few, max_size=2),
        mind=st.sampled_from([Mind.AWARE, Mind.SURPRISED]),
    ),
    max_size=12,
    unique_by=lambda one: one.key,
)


def someone(key, *rolls, som=5, empathy=4, perception=4, mind=Mind.AWARE):
    return Participant(key=key, name=key, som=som, empathy=empathy, perception=perception, rolls=[*rolls], mind=mind)


def fight(*crowd, **values):
    event = Turns(participants=[one.model_copy(deep=True) for one in crowd], **values)
    event.arrange()
    return event


def equals(event, *, again=True):
    return [
        [one.key for one in group]
        for group in event.equals(DEFAULTS if again else Settings(equal_dice_roll_again=False))
    ]


def declaring(event):
    return [one.key for one in event.participants if event.takes_part(one)]


def test_the_order_goes_up_by_som_then_empathy_then_perception_then_d10():
    event = fight(
        someone("e", som=6, empathy=1, perception=1),
        someone("d", 8),
        someone("c", 2),
        someone("b", perception=3),
        someone("a2", empathy=3, perception=9),
        someone("a1", som=1, empathy=9, perception=9),
    )
    assert declaring(event) == ["a1", "a2", "b", "c", "d", "e"]
    assert equals(event) == []


def test_the_unaware_and_those_who_lost_the_turn_stand_after_the_others():
    lost = Reaction(part="1", key="c", occasion="ambushed", made=True, held=False)
    event = fight(someone("a", mind=Mind.SURPRISED), someone("b", som=9), someone("c"), checks=[lost])
    assert [one.key for one in event.participants] == ["b", "a", "c"]
    assert (declaring(event), equals(event)) == (["b"], [])


def test_a_newcomer_with_the_same_d10_catches_up_alone():
    assert equals(fight(someone("a", 5, 9), someone("b", 5, 2), someone("new", 5))) == [["new"]]
    assert declaring(fight(someone("a", 5, 9), someone("b", 5, 2), someone("new", 5, 4))) == ["b", "new", "a"]


@given(crowds, st.randoms())
def test_the_order_is_total_whoever_is_named_first(crowd, random):
    assert fight(*crowd) == fight(*random.sample(crowd, len(crowd)))


@given(crowds)
def test_any_two_stand_to_each_other_as_they_do_in_the_crowd(crowd):
    event = fight(*crowd)
    declare = [event.found(key) for key in declaring(event)]
    for i, first in enumerate(declare):
        for later in declare[i + 1 :]:
            assert declaring(fight(later, first)) == [first.key, later.key]
            assert (first.som, first.empathy, first.perception) <= (later.som, later.empathy, later.perception)


@given(crowds)
def test_everybody_is_there_and_equals_are_equal(crowd):
    event = fight(*crowd)
    assert sorted(one.key for one in event.participants) == sorted(one.key for one in crowd)
    rolling = [key for group in equals(event) for key in group]
    assert rolling == [key for key in declaring(event) if key in rolling]
    for group in equals(event):
        assert len({str(event.found(key).model_copy(update={"key": "", "name": ""})) for key in group}) == 1
