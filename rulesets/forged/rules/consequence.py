"""Harm and other consequences: where harm is recorded and how it heals, what resisting and armour leave of a consequence, and
what becomes of one that the GM has named (forged.txt, Consequences to Armor; public rules, Harm and Recovery).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from pydantic import BaseModel

from campaigns.schema import Code, Name, Text
from languages.text import gettext as _
from rules.errors import NotPossible, RuleError, whole
from rules.table import Clock, Refused
from rulesets.forged.rules.action import COMPLICATION_TICKS, Attribute, Position

HARM_SLOTS: Final[Mapping[int, int]] = MappingProxyType({1: 2, 2: 2, 3: 1})
FATAL: Final = 4
"""The level of a harm that no row takes: catastrophic or fatal."""
HEALING_SEGMENTS: Final = 4
MOST_HEALING_TICKS: Final = 12
"""Ticked at once. No recovery gives more than 5."""

Rows: TypeAlias = Mapping[int, int]
"""The number of harms in the rows 1, 2 and 3; a missing row is empty."""


@dataclass(frozen=True, slots=True)
class Healed:
    """The healing clock after a recovery, and by how many levels every harm has come down; below 1 it is gone."""

    healing: int
    levels_down: int


def harm_row(taken: Rows, level: int) -> int:
    """Return the row that takes a harm of `level` 1 to 4, given how many are `taken` in each: a full row moves it up; 4 is
    fatal."""
    rows = _rows(taken)
    row = whole("level", level, 1, FATAL)
    while row < FATAL and rows[row] >= HARM_SLOTS[row]:
        row += 1
    return row


def heal(taken: Rows, healing: int, ticks: int) -> Healed:
    """Tick the healing clock (0 to 3 of 4 segments) by 1 to 12; each time it is full every harm goes down one level.

    The surplus starts the clock again; with no harm left the clock is empty. Raises NotPossible without harm.
    """
    rows = _rows(taken)
    whole("healing", healing, 0, HEALING_SEGMENTS - 1)
    if not any(rows.values()):
        raise NotPossible("harm", sum(rows.values()), allowed="at least one", message=_("There’s no harm to heal."))
    rounds, left = divmod(healing + whole("ticks", ticks, 1, MOST_HEALING_TICKS), HEALING_SEGMENTS)
    stays = any(rows.get(row + rounds) for row in HARM_SLOTS)
    return Healed(left if stays else 0, rounds)


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
"""The complication that each position suggests (rules/action.py, MENUS)."""


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
        found = [*self._complications(at)]
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

    def _complications(self, at: Position) -> Iterator[Inflicted]:
        for one in self.ticking:
            yield self._sized(at, one.ticks, clock=one.clock, clock_name=one.name)
        if self.new_clock:
            new = {"clock_name": self.new_clock, "segments": self.segments, "filled": self.filled}
            yield self._sized(at, self.size, **new)

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
