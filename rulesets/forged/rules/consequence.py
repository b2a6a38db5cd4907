"""Harm and other consequences: where harm is recorded and how it heals, what resisting and armour leave of a consequence, and
what becomes of one that the GM has named (forged.txt, Consequences to Armor; public rules, Harm and Recovery).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from campaigns.schema import Code, Name, Uid
from languages.text import gettext as _
from rolls.rules.errors import NotPossible, RuleError, whole, word, yes_or_no
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.body import Attribute

HARM_SLOTS: Final[Mapping[int, int]] = MappingProxyType({1: 2, 2: 2, 3: 1})
FATAL: Final = 4
"""The level of a harm that no row takes: catastrophic or fatal."""
HEALING_SEGMENTS: Final = 4
MOST_HEALING_TICKS: Final = 12
"""Ticked at once. No recovery gives more than 5."""

Rows: TypeAlias = Mapping[int, int]
"""The number of harms in the rows 1, 2 and 3; a missing row is empty."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A harm that was taken: its row (4 is fatal and has none), the rows after it, and the healing clock, emptied."""

    row: int
    taken: Rows
    healing: int = 0

    @property
    def fatal(self) -> bool:
        return self.row == FATAL


@dataclass(frozen=True, slots=True)
class Healed:
    """The healing clock and the rows after a recovery. `levels_down`: how far every harm has come down; below 1 it is gone."""

    healing: int
    taken: Rows
    levels_down: int


def harm_row(taken: Rows, level: int) -> int:
    """Return the row that takes a harm of `level` 1 to 4, given how many are `taken` in each: a full row moves it up; 4 is
    fatal."""
    rows = _rows(taken)
    row = whole("level", level, 1, FATAL)
    while row < FATAL and rows[row] >= HARM_SLOTS[row]:
        row += 1
    return row


def record(taken: Rows, level: int) -> Recorded:
    """Take a harm of `level` 1 to 4. A new harm empties the healing clock."""
    row, rows = harm_row(taken, level), _rows(taken)
    if row < FATAL:
        rows[row] += 1
    return Recorded(row, MappingProxyType(rows))


def heal(taken: Rows, healing: int, ticks: int) -> Healed:
    """Tick the healing clock (0 to 3 of 4 segments) by 1 to 12; each time it is full every harm goes down one level.

    The surplus starts the clock again; with no harm left the clock is empty. Raises NotPossible without harm.
    """
    rows = _rows(taken)
    whole("healing", healing, 0, HEALING_SEGMENTS - 1)
    if not any(rows.values()):
        raise NotPossible("harm", sum(rows.values()), allowed="at least one", message=_("There’s no harm to heal."))
    rounds, left = divmod(healing + whole("ticks", ticks, 1, MOST_HEALING_TICKS), HEALING_SEGMENTS)
    after = {row: rows.get(row + rounds, 0) for row in HARM_SLOTS}
    return Healed(left if any(after.values()) else 0, MappingProxyType(after), rounds)


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


HEAVY_ARMOR: Final = 2


class Kind(StrEnum):
    """The measure that a consequence is counted in; the last three are there or not."""

    HARM = "harm"  # its level
    COMPLICATION = "complication"  # ticks on a clock
    HEAT = "heat"
    REDUCED_EFFECT = "reduced effect"
    WORSE_POSITION = "worse position"
    LOST_OPPORTUNITY = "lost opportunity"


MOST_SEVERE: Final[Mapping[Kind, int]] = MappingProxyType(
    {
        Kind.HARM: FATAL,
        Kind.COMPLICATION: 12,
        Kind.HEAT: 12,
        Kind.REDUCED_EFFECT: 1,
        Kind.WORSE_POSITION: 1,
        Kind.LOST_OPPORTUNITY: 1,
    }
)
"""The highest severity of each kind. 12 ticks fill the largest clock; no text names an upper end for those or for heat."""

MOST_REDUCED: Final[Mapping[Kind, int]] = MappingProxyType({Kind.COMPLICATION: 2, Kind.HEAT: 2})
"""The most by which a resistance reduces: one or two ticks (forged.txt, Resistance Roll), heat likewise (our decision);
all else by one.
"""


class Resisting(StrEnum):
    """The GM's word before the roll on what resisting does."""

    REDUCES = "reduces"
    AVOIDS = "avoids"


