import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible
from rulesets.forged.rules.action import EFFECTS, Direction, Effect, Influences, build
from rulesets.forged.settings import Settings
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused

LENIENT = Settings(trade_beyond_extreme=True)
EVERYTHING = Influences(
    ability=1, setup=True, push=True, trade=Direction.EFFECT, level1_harm=True, critical=True, reduced=True
)
influences = st.builds(
    Influences,
    ability=st.integers(0, 3),
    setup=st.booleans(),
    push=st.booleans(),
    trade=st.sampled_from([None, Direction.EFFECT]),
    level1_harm=st.booleans(),
    critical=st.booleans(),
    reduced=st.booleans(),
)


def test_the_armoured_carriage_goes_from_zero_to_limited_by_a_set_up():
    assert build(Effect.ZERO, Influences(setup=True)).level.effect is Effect.LIMITED


def test_a_bodyguards_ability_lifts_zero_to_limited():
    assert build(Effect.ZERO, Influences(ability=1)).level.effect is Effect.LIMITED


def test_everything_counts_in_its_order():
    built = build(Effect.STANDARD, EVERYTHING, LENIENT)
    order = ["special_ability", "set_up", "push", "trade", "level_1_harm", "critical", "reduced_effect"]
    assert [step.why for step in built.steps] == order
    assert [step.after for step in built.steps] == [3, 4, 5, 6, 5, 6, 5]
    assert (built.level.effect, built.level.ticks) == (Effect.EXTREME, 5)


def test_nothing_leaves_the_level_of_the_gm():
    for effect in Effect:
        built = build(effect)
        assert (built.base, built.level.effect, built.steps) == (effect, effect, ())


def test_a_critical_after_a_harm_counts_in_full_and_the_consequence_comes_last():
    assert build(Effect.ZERO, Influences(level1_harm=True, critical=True)).level.effect is Effect.LIMITED
    assert build(Effect.ZERO, Influences(critical=True, reduced=True)).level.effect is Effect.ZERO


@given(st.sampled_from(Effect), influences)
def test_the_steps_lead_to_the_level_and_never_below_zero(base, given_):
    built = build(base, given_, LENIENT)
    at = EFFECTS.index(base)
    for step in built.steps:
        assert step.after == max(0, at + step.change)
        at = step.after
    assert built.level.steps == at >= 0


@given(st.sampled_from([Effect.LIMITED, Effect.STANDARD, Effect.GREAT]), influences)
def test_where_nothing_falls_below_zero_the_order_is_a_plain_sum(base, given_):
    more = given_.ability + given_.setup + given_.push + (given_.trade is not None) + given_.critical
    less = given_.level1_harm + given_.reduced
    assert build(base, given_, LENIENT).level.steps == max(0, EFFECTS.index(base) + more - less)


def test_effect_beyond_extreme_ticks_on_as_the_campaign_says():
    level = build(Effect.EXTREME, Influences(ability=2)).level
    assert (level.effect, level.ticks) == (Effect.EXTREME, 6)
    assert build(Effect.EXTREME, Influences(ability=2), Settings(ticks_beyond_extreme=0)).level.ticks == 4
    assert [build(effect).level.ticks for effect in Effect] == [0, 1, 2, 3, 4]


def test_a_trade_sees_what_was_added_before_it():
    trade = Influences(push=True, trade=Direction.POSITION)
    assert build(Effect.LIMITED, trade).level.effect is Effect.LIMITED
    for influence in (Influences(trade=Direction.POSITION), Influences(trade=Direction.POSITION, critical=True)):
        with pytest.raises(NotPossible):
            build(Effect.LIMITED, influence)
    assert build(Effect.LIMITED, Influences(trade=Direction.POSITION), Settings(trade_into_zero=True)).level.effect is (
        Effect.ZERO
    )


def test_a_trade_beyond_extreme_is_for_campaigns_that_want_it():
    with pytest.raises(NotPossible):
        build(Effect.EXTREME, Influences(trade=Direction.EFFECT))
    assert build(Effect.EXTREME, Influences(trade=Direction.EFFECT), LENIENT).level.ticks == 5


def test_the_campaign_says_what_ticks_beyond_extreme():
    assert build(Effect.EXTREME, Influences(push=True), Settings(ticks_beyond_extreme=2)).level.ticks == 6


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["setup", "push", "level1_harm", "critical", "reduced"])
def test_an_influence_is_there_or_not(name, wrong):
    refused(lambda value: Influences(**{name: value}), name, wrong)


@pytest.mark.parametrize("wrong", [word for word in NO_WORDS if word is not None], ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: Influences(trade=value), "trade", wrong)
    refused(build, "effect", wrong)
