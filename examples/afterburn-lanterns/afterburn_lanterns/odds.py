"""Exact odds of Lanterns: all ways in which the dice fall, each looked at once by the rules themselves."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Annotated

from afterburn.rules import Answer, Question, Whole, text
from afterburn_lanterns.rules import D6, DEFAULTS, DICE, HIGHEST, MOST_OIL, Check, Light, Settings, resolve


@lru_cache(maxsize=256)
def lights(check: Check, settings: Settings = DEFAULTS) -> dict[Light, Fraction]:
    """Return the chance of each light."""
    rolls = list(product(range(1, D6.sides + 1), repeat=DICE + check.oil))
    ways = Counter(resolve(check, iter(faces), settings)[2] for faces in rolls)
    return {light: Fraction(ways[light], len(rolls)) for light in Light}


class Asked(Question):
    """For `python -m rulesets.odds`: {"system": "lanterns", "trait": 2}"""

    trait: Annotated[int, Whole(0, HIGHEST)]
    wind: Annotated[int, Whole(0, HIGHEST)] = 0
    oil: Annotated[int, Whole(0, MOST_OIL)] = 0

    def answer(self) -> Answer:
        check = Check(trait=self.trait, wind=self.wind, oil=self.oil)
        return {light.value: text(chance) for light, chance in lights(check).items()}


QUESTION = Asked
