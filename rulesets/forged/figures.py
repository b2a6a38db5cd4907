"""What follows from a forged sheet by the rules: the attributes, and which trauma there is."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rulesets.forged.sheet import ACTIONS, attribute, traumas


def _derive(values: Values, campaign: Campaign) -> list[Figure]:
    """The ratings of the attributes (forged.txt, Resistance Roll), and the codes of trauma conditions."""
    return [*(Figure(name, (attribute(values, name),)) for name in ACTIONS), Figure("trauma", traumas(values))]


def _words(figure: Figure) -> tuple[str, str]:
    if figure.name == "trauma":
        return "Trauma", ", ".join(map(str, figure.values)) or "none"
    return figure.name.capitalize(), str(figure.values[0])


FIGURES = Figures(derive=_derive, words=_words)
