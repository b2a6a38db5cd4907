"""What follows from a forged sheet by the rules: the attributes, which trauma there is, and what else can be carried."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.figures import Figure, Figures
from characters.sheets.sheet import Values
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import ACTIONS, SHEET, attribute, traumas


def _slots_words(carried: int, most: int) -> str:
    """ "2 of 5 free"; without a load that is chosen, what is carried."""
    if not most:
        return f"{carried} carried, no load chosen"
    return f"{most - carried} of {most} free" if carried <= most else f"{carried - most} more than the {most} that fit"


class ForgedFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        """The ratings of the attributes (forged.txt, Resistance Roll), the codes of trauma conditions, and how many slots of the
        load that is chosen are taken."""
        carried = sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])
        chosen = str(SHEET.value(values, "load"))
        return [
            *(Figure(name, (attribute(values, name),)) for name in ACTIONS),
            Figure("trauma", traumas(values)),
            Figure("slots", (carried, MOST_ITEMS[Load(chosen)] if chosen else 0)),
        ]

    def words(self, figure: Figure) -> tuple[str, str]:
        if figure.name == "trauma":
            return "Trauma", ", ".join(map(str, figure.values)) or "none"
        if figure.name == "slots":
            return "Load", _slots_words(*map(int, figure.values))
        return figure.name.capitalize(), str(figure.values[0])

    def brief(self, figure: Figure) -> tuple[str, int, int]:
        if figure.name != "trauma" or not figure.values:
            return "", 0, 0
        return ("Trauma" if len(figure.values) > 1 else str(figure.values[0]).capitalize()), 0, 0
