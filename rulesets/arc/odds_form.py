"""What can be set on the page of odds."""

from __future__ import annotations

from typing import Final

from rolls.forms.odds import NumberField, OddsForm
from rulesets.arc.settings import SCORES

FURTHEST: Final = 30


class ArcOdds(OddsForm):
    es = NumberField("ES", *SCORES, 5)
    needed = NumberField("Needed", -FURTHEST, FURTHEST, 0, "Threshold − KS − US − other adjustments.")
    against = NumberField("Other side’s ES", *SCORES, 5)
    lead = NumberField("Lead", -FURTHEST, FURTHEST, 0, "How far you are ahead before the dice.")
    som = NumberField("SOM", *SCORES, 5)
