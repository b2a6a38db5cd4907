"""Forged in the Dark: position, effect, trade, push and consequences of an action; stress, what keeps a scoundrel from acting,
attributes and the resistance roll (forged.txt, Action Roll to Resistance Roll; public rules, Stress and Trauma)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator

from campaigns.schema import Code, Name
from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rules.checked import Checked, Whole, YesNo
from rules.errors import Block, NotPossible, whole, word, yes_or_no
from rules.messages import Message, worded
from rulesets.forged.rules import DEFAULTS, HIGHEST_RATING, Outcome, Pool, Result, Settings

RESIST_STRESS: Final = 6
CRITICAL_CLEARS: Final = 1
FULL_STRESS: Final = Block("full_stress", gettext_lazy("with full stress"))
SEVERE_HARM: Final = Block("severe_harm", gettext_lazy("despite severe harm"))


class Attribute(StrEnum):
    """The attribute that a consequence is resisted with; the GM names it (forged.txt, Resistance Roll)."""

    INSIGHT = "insight"  # deception or understanding
    PROWESS = "prowess"  # physical strain or injury
    RESOLVE = "resolve"  # mental strain or willpower


ACTIONS: Final[Mapping[Attribute, tuple[str, ...]]] = MappingProxyType(
    {
        Attribute.INSIGHT: ("hunt", "study", "survey", "tinker"),
        Attribute.PROWESS: ("finesse", "prowl", "skirmish", "wreck"),
        Attribute.RESOLVE: ("attune", "command", "consort", "sway"),
    }
)
"""The four actions of each attribute (public rules)."""


def check_payment(stress: int, cost: int, settings: Settings = DEFAULTS) -> None:
    """Raise NotPossible where the `cost` of a push or an assist would fill the stress track and the campaign does not allow that.

    Otherwise its benefit counts even if the track fills; the excess is lost.
    """
    left = settings.boxes - 1 - stress
    if cost > max(0, left) and not settings.filling_stress_counts:
        message = _("That would fill the stress track, which your campaign doesn’t allow here.")
        raise NotPossible("cost", cost, allowed=f"0 to {max(0, left)}", message=message)


def resist_pool(rating: int) -> Pool:
    """Return the dice of an attribute rating, 0 to 4."""
    return Pool(whole("rating", rating, 0, HIGHEST_RATING))


def resist_cost(outcome: Outcome) -> int:
    """Return the stress that resisting costs, 0 to 5: 6 minus the die; or -1, which clears one, on a critical."""
    return -CRITICAL_CLEARS if outcome.result is Result.CRITICAL else RESIST_STRESS - outcome.value


def lowest_rating(dots: Mapping[str, int]) -> int:
    """Return the lowest of the three attribute ratings, by the dots in actions: what a vice is indulged with (public rules)."""
    return min(sum(dots.get(action, 0) > 0 for action in actions) for actions in ACTIONS.values())


def full_words(name: str) -> str:
    return _("{name}’s stress track is full. Choose a trauma first.").format(name=name)


def severe_words(name: str) -> str:
    return _("Severe harm: to act, {name} needs help, or a push for 2 stress.").format(name=name)


# Position and effect

PUSH_COST: Final = 2
ASSIST_COST: Final = 1
DESPERATE_XP: Final = 1
MOST_LEVELS: Final = 10
"""More levels of effect than any one roll adds up: our decision."""
COMPLICATION_TICKS: Final[Mapping[str, int]] = MappingProxyType({"minor": 1, "standard": 2, "serious": 3})
"""The ticks of a complication on a clock (forged.txt, Complication)."""
COMPLICATION_HEAT: Final[Mapping[str, int]] = MappingProxyType({"minor": 0, "standard": 1, "serious": 2})
"""The heat from a complication, if it gives heat (forged.txt, Complication)."""
GAMBITS_GAINED: Final = 1


class Position(StrEnum):
    CONTROLLED = "controlled"
    RISKY = "risky"
    DESPERATE = "desperate"


class Effect(StrEnum):
    ZERO = "zero"
    LIMITED = "limited"
    STANDARD = "standard"
    GREAT = "great"
    EXTREME = "extreme"


class Direction(StrEnum):
    """The gain of a trade: more effect for a worse position, or a better position for less effect."""

    EFFECT = "effect"
    POSITION = "position"


POSITIONS: Final = tuple(Position)
EFFECTS: Final = tuple(Effect)

MENUS: Final[Mapping[tuple[Position, Result], tuple[str, ...]]] = MappingProxyType(
    {
        (Position.CONTROLLED, Result.PARTIAL): (
            "withdraw",
            "minor_complication",
            "reduced_effect",
            "harm_1",
            "risky_position",
        ),
        (Position.CONTROLLED, Result.BAD): ("risky_opportunity", "withdraw"),
        (Position.RISKY, Result.PARTIAL): ("harm_2", "complication", "reduced_effect", "desperate_position"),
        (Position.RISKY, Result.BAD): ("harm_2", "complication", "desperate_position", "lost_opportunity"),
        (Position.DESPERATE, Result.PARTIAL): ("harm_3", "serious_complication", "reduced_effect"),
        (Position.DESPERATE, Result.BAD): ("harm_3", "serious_complication", "lost_opportunity"),
    }
)
"""The GM's choices, one or more, by code (the text has no such table; taken from its public rules)."""


