"""Forged in the Dark: position, effect, trade and push of an action; stress, what keeps a scoundrel from acting, attributes and
the resistance roll; harm and other consequences, and what resisting and armour leave of them (forged.txt, Action Roll to Armor;
public rules, Stress and Trauma, Harm and Recovery)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator

from campaigns.schema import Code, Name, Text
from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rules.checked import Checked, Whole, YesNo
from rules.errors import Block, NotPossible, RuleError, whole, word, yes_or_no
from rules.messages import Message, worded
from rules.table import Clock, Refused
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


def attribute_of(action: str) -> str:
    """Return the attribute of an action; "" for one of another game."""
    return next((attribute.value for attribute, actions in ACTIONS.items() if action in actions), "")


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
class Step:
    """One influence that applies: why, as a code, and by how many levels."""

    why: str
    change: int


@dataclass(frozen=True, slots=True)
class Built:
    """The effect of an action in the end, `level` steps above zero, and the `steps` that led there from the GM's. Levels above
    four stay extreme, with so many more ticks each: ours."""

    level: int
    ticks_beyond: int = DEFAULTS.ticks_beyond_extreme
    steps: tuple[Step, ...] = ()

    @property
    def effect(self) -> Effect:
        return EFFECTS[min(self.level, len(EFFECTS) - 1)]

    @property
    def ticks(self) -> int:
        """Return the segments on a clock: as many as steps up to extreme, then what the campaign gives for each further one."""
        extreme = len(EFFECTS) - 1
        return min(self.level, extreme) + self.ticks_beyond * max(0, self.level - extreme)


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


def build(base: Effect = Effect.STANDARD, influences: Influences | None = None, settings: Settings = DEFAULTS) -> Built:
    """Return the effect of an action: the terms before the roll, then harm, the critical, and the consequence last.

    A level never falls below zero on the way, so later additions count in full. Raises NotPossible for a trade into
    zero effect or beyond extreme, unless the campaign allows it.
    """
    given = influences or Influences()
    at = EFFECTS.index(word("effect", base, Effect))
    traded = {None: 0, Direction.EFFECT: 1, Direction.POSITION: -1}[given.trade]
    in_order = {
        "special_ability": given.ability,
        "set_up": int(given.setup),
        "push": int(given.push),
        "trade": traded,
        "level_1_harm": -int(given.level1_harm),
        "critical": int(given.critical),
        "reduced_effect": -int(given.reduced),
    }
    steps = []
    for why, change in in_order.items():
        if why == "trade" and traded:
            _check_trade("trade", given.trade, at + change, settings)
        if change:
            at = max(0, at + change)
            steps.append(Step(why, change))
    return Built(at, settings.ticks_beyond_extreme, tuple(steps))


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


# Harm: where it is recorded, and how it heals (public rules, Harm and Recovery)

HARM_SLOTS: Final[Mapping[int, int]] = MappingProxyType({1: 2, 2: 2, 3: 1})
FATAL: Final = 4
"""The level of a harm that no row takes: catastrophic or fatal."""
HEALING_SEGMENTS: Final = 4
MOST_HEALING_TICKS: Final = 12
"""Ticked at once. No recovery gives more than 5."""

Rows: TypeAlias = Mapping[int, int]
"""The number of harms in the rows 1, 2 and 3; a missing row is empty."""


def harm_row(taken: Rows, level: int) -> int:
    """Return the row that takes a harm of `level` 1 to 4, given how many are `taken` in each: a full row moves it up; 4 is
    fatal."""
    rows = _rows(taken)
    row = whole("level", level, 1, FATAL)
    while row < FATAL and rows[row] >= HARM_SLOTS[row]:
        row += 1
    return row


def heal(taken: Rows, healing: int, ticks: int) -> tuple[int, int]:
    """Tick the healing clock (0 to 3 of 4 segments) by 1 to 12; each time it is full every harm goes down one level. Return how
    it stands then, and by how many levels harm went down; below 1 it is gone.

    The surplus starts the clock again; with no harm left the clock is empty. Raises NotPossible without harm.
    """
    rows = _rows(taken)
    whole("healing", healing, 0, HEALING_SEGMENTS - 1)
    if not any(rows.values()):
        raise NotPossible("harm", sum(rows.values()), allowed="at least one", message=_("There’s no harm to heal."))
    rounds, left = divmod(healing + whole("ticks", ticks, 1, MOST_HEALING_TICKS), HEALING_SEGMENTS)
    stays = any(rows.get(row + rounds) for row in HARM_SLOTS)
    return left if stays else 0, rounds


def _rows(taken: Rows) -> dict[int, int]:
    """Return the rows as given, complete and checked. Every key is 1, 2 or 3, and no row has more than its slots."""
    if not isinstance(taken, Mapping) or len(taken) > len(HARM_SLOTS):
        message = _("Harm is kept in rows 1 to {highest}.").format(highest=max(HARM_SLOTS))
        raise RuleError("harm", taken, allowed=f"rows 1 to {max(HARM_SLOTS)}", message=message)
    rows = dict.fromkeys(HARM_SLOTS, 0)
    for row, held in taken.items():
        # Checked before it is looked up: 1.0 and True would find row 1.
        known = whole("row", row, 1, max(HARM_SLOTS))
        rows[known] = whole("harm", held, 0, HARM_SLOTS[known])
    return rows


class Kind(StrEnum):
    """The measure that a consequence is counted in; the last four are there or not."""

    HARM = "harm"  # its level
    COMPLICATION = "complication"  # ticks on a clock
    HEAT = "heat"
    REDUCED_EFFECT = "reduced effect"
    WORSE_POSITION = "worse position"
    LOST_OPPORTUNITY = "lost opportunity"
    LOST_ITEM = "lost item"


MOST_REDUCED: Final[Mapping[Kind, int]] = MappingProxyType({Kind.COMPLICATION: 2, Kind.HEAT: 2})
"""The most by which a resistance reduces: one or two ticks (forged.txt, Resistance Roll), heat likewise (our decision);
all else by one.
"""


class Resisting(StrEnum):
    """The GM's word before the roll on what resisting does."""

    REDUCES = "reduces"
    AVOIDS = "avoids"


