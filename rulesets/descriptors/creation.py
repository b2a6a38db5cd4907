"""The budget of a Descriptors character. The text gives Will at the start and leaves the rest to the table: free by default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters.creation import Budget, Pot, Reckoning, Section, limit, points, rows_above, too_many
from characters.sheets.sheet import Values
from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext
from rulesets.descriptors.sheet import MOST_POWER_BOXES, MOST_WILL, POWER_BOXES, SHEET, START_WILL


@dataclass(frozen=True, kw_only=True)
class DescriptorsBudget(Budget):
    """0 leaves a thing free. `start_will` and `boxes` are decided among the rules, and not again here."""

    sheet = SHEET
    ruled = ("start_will", "boxes")

    dice: int = points(0, gettext_lazy("Total dice of all Descriptors (0: no limit)"))
    most_dice: int = points(0, gettext_lazy("Most dice of one Descriptor at the start (0: no limit)"))
    background: int = points(0, gettext_lazy("Background entries (0: no limit)"))
    keys: int = points(0, gettext_lazy("Keys at the start (0: no limit)"))
    start_will: int = START_WILL
    boxes: int = POWER_BOXES

    def sections(self) -> Sequence[Section]:
        return (
            Section(
                "descriptors", _("Descriptors"), (), "descriptors", ("name", "dice", "category"), self.most_dice or None
            ),
            Section(
                "background",
                _("Background"),
                (),
                "background",
                ("name",),
                words=_("What’s part of the character, without dice."),
            ),
            Section("keys", pgettext("descriptors", "Keys"), (), "keys", ("name", "framework", "words"), begins=1),
        )

    def completed(self, values: Values) -> dict[str, Any]:
        # The rules take longer tracks than a sheet has room for.
        will, boxes = min(self.start_will, MOST_WILL), min(self.boxes, MOST_POWER_BOXES)
        return {"start_will": will, "will": will, "power_boxes": boxes, **values}

    def reckon(self, values: Values) -> Reckoning:
        pots = (
            Pot("descriptors", _("Dice"), limit(self.dice), sum(self.in_rows(values, "descriptors", "dice"))),
            Pot("background", _("Background entries"), limit(self.background), len(SHEET.rows(values, "background"))),
            Pot("keys", pgettext("descriptors", "Keys"), limit(self.keys), len(SHEET.rows(values, "keys"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        return Reckoning(pots, faults | rows_above(values, SHEET, "descriptors", "dice", self.most_dice))
