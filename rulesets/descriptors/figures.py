"""What follows from a sheet of Descriptors by the rules: its Advances."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure
from characters.sheets.sheet import Values
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE
from rulesets.descriptors.sheet import SHEET

MINUS = "\N{MINUS SIGN}"


def figures(values: Values, campaign: Campaign) -> list[Figure]:
    """Advances that can be spent, and XP towards the next (descriptors.txt, "Every 5 XP is an Advance")."""
    xp = SHEET.number(values, "xp")
    earned, towards = divmod(xp, XP_PER_ADVANCE)
    left = earned - SHEET.number(values, "advances_spent")
    return [
        Figure("advances", "Advances to spend", f"{MINUS}{-left}" if left < 0 else str(left)),
        Figure("towards", "Towards the next", f"{towards} of {XP_PER_ADVANCE} XP"),
    ]