SIZES: Final = {"minor_complication": "minor", "complication": "standard", "serious_complication": "serious"}
HARMS: Final = {"harm_1": 1, "harm_2": 2, "harm_3": 3, "harm_4": FATAL}
POSITIONS_WON: Final = {"risky_position": Position.RISKY, "desperate_position": Position.DESPERATE}
KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(HARMS, Kind.HARM),
    **dict.fromkeys(SIZES, Kind.COMPLICATION),
    **dict.fromkeys(POSITIONS_WON, Kind.WORSE_POSITION),
    "reduced_effect": Kind.REDUCED_EFFECT,
    "lost_item": Kind.LOST_ITEM,
}
"""All others are lost opportunities."""
EVERY: Final = (*HARMS, *SIZES, "reduced_effect", *POSITIONS_WON, "lost_opportunity", "lost_item")
"""All consequences that there are, whatever position and result suggest."""
MOST_SIZE: Final = 12
"""The most ticks or heat of one consequence: no clock has more segments (our decision)."""


class Fate(StrEnum):
    """What becomes of a character that takes fatal harm, as its player chooses."""

    DEAD = "dead"
    OUT = "out"  # lives on, and is out of play


FEWEST_SEGMENTS: Final = 2
MOST_SEGMENTS: Final = 12
"""The most segments of a new clock."""


class Inflicted(BaseModel):
    """A consequence: `code` is that of its position's and result's menu, the rest was set by the GM.

    A `clock` of so many `segments` is a new one, which starts with `filled` once this is settled; one of 0 exists, or ran when it
    was chosen. `whom` it hits now; `first`, whom it hit before a teammate stepped in. `severity` is what is left of it. `became`
    is "" until it is settled, then taken or avoided. `row` is the row of harm that took it, 4 for none; then its player has
    chosen a `fate`. An `item` is that of the sheet which is lost. It comes
    from its `source`, one of those whom the action is against. Whoever resists may `push` for a die, and have `more` dice,
    with the reason `why`.
    """

    id: Code = ""
    code: Code
    severity: int
    whom: Code = ""
    words: Name = ""
    price: bool = False
    heat: bool = False
    clock: Code = ""
    clock_name: Name = ""
    segments: int = 0
    filled: int = 0
    attribute: Attribute = Attribute.PROWESS
    resisting: Resisting = Resisting.REDUCES
    by: int = 1
    resisted: bool = False
    marked: list[Code] = []
    first: Code = ""
    became: Code = ""
    row: int = 0
    fate: Code = ""
    item: Code = ""
    source: Code = ""
    push: bool = False
    more: int = 0
    why: Text = ""

    @property
    def kind(self) -> Kind:
        """Return its kind: a complication may be heat."""
        if self.heat and self.code in SIZES:
            return Kind.HEAT
        return KINDS.get(self.code, Kind.LOST_OPPORTUNITY)

    def lessen(self, by: int) -> None:
        """Take off what resisting, or a box of armour, does: all of it where the GM said that it is avoided, else `by`
        (forged.txt, Resistance Roll, Armor). Both may lessen the same consequence, as in the text's example."""
        self.severity = 0 if self.resisting is Resisting.AVOIDS else max(0, self.severity - by)


