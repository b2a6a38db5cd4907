"""A consequence that the GM has named, and what has become of it (forged.txt, Consequences)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from campaigns.schema import Code, Name, Uid
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.consequence import Consequence, Kind, Resisting

SIZES: Final = {"minor_complication": "minor", "complication": "standard", "serious_complication": "serious"}
HARMS: Final = {"harm_1": 1, "harm_2": 2, "harm_3": 3}
POSITIONS_WON: Final = {"risky_position": Position.RISKY, "desperate_position": Position.DESPERATE}

FEWEST_SEGMENTS: Final = 2
MOST_SEGMENTS: Final = 12
"""Of a new clock."""


def kind_of(code: str, *, heat: bool) -> Kind:
    """Return what a consequence of the menu is counted in; a complication may be heat."""
    if code in HARMS:
        return Kind.HARM
    if code in SIZES:
        return Kind.HEAT if heat else Kind.COMPLICATION
    if code in POSITIONS_WON:
        return Kind.WORSE_POSITION
    return Kind.REDUCED_EFFECT if code == "reduced_effect" else Kind.LOST_OPPORTUNITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflicted:
    """A consequence: `code` as the menu of its position and result has it, and what the GM said of it.

    A `clock` of so many `segments` is a new one, which begins with so many `filled` once this is settled; one of 0 is there.
    `whom` it hits now; `first`, whom it hit before a teammate stepped in. `severity` is what is left of it. `became` is "" until
    it is settled, then taken or avoided. `row` is the row of harm that took it, 4 for none.
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
        """Return what it is counted in."""
        return kind_of(self.code, heat=self.heat)

    @property
    def counted(self) -> Consequence:
        return Consequence(self.kind, self.severity, self.resisted, len(self.marked))