@dataclass(frozen=True, slots=True)
class Consequence:
    """One consequence in its current state: its severity (0: nothing is left of it), whether it was resisted, boxes
    marked for it.

    Several consequences of one roll are several of these, and are resisted one by one.
    """

    kind: Kind
    severity: int = 1
    resisted: bool = False
    armor: int = 0

    def __post_init__(self) -> None:
        kind = word("kind", self.kind, Kind)
        whole("severity", self.severity, 0, MOST_SEVERE[kind])
        yes_or_no("resisted", self.resisted)
        whole("armor", self.armor, 0, HEAVY_ARMOR)

    @property
    def avoided(self) -> bool:
        return self.severity == 0

    def less(self, by: int) -> int:
        """Return its severity when it is less by so much; never below 0."""
        return max(0, self.severity - by)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The terms of a resistance roll: the consequence, the attribute, whether it is avoided or reduced, `by` how much.

    OutOfRange for `by` other than 1; ticks and heat may be reduced by 2.
    """

    consequence: Consequence
    attribute: Attribute
    resisting: Resisting = Resisting.REDUCES
    by: int = 1

    def __post_init__(self) -> None:
        word("attribute", self.attribute, Attribute)
        word("resisting", self.resisting, Resisting)
        whole("by", self.by, 1, MOST_REDUCED.get(self.consequence.kind, 1))


@dataclass(frozen=True, slots=True)
class Armor:
    """Boxes of armour: 0 for none, 1 for armour, 2 for heavy armour, and how many of them are marked."""

    boxes: int = 1
    marked: int = 0

    def __post_init__(self) -> None:
        whole("boxes", self.boxes, 0, HEAVY_ARMOR)
        whole("marked", self.marked, 0, self.boxes)


def left_after(stakes: Stakes) -> Consequence:
    """Return what is left of a consequence once it is resisted, whatever the dice say.

    Raises NotPossible if nothing is left of it, or it was resisted before. After armour it is possible, as in the
    text's example.
    """
    before = stakes.consequence
    _still_there(before)
    if before.resisted:
        message = _("A consequence can be resisted only once.")
        raise NotPossible("consequence", before.kind, allowed="one roll", message=message)
    severity = 0 if stakes.resisting == Resisting.AVOIDS else before.less(stakes.by)
    return replace(before, severity=severity, resisted=True)


def mark_armor(armor: Armor, consequence: Consequence, *, avoids: bool = False) -> tuple[Armor, Consequence]:
    """Mark one box: the consequence is one less, or avoided if the GM has said so (forged.txt, Armor). No roll, no stress.

    NotPossible without a free box, and for nothing. After a resistance roll it is possible: the text says "instead of rolling",
    but its example does both.
    """
    _still_there(consequence)
    if armor.marked == armor.boxes:
        message = _("There’s no armour left to mark.")
        raise NotPossible("armor", armor.marked, allowed="a free box", message=message)
    severity = 0 if yes_or_no("avoids", avoids) else consequence.less(1)
    after = replace(consequence, severity=severity, armor=consequence.armor + 1)
    return replace(armor, marked=armor.marked + 1), after


def armor(level: int, boxes: int = 1) -> int:
    """Return the level of harm (0 to 4) left after marking `boxes` (0 to 2) of armour: one less each (forged.txt, Armor)."""
    whole("level", level, 0, FATAL)
    whole("boxes", boxes, 0, HEAVY_ARMOR)
    return max(0, level - boxes)


def _still_there(consequence: Consequence) -> None:
    if consequence.avoided:
        message = _("Nothing is left of this consequence.")
        raise NotPossible("consequence", consequence.kind, allowed="a severity of 1 or more", message=message)


SIZES: Final = {"minor_complication": "minor", "complication": "standard", "serious_complication": "serious"}
HARMS: Final = {"harm_1": 1, "harm_2": 2, "harm_3": 3}
POSITIONS_WON: Final = {"risky_position": Position.RISKY, "desperate_position": Position.DESPERATE}

FEWEST_SEGMENTS: Final = 2
MOST_SEGMENTS: Final = 12
"""The most segments of a new clock."""


def kind_of(code: str, *, heat: bool) -> Kind:
    """Return the kind of a consequence from the menu; a complication may be heat."""
    if code in HARMS:
        return Kind.HARM
    if code in SIZES:
        return Kind.HEAT if heat else Kind.COMPLICATION
    if code in POSITIONS_WON:
        return Kind.WORSE_POSITION
    return Kind.REDUCED_EFFECT if code == "reduced_effect" else Kind.LOST_OPPORTUNITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflicted:
    """A consequence: `code` is that of its position's and result's menu, the rest was set by the GM.

    A `clock` of so many `segments` is a new one, which starts with `filled` once this is settled; one of 0 already
    exists. `whom` it hits now; `first`, whom it hit before a teammate stepped in. `severity` is what is left of it.
    `became` is "" until it is settled, then taken or avoided. `row` is the row of harm that took it, 4 for none.
    """

    key: Code
    code: Code
    severity: int
    whom: Uid
    words: Name = ""
    price: bool = False
    heat: bool = False
    clock: Uid | None = None
    clock_name: Name = ""
    clock_gone: bool = False
    segments: int = 0
    filled: int = 0
    attribute: Code = "prowess"
    resisting: Resisting = Resisting.REDUCES
    by: int = 1
    resisted: bool = False
    marked: tuple[Code, ...] = ()
    first: Code = ""
    became: Code = ""
    row: int = 0

    @property
    def kind(self) -> Kind:
        """Return the kind of the consequence."""
        return kind_of(self.code, heat=self.heat)

    @property
    def counted(self) -> Consequence:
        return Consequence(self.kind, self.severity, self.resisted, len(self.marked))
