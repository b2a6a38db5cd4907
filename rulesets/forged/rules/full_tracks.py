"""What follows from a full track, however it was filled: of stress a trauma, of heat a wanted level (public rules, Stress and
Trauma, Heat)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from characters.reasons import Reason
from rolls.rules.effects import Begin, Effect, Write
from rolls.rules.procedures import Snapshot
from rolls.rules.sheet_follows import SheetFollow
from rulesets.forged import crew, sheet
from rulesets.forged.rules.heat import HEAT_BOXES
from rulesets.forged.rules.sheet_steps import heat_steps
from rulesets.forged.settings import DEFAULTS, Settings

TRAUMA: Final = "trauma"
"""The procedure in which it is chosen."""
FULL_HEAT: Final = Reason("forged_full_heat", "a full track of heat is a wanted level")


def _stress_is_full(values: Mapping[str, Any], settings: Settings | None) -> bool:
    return sheet.SHEET.number(values, "stress") >= (settings or DEFAULTS).boxes


def _break(seen: Snapshot) -> Sequence[Effect]:
    """One choice for all whom the same step has brought there, but for those who have one to make already."""
    choosing = {scoundrel.character for _, it in seen.open.get(TRAUMA, ()) for scoundrel in it.open}
    scoundrels = [
        {"character": who, "name": snapshot.name} for who, snapshot in seen.sheets.items() if who not in choosing
    ]
    return [Begin(kind=TRAUMA, given={"those": scoundrels})] if scoundrels else []


def _heat_is_full(values: Mapping[str, Any], settings: Settings | None) -> bool:
    return crew.heat(values)[0] >= HEAT_BOXES


def _raise(seen: Snapshot) -> Sequence[Effect]:
    """By hand nobody marks more than the last box; what is over of more at once rolls over where it comes from (heat_steps)."""
    return [
        Write(character=who, steps=heat_steps(*crew.heat(snapshot.values), 0), why=FULL_HEAT, follows="heat")
        for who, snapshot in seen.sheets.items()
    ]


FOLLOWS: Final = {
    sheet.SHEET.name: SheetFollow(due=_stress_is_full, effects=_break),
    crew.SHEET.name: SheetFollow(due=_heat_is_full, effects=_raise),
}
