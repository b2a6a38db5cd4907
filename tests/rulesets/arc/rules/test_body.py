from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RuleError, UnknownWord
from rulesets.arc.rules.body import Size, heaviest, load, movement
from rulesets.arc.settings import Burden, Settings
from tests.answers import refusal

scores = st.integers(1, 10)
sizes = st.sampled_from(Size)
weights = st.fractions(0, 1000)


def test_the_control_of_humans():
    assert [movement(control).metres for control in range(1, 11)] == [4, 4, 6, 6, 8, 8, 10, 10, 12, 12]


def test_the_small_dog_of_the_text():
    assert movement(5, base=16, size=Size.SMALL).metres == 8
    assert movement(5, base=16, size=Size.LARGE, settings=Settings(size_factor=3)).metres == 48


def test_what_one_carries_slows():
    metres = [movement(5, burden=burden).metres for burden in Burden]
    assert metres == [8, 8, 6, 4, 2, 0]


def test_metres_are_exact_and_the_parts_are_kept():
    slow = movement(3, size=Size.TINY, burden=Burden.MEDIUM)
    assert (slow.base, slow.bonus, slow.size_factor, slow.burden_factor) == (8, -2, Fraction(1, 4), Fraction(3, 4))
    assert slow.metres == Fraction(9, 8)


def test_nobody_walks_backwards():
    assert movement(1, base=2).metres == 0


@given(st.integers(1, 9), st.integers(0, 1000), sizes, st.sampled_from(Burden))
def test_more_control_is_never_slower(control, base, size, burden):
    slower, faster = (movement(c, base=base, size=size, burden=burden).metres for c in (control, control + 1))
    assert 0 <= slower <= faster


def test_seven_sizes_around_the_human():
    assert [size.steps for size in Size] == [-3, -2, -1, 0, 1, 2, 3]
    assert Size.MEDIUM.steps == 0


def test_build_6_of_the_text():
    borne = load(6, 18)
    assert (borne.loadt, borne.maximum, borne.bearable) == (18, 54, 72)
    burdens = [load(6, weight).burden for weight in (0, 18, 18.5, 36, 54, 54.5, 72, 72.5)]
    assert burdens == ["none", "light", "medium", "medium", "heavy", "overloaded", "overloaded", "immobile"]


def test_the_table_of_loads():
    limits = [(load(build, 0).maximum, load(build, 0).bearable) for build in range(1, 11)]
    assert limits[:5] == [(0, 3), (6, 12), (9, 18), (24, 36), (30, 45)]
    assert limits[5:] == [(54, 72), (63, 84), (72, 96), (81, 108), (90, 120)]
    assert [heaviest(build) for build in range(1, 11)] == ["none"] + ["light"] * 2 + ["medium"] * 2 + ["heavy"] * 5


def test_build_1_bears_clothing_and_nothing_else():
    assert load(1, 0, clothing=4).burden is Burden.NONE
    assert load(1, 1, clothing=4).burden is Burden.OVERLOADED
    assert load(2, 5, clothing=2).burden is Burden.OVERLOADED
    assert load(2, 5, clothing=1).weight == 6


def test_beyond_the_last_limit_there_is_no_action():
    assert load(6, 72).may_act
    assert not load(6, 73).may_act


def test_load_goes_with_size():
    assert (load(6, 0, size=Size.SMALL).loadt, load(6, 0, size=Size.LARGE).maximum) == (9, 108)


def test_weights_are_exact_however_they_are_written():
    for weight in (Decimal("54.1"), Fraction(541, 10)):
        assert load(6, weight).weight == Fraction(541, 10)
    assert load(6, Decimal("1e-9")).weight == Fraction(1, 10**9)


@given(scores, weights, weights, sizes)
def test_more_weight_is_never_a_lighter_burden(build, one, other, size):
    order = list(Burden)
    lighter, heavier = (order.index(load(build, weight, size=size).burden) for weight in sorted([one, other]))
    assert lighter <= heavier


@given(st.integers(1, 9), weights)
def test_more_build_is_never_a_heavier_burden(build, weight):
    order = list(Burden)
    assert order.index(load(build + 1, weight).burden) <= order.index(load(build, weight).burden)


@given(scores, weights)
def test_who_is_not_overloaded_is_within_the_maximum(build, weight):
    borne = load(build, weight)
    assert (borne.burden in (Burden.OVERLOADED, Burden.IMMOBILE)) == (weight > borne.maximum)
    assert borne.may_act == (weight <= borne.bearable)


NO_WEIGHTS = [-1, -0.5, True, "18", None, float("nan"), float("inf"), 10**4000, 100_001]
NO_DECIMALS = [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e999999"), Decimal("1e-999999")]


@pytest.mark.parametrize("weight", [*NO_WEIGHTS, *NO_DECIMALS])
def test_a_weight_is_a_finite_number_of_kilograms(weight):
    refused = refusal(RuleError, load, 6, weight)
    assert (refused.field, refused.allowed) == ("weight", "0 to 100000")
    with pytest.raises(RuleError):
        load(6, 1, clothing=weight)


def test_a_hundred_tons_can_be_weighed():
    assert load(6, 100_000).weight == 100_000


def test_sizes_and_burdens_are_words_of_the_rules():
    for how in ({"size": "titanic"}, {"burden": "drunk"}):
        with pytest.raises(UnknownWord):
            movement(5, **how)
