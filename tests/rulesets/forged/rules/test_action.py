from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible
from rulesets.forged.rules import Result, Settings
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    EFFECTS,
    POSITIONS,
    Direction,
    Effect,
    Influences,
    Position,
    build,
    desperate_xp,
    gambits_gained,
    menu_of,
    push_cost,
    trade,
    verdict,
)
from tests.rules.refusals import NO_BOOLS, NO_WORDS, refused

PLAYS_GAMBITS = Settings(gambits=True)


@pytest.mark.parametrize("position", Position)
@pytest.mark.parametrize("effect", Effect)
@pytest.mark.parametrize("direction", Direction)
def test_a_trade_that_can_be_made_is_one_step_each_way(position, effect, direction):
    try:
        at, level = trade(position, effect, direction)
    except NotPossible:
        step = 1 if direction is Direction.EFFECT else -1
        ends = POSITIONS.index(position) + step not in range(3) or EFFECTS.index(effect) + step not in range(1, 5)
        assert ends
    else:
        moved = POSITIONS.index(at) - POSITIONS.index(position), EFFECTS.index(level) - EFFECTS.index(effect)
        assert moved == ((1, 1) if direction is Direction.EFFECT else (-1, -1))


def test_a_campaign_may_trade_into_zero_and_beyond_extreme():
    into_zero = (Position.RISKY, Effect.LIMITED, Direction.POSITION)
    assert trade(*into_zero, settings=Settings(trade_into_zero=True)) == (Position.CONTROLLED, Effect.ZERO)
    beyond = (Position.RISKY, Effect.EXTREME, Direction.EFFECT)
    assert trade(*beyond, settings=Settings(trade_beyond_extreme=True)) == (Position.DESPERATE, Effect.EXTREME)
    for position, effect, direction in (into_zero, beyond):
        with pytest.raises(NotPossible):
            trade(position, effect, direction)


def test_every_benefit_of_a_push_costs_two():
    assert push_cost() == 0
    assert push_cost(die=True) == push_cost(effect=True) == push_cost(incapacitated=True) == 2
    assert push_cost(die=True, effect=True, incapacitated=True) == 6


def test_only_what_falls_short_of_a_six_has_consequences():
    for position in Position:
        for result in Result:
            assert bool(menu_of(position, result)) == (result in (Result.BAD, Result.PARTIAL))


def test_a_desperate_action_marks_one_xp():
    assert [desperate_xp(position) for position in Position] == [0, 0, 1]


def test_a_controlled_miss_falters():
    assert str(verdict(Position.CONTROLLED, Result.BAD)) == "falters"
    assert menu_of(Position.CONTROLLED, Result.BAD) == ("risky_opportunity", "withdraw")


def test_the_worse_a_complication_the_more_it_brings():
    assert list(COMPLICATION_TICKS.items()) == [("minor", 1), ("standard", 2), ("serious", 3)]
    assert list(COMPLICATION_HEAT.items()) == [("minor", 0), ("standard", 1), ("serious", 2)]


