"""What follows from a forged sheet by the rules: the attributes."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure
from characters.sheets.sheet import Values
from rulesets.forged.sheet import ACTIONS, attribute


def figures(values: Values, campaign: Campaign) -> list[Figure]:
    """The ratings of the attributes (forged.txt, Resistance Roll)."""
    return [Figure(name, name.capitalize(), str(attribute(values, name))) for name in ACTIONS]
