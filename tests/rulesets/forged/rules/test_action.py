import pytest

from rolls.rules.errors import NotPossible
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    EFFECTS,
    MENUS,
    POSITIONS,
    Direction,
    Effect,
    Position,
    gambits_gained,
    judge,
    push_cost,
    trade,
)
from rulesets.forged.rules.roll import Pool, Result, resolve
from rulesets.forged.settings import Settings
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused

ROLLS = {
    Result.BAD: resolve(Pool(1), iter([2])),
    Result.PARTIAL: resolve(Pool(1), iter([5])),
    Result.FULL: resolve(Pool(1), iter([6])),
    Result.CRITICAL: resolve(Pool(2), iter([6, 6])),
}
PLAYS_GAMBITS = Settings(gambits=True)


def test_the_runner_makes_it_across_by_a_desperate_roll():
    assert trade(Position.RISKY, Effect.LIMITED, Direction.EFFECT) == (Position.DESPERATE, Effect.STANDARD)


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
        for result, outcome in ROLLS.items():
            judged = judge(position, outcome)
            assert judged.menu == MENUS.get((position, result), ())
            assert bool(judged.menu) == (result in (Result.BAD, Result.PARTIAL))
            assert judged.xp == (1 if position is Position.DESPERATE else 0)


def test_a_controlled_miss_falters():
    judged = judge(Position.CONTROLLED, ROLLS[Result.BAD])
    assert (judged.verdict, judged.menu) == ("falter", ("risky_opportunity", "withdraw"))


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
    refused(lambda value: judge(value, ROLLS[Result.FULL]), "position", wrong)
    refused(lambda value: gambits_gained(value, Result.FULL), "position", wrong)
    refused(lambda value: gambits_gained(Position.RISKY, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_choices_are_checked(wrong):
    for name in ("die", "effect", "incapacitated"):
        refused(lambda value, name=name: push_cost(**{name: value}), name, wrong)
    refused(lambda value: gambits_gained(Position.RISKY, Result.FULL, spent=value), "spent", wrong)