def test_a_gambit_comes_of_a_risky_success_on_which_none_was_spent():
    gains = {(at, came): gambits_gained(at, came, settings=PLAYS_GAMBITS) for at in Position for came in Result}
    assert {case for case, gained in gains.items() if gained} == {
        (Position.RISKY, Result.FULL),
        (Position.RISKY, Result.CRITICAL),
    }
    assert gambits_gained(Position.RISKY, Result.FULL, spent=True, settings=PLAYS_GAMBITS) == 0
    assert gambits_gained(Position.RISKY, Result.FULL) == 0


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: trade(value, Effect.LIMITED, Direction.EFFECT), "position", wrong)
    refused(lambda value: trade(Position.RISKY, value, Direction.EFFECT), "effect", wrong)
    refused(lambda value: trade(Position.RISKY, Effect.LIMITED, value), "direction", wrong)
    refused(lambda value: gambits_gained(value, Result.FULL), "position", wrong)
    refused(lambda value: gambits_gained(Position.RISKY, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_choices_are_checked(wrong):
    for name in ("die", "effect", "incapacitated"):
        refused(lambda value, name=name: push_cost(**{name: value}), name, wrong)
    refused(lambda value: gambits_gained(Position.RISKY, Result.FULL, spent=value), "spent", wrong)


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


@pytest.mark.parametrize("lifts", [{"setup": True}, {"ability": 1}], ids=["the armoured carriage", "a bodyguard"])
def test_a_set_up_or_an_ability_lifts_zero_to_limited(lifts):
    assert build(Effect.ZERO, Influences(**lifts)).effect is Effect.LIMITED


def test_everything_counts_in_its_order():
    built = build(Effect.STANDARD, EVERYTHING, LENIENT)
    order = ["special_ability", "set_up", "push", "trade", "level_1_harm", "critical", "reduced_effect"]
    assert [step.why for step in built.steps] == order
    assert [step.change for step in built.steps] == [1, 1, 1, 1, -1, 1, -1]
    assert (built.effect, built.ticks) == (Effect.EXTREME, 5)


def test_nothing_leaves_the_level_of_the_gm():
    for effect in Effect:
        built = build(effect)
        assert (built.effect, built.steps) == (effect, ())


def test_a_critical_after_a_harm_counts_in_full_and_the_consequence_comes_last():
    assert build(Effect.ZERO, Influences(level1_harm=True, critical=True)).effect is Effect.LIMITED
    assert build(Effect.ZERO, Influences(critical=True, reduced=True)).effect is Effect.ZERO


@given(st.sampled_from(Effect), influences)
def test_the_steps_lead_to_the_level_and_never_below_zero(base, given_):
    built = build(base, given_, LENIENT)
    at = EFFECTS.index(base)
    for step in built.steps:
        at = max(0, at + step.change)
    assert built.level == at >= 0


@given(st.sampled_from([Effect.LIMITED, Effect.STANDARD, Effect.GREAT]), influences)
def test_where_nothing_falls_below_zero_the_order_is_a_plain_sum(base, given_):
    more = given_.ability + given_.setup + given_.push + (given_.trade is not None) + given_.critical
    less = given_.level1_harm + given_.reduced
    assert build(base, given_, LENIENT).level == max(0, EFFECTS.index(base) + more - less)


def test_effect_beyond_extreme_ticks_on_as_the_campaign_says():
    level = build(Effect.EXTREME, Influences(ability=2))
    assert (level.effect, level.ticks) == (Effect.EXTREME, 6)
    assert build(Effect.EXTREME, Influences(ability=2), Settings(ticks_beyond_extreme=0)).ticks == 4
    assert [build(effect).ticks for effect in Effect] == [0, 1, 2, 3, 4]


def test_a_trade_sees_what_was_added_before_it():
    trade = Influences(push=True, trade=Direction.POSITION)
    assert build(Effect.LIMITED, trade).effect is Effect.LIMITED
    for influence in (Influences(trade=Direction.POSITION), Influences(trade=Direction.POSITION, critical=True)):
        with pytest.raises(NotPossible):
            build(Effect.LIMITED, influence)
    assert build(Effect.LIMITED, Influences(trade=Direction.POSITION), Settings(trade_into_zero=True)).effect is (
        Effect.ZERO
    )


def test_a_trade_beyond_extreme_is_for_campaigns_that_want_it():
    with pytest.raises(NotPossible):
        build(Effect.EXTREME, Influences(trade=Direction.EFFECT))
    assert build(Effect.EXTREME, Influences(trade=Direction.EFFECT), LENIENT).ticks == 5


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["setup", "push", "level1_harm", "critical", "reduced"])
def test_an_influence_is_there_or_not(name, wrong):
    refused(lambda value: Influences(**{name: value}), name, wrong)


@pytest.mark.parametrize("wrong", [word for word in NO_WORDS if word is not None], ids=lambda wrong: repr(wrong)[:8])
def test_words_for_an_effect_are_checked(wrong):
    refused(lambda value: Influences(trade=value), "trade", wrong)
    refused(build, "effect", wrong)