@dataclass(frozen=True, slots=True)
class Level:
    """The effect of an action as `steps` above zero; those above four stay extreme, with so many more ticks each: ours."""

    steps: int
    ticks_beyond: int = DEFAULTS.ticks_beyond_extreme

    @property
    def effect(self) -> Effect:
        return EFFECTS[min(self.steps, len(EFFECTS) - 1)]

    @property
    def ticks(self) -> int:
        """Return the segments on a clock: as many as steps up to extreme, then what the campaign gives for each further one."""
        extreme = len(EFFECTS) - 1
        return min(self.steps, extreme) + self.ticks_beyond * max(0, self.steps - extreme)


def trade(
    position: Position, effect: Effect, direction: Direction, *, settings: Settings = DEFAULTS
) -> tuple[Position, Effect]:
    """Return position and effect after a step of one for a step of the other, where the GM agrees (forged.txt, Trading Position
    for Effect).

    It is done once for a roll: our decision. Raises NotPossible beyond desperate or controlled, and, unless the campaign
    allows them, beyond extreme and into zero effect.
    """
    by = 1 if word("direction", direction, Direction) is Direction.EFFECT else -1
    at = POSITIONS.index(word("position", position, Position)) + by
    level = EFFECTS.index(word("effect", effect, Effect)) + by
    _check_trade("direction", direction, level, settings, at=at)
    return POSITIONS[at], EFFECTS[min(level, len(EFFECTS) - 1)]


def _check_trade(field: str, direction: Direction | None, level: int, settings: Settings, *, at: int = 0) -> None:
    """Raise NotPossible for a trade that leads to this level of effect, and to no position that there is."""
    into_zero = level < 1 and not settings.trade_into_zero
    beyond = level >= len(EFFECTS) and direction == Direction.EFFECT and not settings.trade_beyond_extreme
    if not 0 <= at < len(POSITIONS) or level < 0 or into_zero or beyond:
        message = _("There’s nothing left to trade that way.")
        raise NotPossible(field, direction, allowed="a step that is there", message=message)


def push_cost(*, die: bool = False, effect: bool = False, incapacitated: bool = False) -> int:
    """Return 2 stress for each benefit, each once for an action (forged.txt, Pushing Yourself)."""
    chosen = {"die": die, "effect": effect, "incapacitated": incapacitated}
    return PUSH_COST * sum(yes_or_no(field, value) for field, value in chosen.items())


def menu_of(position: Position, result: Result) -> tuple[str, ...]:
    """Return the consequences to choose from; none for a 6 and a critical."""
    return MENUS.get((position, result), ())


def desperate_xp(position: Position) -> int:
    """Return the xp that an action marks: 1 for a desperate one."""
    return DESPERATE_XP if position is Position.DESPERATE else 0


def gambits_gained(position: Position, result: Result, *, spent: bool = False, settings: Settings = DEFAULTS) -> int:
    """Return the gambits that the crew gains: 1 for a 6 or critical on a risky action without a spent gambit, else 0."""
    at, came = word("position", position, Position), word("result", result, Result)
    if yes_or_no("spent", spent) or not settings.gambits or at is not Position.RISKY:
        return 0
    return GAMBITS_GAINED if came in (Result.FULL, Result.CRITICAL) else 0


