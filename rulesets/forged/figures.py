"""What follows from a forged sheet by the rules: the attributes."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rulesets.forged.sheet import ACTIONS, attribute


def _derive(values: Values, campaign: Campaign) -> list[Figure]:
    """The ratings of the attributes (forged.txt, Resistance Roll)."""
    return [Figure(name, (attribute(values, name),)) for name in ACTIONS]


def _words(figure: Figure) -> tuple[str, str]:
    return figure.name.capitalize(), str(figure.values[0])


FIGURES = Figures(derive=_derive, words=_words)
