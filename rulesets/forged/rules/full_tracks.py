"""The rules of what follows from a full track, however it was filled: of stress a trauma, of heat a wanted level (public
rules, Stress and Trauma, Heat)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from characters.reasons import Reason
from languages.text import gettext_lazy
from rules.effects import Begin, Effect, Write
from rules.procedures import SheetFollow, Snapshot
from rulesets.forged import crew, sheet
from rulesets.forged.rules.downtime import HEAT_BOXES, heat_steps
from rulesets.forged.settings import DEFAULTS, Settings

TRAUMA: Final = "trauma"
"""The procedure in which it is chosen."""
FULL_HEAT: Final = Reason("forged_full_heat", gettext_lazy("a full heat track raises the wanted level"))


class FullStress(SheetFollow):
    """Full stress brings a trauma: one choice for all whom the same step has brought there."""

    def due(self, values: Mapping[str, Any], settings: Settings | None) -> bool:
        return sheet.SHEET.number(values, "stress") >= (settings or DEFAULTS).boxes

    def effects(self, snapshot: Snapshot) -> Sequence[Effect]:
        choosing = {
            who for _, choice in snapshot.open.get(TRAUMA, ()) for who in choice.those if who not in choice.chosen
        }
        scoundrels = [who for who in snapshot.sheets if who not in choosing]
        return [Begin(kind=TRAUMA, given={"those": scoundrels})] if scoundrels else []


class FullHeat(SheetFollow):
    """Full heat raises the wanted level. Marking by hand stops at the last box; a larger change at once rolls over
    where it is made (heat_steps).
    """

    def due(self, values: Mapping[str, Any], settings: Settings | None) -> bool:
        return crew.heat(values)[0] >= HEAT_BOXES

    def effects(self, snapshot: Snapshot) -> Sequence[Effect]:
        return [
            Write(character=who, steps=heat_steps(*crew.heat(gang.values), 0), why=FULL_HEAT, follows="heat")
            for who, gang in snapshot.sheets.items()
        ]


FOLLOWS: Final = {sheet.SHEET.name: FullStress(), crew.SHEET.name: FullHeat()}
