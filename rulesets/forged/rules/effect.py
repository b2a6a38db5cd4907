"""Forged in the Dark: everything that changes the effect of an action, in its order (forged.txt, Effect to Reduced Effect).

built = build(Effect.ZERO, Influences(setup=True))
built.level.effect   # Effect.LIMITED: the armoured carriage of the printed example
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from rolls.rules.errors import NotPossible, whole, word, yes_or_no
from rulesets.forged.rules.action import EFFECTS, MOST_LEVELS, Direction, Effect, Level
from rulesets.forged.settings import DEFAULTS, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Influences:
    """What bears on the GM's level, which has potency, quality and scale in it already.

    `ability`: levels that special abilities add, 0 to 10. `setup`: a teammate's set-up gives effect. `push`: stress is paid for
    effect. `trade`: position for effect, or effect for position. `level1_harm`: such a harm applies. `critical`: the roll is one.
    `reduced`: the consequence of that name.
    """

    ability: int = 0
    setup: bool = False
    push: bool = False
    trade: Direction | None = None
    level1_harm: bool = False
    critical: bool = False
    reduced: bool = False

    def __post_init__(self) -> None:
        whole("ability", self.ability, 0, MOST_LEVELS)
        for field in fields(self):
            if field.type == "bool":
                yes_or_no(field.name, getattr(self, field.name))
        if self.trade is not None:
            word("trade", self.trade, Direction)


@dataclass(frozen=True, slots=True)
class Step:
    """One influence that applies: why, as a code, by how many levels, and the level it left (never below 0)."""

    why: str
    change: int
    after: int


@dataclass(frozen=True, slots=True)
class Built:
    """The level an action has in the end, and the steps that led there from the GM's."""

    base: Effect
    level: Level
    steps: tuple[Step, ...]


def build(base: Effect = Effect.STANDARD, influences: Influences | None = None, settings: Settings = DEFAULTS) -> Built:
    """The effect of an action: what was settled before the roll, then harm, the critical, and the consequence last.

    A level never falls below zero on the way, so that what adds after a loss counts in full. NotPossible for a trade into zero
    effect or beyond extreme, unless the campaign allows it.
    """
    given = influences or Influences()
    at = EFFECTS.index(word("effect", base, Effect))
    steps = []
    for why, change in _in_order(given):
        if why == "trade":
            _may_trade(at + change, given.trade, settings)
        if change:
            at = max(0, at + change)
            steps.append(Step(why, change, at))
    return Built(Effect(base), Level(at, settings.ticks_beyond_extreme), tuple(steps))


def _in_order(given: Influences) -> tuple[tuple[str, int], ...]:
    traded = (("trade", 1 if given.trade == Direction.EFFECT else -1),) if given.trade is not None else ()
    return (
        ("special_ability", given.ability),
        ("set_up", int(given.setup)),
        ("push", int(given.push)),
        *traded,
        ("level_1_harm", -int(given.level1_harm)),
        ("critical", int(given.critical)),
        ("reduced_effect", -int(given.reduced)),
    )


def _may_trade(level: int, direction: Direction | None, settings: Settings) -> None:
    into_zero = level < 1 and not settings.trade_into_zero
    beyond = level >= len(EFFECTS) and direction == Direction.EFFECT and not settings.trade_beyond_extreme
    if level < 0 or into_zero or beyond:
        message = "There is no effect left to trade that way."
        raise NotPossible("trade", direction, allowed="a step that is there", message=message)