VERDICTS: Final = {
    Result.CRITICAL: gettext_lazy("done, with increased effect"),
    Result.FULL: pgettext_lazy("verdict", "done"),
    Result.PARTIAL: gettext_lazy("done, at a cost"),
    Result.BAD: gettext_lazy("it goes badly"),
}
CONTROLLED_VERDICTS: Final = {
    Result.PARTIAL: pgettext_lazy("verdict", "hesitates"),
    Result.BAD: pgettext_lazy("verdict", "falters"),
}


def verdict(position: Position, result: Result) -> Message:
    """Return a few words for the result of an action."""
    controlled = CONTROLLED_VERDICTS if position is Position.CONTROLLED else {}
    return worded(controlled.get(result) or VERDICTS[result])


class Influences(Checked):
    """Influences on the GM's level, which has potency, quality and scale in it already.

    `ability`: levels that special abilities add, 0 to 10. `setup`: a teammate's set-up gives effect. `push`: stress is paid for
    effect. `trade`: position for effect, or effect for position. `level1_harm`: such a harm applies. `critical`: the roll is one.
    `reduced`: the consequence of that name. Raises a RuleError for impossible values.
    """

    ability: Annotated[int, Whole(0, MOST_LEVELS)] = 0
    setup: YesNo = False
    push: YesNo = False
    trade: Annotated[
        Direction | None, BeforeValidator(lambda it: it if it is None else word("trade", it, Direction))
    ] = None
    level1_harm: YesNo = False
    critical: YesNo = False
    reduced: YesNo = False


@dataclass(frozen=True, slots=True)
class Step:
    """One influence that applies: why, as a code, and by how many levels."""

    why: str
    change: int


@dataclass(frozen=True, slots=True)
class Built:
    """The level an action has in the end, and the steps that led there from the GM's."""

    level: Level
    steps: tuple[Step, ...]


def build(base: Effect = Effect.STANDARD, influences: Influences | None = None, settings: Settings = DEFAULTS) -> Built:
    """Return the effect of an action: the terms before the roll, then harm, the critical, and the consequence last.

    A level never falls below zero on the way, so later additions count in full. Raises NotPossible for a trade into
    zero effect or beyond extreme, unless the campaign allows it.
    """
    given = influences or Influences()
    at = EFFECTS.index(word("effect", base, Effect))
    steps = []
    for why, change in _in_order(given):
        if why == "trade":
            _check_trade("trade", given.trade, at + change, settings)
        if change:
            at = max(0, at + change)
            steps.append(Step(why, change))
    return Built(Level(at, settings.ticks_beyond_extreme), tuple(steps))


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


# What a staged action knows of those who take part (procedures/action.py)


class Stage(StrEnum):
    ASKED = "asked"
    """The player has said goal and action; the GM has yet to set position and effect."""
    SET = "set"
    CHOICE = "choice"
    """Controlled, and not a full success: the player decides whether to go through with it."""
    FOLLOWS = "follows"
    """The GM chooses the consequences, and those affected respond."""
    SET_UP = "set_up"
    """A set-up succeeded: its player chooses what it gives, and to whom."""
    DONE = "done"
    WITHDRAWN = "withdrawn"


class Roller(BaseModel):
    """One who rolls, a character or a cohort by its id: what they add, the digest of the terms that they were `ready` for, and
    then the result, with the position that it was rolled `at`, the `effect` that it could have, and its `ticks`."""

    id: Code
    cohort: bool = False
    push_die: bool = False
    push_effect: bool = False
    push_act: bool = False
    helper: Code = ""
    ready: Code = ""
    result: Code = ""
    at: Code = ""
    effect: Code = ""
    ticks: int = 0

    @property
    def came(self) -> Result:
        return Result[self.result.upper()]

    @property
    def part(self) -> str:
        """Return the name of the roll in the procedure, of 18 characters."""
        return f"roll.{self.id[:13]}"


class Foe(BaseModel):
    """One of those whom an action is against: an NPC by its id, or by the name that was typed, and how they `fared`."""

    id: Code
    name: Name = ""
    fared: Code = ""


class Fared(StrEnum):
    HURT = "hurt"
    OUT = "out"
    UNHURT = "unhurt"
