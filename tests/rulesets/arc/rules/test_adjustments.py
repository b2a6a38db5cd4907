import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import OutOfRange
from rulesets.arc.rules.body import Size, size_steps
from rulesets.arc.rules.check import Ask, Circumstances

COUNTS = ("advantages", "disadvantages", "huge_advantages", "huge_disadvantages")
circumstances = st.builds(
    Circumstances,
    **{name: st.integers(0, 20) for name in COUNTS},
    size_steps=st.integers(-6, 6),
    special=st.integers(-30, 30),
)


def test_the_staircase_exalted_and_a_spell():
    assert Circumstances(advantages=3).total == 3
    assert Circumstances(disadvantages=1).total == -1


def test_a_huge_one_counts_double():
    assert Circumstances(huge_advantages=1, disadvantages=1).total == 1
    assert Circumstances(huge_disadvantages=2).total == -4


def test_nothing_to_speak_of_adjusts_nothing():
    assert Circumstances().total == 0


@given(st.sampled_from(Size), st.sampled_from(Size))
def test_in_a_fight_both_sides_apply_their_own_sizes(own, opponent):
    mine = Circumstances(size_steps=size_steps(own, opponent)).total
    theirs = Circumstances(size_steps=size_steps(opponent, own)).total
    assert mine == -theirs == opponent.steps - own.steps


@given(circumstances)
def test_a_check_takes_any_total(what):
    assert Ask(ks=5, us=3, es=5, other=what.total).other == what.total


@given(circumstances)
def test_turning_everything_round_turns_the_total_round(what):
    turned = Circumstances(
        advantages=what.disadvantages,
        disadvantages=what.advantages,
        huge_advantages=what.huge_disadvantages,
        huge_disadvantages=what.huge_advantages,
        size_steps=-what.size_steps,
        special=-what.special,
    )
    assert turned.total == -what.total


@pytest.mark.parametrize("field", [*COUNTS, "size_steps", "special"])
@pytest.mark.parametrize("value", [10**9, -(10**9), True, "1", 1.0, float("nan"), None])
def test_every_part_is_a_whole_number_of_sane_size(field, value):
    with pytest.raises(OutOfRange) as refused:
        Circumstances(**{field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("field", COUNTS)
def test_circumstances_are_counted_from_0(field):
    with pytest.raises(OutOfRange):
        Circumstances(**{field: -1})
