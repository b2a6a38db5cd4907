"""What follows from a sheet of Descriptors by the rules: its Advances, and how much of its Power track is crossed off."""

from __future__ import annotations

from campaigns.models import Campaign
from campaigns.text import signed
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE
from rulesets.descriptors.sheet import SHEET, track


class DescriptorsFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """Advances that can be spent, XP towards the next (descriptors.txt, "Every 5 XP is an Advance"), and boxes crossed
        off."""
        xp = SHEET.number(values, "xp")
        earned, towards = divmod(xp, XP_PER_ADVANCE)
        power = track(values)
        return [
            Figure("power", (len(power.crossed), power.boxes)),
            Figure("advances", (earned - SHEET.number(values, "advances_spent"),)),
            Figure("towards", (towards,)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        number = int(figure.values[0])
        if figure.name == "power":
            return "Power", f"{number} of {figure.values[1]} crossed off"
        if figure.name == "advances":
            return "Advances to spend", signed(number) if number < 0 else str(number)
        return "Towards the next", f"{number} of {XP_PER_ADVANCE} XP"

    def brief(self, figure: Figure) -> tuple[str, int, int]:
        """Crossed boxes of the Power track, out of those there are."""
        if figure.name != "power":
            return "", 0, 0
        crossed, boxes = map(int, figure.values)
        return "", crossed, boxes