USUAL_SIZES: Final = {
    Position.CONTROLLED: "minor_complication",
    Position.RISKY: "complication",
    Position.DESPERATE: "serious_complication",
}
"""The complication that each position suggests (MENUS)."""


class Ticking(BaseModel):
    """So many ticks on a clock."""

    clock: Code
    name: Name
    ticks: int


class Threat(BaseModel):
    """What happens if an action goes wrong, as the GM says before the dice: a `harm` by its level and name, less effect, a worse
    position, a lost opportunity or item, heat, clocks that tick, one of them new (`size` ticks, 0 for as many as usual), and
    other trouble. All of it is resisted with one attribute."""

    harm: int = 0
    harm_name: Name = ""
    less: bool = False
    worse: bool = False
    lost: bool = False
    item: Code = ""
    item_name: Name = ""
    heat: int = 0
    ticking: list[Ticking] = []
    new_clock: Name = ""
    segments: int = 0
    filled: int = 0
    size: int = 0
    complicated: bool = False
    trouble: Name = ""
    source: Code = ""
    attribute: Attribute = Attribute.PROWESS
    resisting: Resisting = Resisting.REDUCES
    by: int = 1

    def follows(self, at: Position, whom: str) -> list[Inflicted]:
        """Return the consequences for whom it hits, of an action from this position."""
        found = [self._sized(at, one.ticks, clock=one.clock, clock_name=one.name) for one in self.ticking]
        if self.new_clock:
            new = {"clock_name": self.new_clock, "segments": self.segments, "filled": self.filled}
            found.append(self._sized(at, self.size, **new))
        if found:
            found[0].words = self.trouble
        elif self.complicated:
            found.append(self._sized(at, self.size, words=self.trouble))
        found += [self._sized(at, self.heat, heat=True)] if self.heat else []
        plain = {
            "reduced_effect": self.less,
            "risky_position" if at is Position.CONTROLLED else "desperate_position": self.worse,
            "lost_opportunity": self.lost,
        }
        found += [Inflicted(code=code, severity=1) for code, comes in plain.items() if comes]
        if self.item:
            found.append(Inflicted(code="lost_item", severity=1, item=self.item, words=self.item_name))
        if self.harm:
            found.insert(0, Inflicted(code=f"harm_{self.harm}", severity=self.harm, words=self.harm_name))
        for number, one in enumerate(found, 1):
            one.id, one.whom, one.attribute, one.resisting = f"c{number}", whom, self.attribute, self.resisting
            one.by, one.source = min(self.by, MOST_REDUCED.get(one.kind, 1)), self.source
        return found

    def _sized(self, at: Position, size: int, **given: Any) -> Inflicted:
        """Return a complication of so many ticks or so much heat; 0 is as many ticks as its position suggests."""
        usual = USUAL_SIZES[at]
        codes = [*SIZES]
        code = codes[min(size, len(codes)) - 1] if size else usual
        return Inflicted(code=code, severity=size or COMPLICATION_TICKS[SIZES[usual]], **given)


def threaten(one: Inflicted, clock: Clock | None, new_clock: str, segments: int, filled: int) -> None:
    """Let a consequence tick a clock that runs, a new one, or none (forged.txt, Complication)."""
    if new_clock:
        check_new(clock, segments, filled)
        one.clock, one.clock_name, one.segments, one.filled = "", new_clock, segments, filled
    else:
        one.clock, one.clock_name = (clock.id, clock.name) if clock else ("", "")
        one.segments = one.filled = 0


def check_said(one: Inflicted) -> None:
    """Raise a RuleError for a harm or a complication without words, or one that is reduced by more than its kind may be."""
    if one.kind is Kind.HARM and not one.words:
        raise Refused(_("Say what the harm is."), "words")
    if one.kind is Kind.COMPLICATION and not one.words and not one.clock_name:
        raise Refused(_("Describe the complication, or choose a clock."), "words")
    whole("by", one.by, 1, MOST_REDUCED.get(one.kind, 1))


def check_new(clock: Clock | None, segments: int, filled: int) -> None:
    """Raise Refused for a new clock beside another, or one that would start full."""
    if clock:
        raise Refused(_("Choose a clock or name a new one, not both."), "new_clock")
    if filled >= segments:
        raise Refused(_("The clock would start full. Leave at least one segment empty."), "filled")
