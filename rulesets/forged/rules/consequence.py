"""Forged in the Dark: consequences, and what resisting or armour leaves of them (forged.txt, Consequences to Armor).

    wound = Consequence(Kind.HARM, 3)
    resisted = resist_consequence(Stakes(wound, Attribute.PROWESS), rating=3, faces=iter([5, 2, 1]))
    resisted.cost, resisted.left.severity   # 1, 2: the printed example
    armor, left = mark_armor(Armor(), resisted.left)
    left.severity                           # 1

The GM may ask for a resistance roll before the action, too, against a dangerous foe: it is the same roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rolls.rules.errors import NotPossible, whole, word, yes_or_no
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.harm import FATAL

HEAVY_ARMOR: Final = 2


class Kind(StrEnum):
    """What a consequence is counted in; the last three are there or not."""

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
"""How far a resistance may reduce: ticks by one or two (forged.txt, Resistance Roll), heat likewise by ours; the rest by one."""


class Resisting(StrEnum):
    """What the GM has said before the roll that resisting does."""

    REDUCES = "reduces"
    AVOIDS = "avoids"


@dataclass(frozen=True, slots=True)
class Consequence:
    """One consequence as it now stands: its severity (0: nothing is left of it), whether it was resisted, boxes marked for it.

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
        """Its severity when it is less by so much; never below 0."""
        return max(0, self.severity - by)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is known before a resistance roll: the consequence, the attribute, whether it is avoided or reduced, `by` how much.

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
    """What is left of a consequence once it is resisted, whatever the dice say. NotPossible as `resist_consequence` says."""
    before = stakes.consequence
    _still_there(before)
    if before.resisted:
        message = "A consequence is resisted once."
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
        message = "There is no armour left to mark."
        raise NotPossible("armor", armor.marked, allowed="a free box", message=message)
    severity = 0 if yes_or_no("avoids", avoids) else consequence.less(1)
    after = replace(consequence, severity=severity, armor=consequence.armor + 1)
    return replace(armor, marked=armor.marked + 1), after


def armor(level: int, boxes: int = 1) -> int:
    """The level of harm (0 to 4) left after marking `boxes` (0 to 2) of armour: one less each (forged.txt, Armor)."""
    whole("level", level, 0, FATAL)
    whole("boxes", boxes, 0, HEAVY_ARMOR)
    return max(0, level - boxes)


def _still_there(consequence: Consequence) -> None:
    if consequence.avoided:
        message = "Nothing is left of this consequence."
        raise NotPossible("consequence", consequence.kind, allowed="a severity of 1 or more", message=message)
