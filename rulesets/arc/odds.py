"""Exact odds of arc checks: one die against what it has to exceed, or against another's (arc.txt, V.5, V.7, V.8).

A check has one die, so its faces are gone through one by one, and those of two checks pair by pair: every equally likely case is
looked at once. KS, US and other adjustments come in only as what the dice have to make up for.

Whoever knows `needed` or `lead` can work out a US: odds made of them are for those who may know it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final

from rules.checked import Whole
from rules.dice import D10, chances
from rules.errors import whole
from rules.questions import Answer, Question, text
from rulesets.arc.rules.check import LARGEST_OTHER, Reaction, adjustment, core_row
from rulesets.arc.settings import DEFAULTS, SCORES, Settings

FURTHEST: Final = 2 * (SCORES[1] + LARGEST_OTHER)
"""Two totals, or a total and a threshold, are never further apart."""


def adjustments(es: int, settings: Settings = DEFAULTS) -> Mapping[int, Fraction]:
    """Return the chance of each ES adjustment (never 0) for an ES of 1 to 10."""
    return _adjustments(whole("es", es, *SCORES), settings)


def threshold(es: int, needed: int, settings: Settings = DEFAULTS) -> Fraction:
    """Return the chance to exceed a threshold; `needed` is the threshold minus all of the total but the die, -220 to 220.

    The adjustment has to be higher than `needed`: a tie fails.
    """
    return _exceeding(es, whole("needed", needed, -FURTHEST, FURTHEST), settings)


def opposed(acting: int, countering: int, lead: int, settings: Settings = DEFAULTS) -> Fraction:
    """Return the chance that the side acting with this ES exceeds the countering one; a tie fails.

    `lead` is how far the acting side's total is ahead before the dice fall, -220 to 220.
    """
    whole("lead", lead, -FURTHEST, FURTHEST)
    theirs = adjustments(countering, settings)
    return sum((chance * _exceeding(acting, value - lead, settings) for value, chance in theirs.items()), Fraction())


def reaction(som: int) -> Fraction:
    """Return the chance to pass a Reaction check with a SOM of 1 to 10."""
    passed = sum(Reaction(som, face).success for face in range(1, D10.sides + 1))
    return Fraction(passed, D10.sides)


def _exceeding(es: int, needed: int, settings: Settings) -> Fraction:
    return sum((chance for value, chance in adjustments(es, settings).items() if value > needed), Fraction())


@lru_cache(maxsize=256)
def _adjustments(es: int, settings: Settings) -> Mapping[int, Fraction]:
    sides = core_row(es, settings).die.sides
    ways = Counter(adjustment(es, face, settings).value for face in range(1, sides + 1))
    return chances(dict(sorted(ways.items())), sides)


class Asked(Question):
    es: Annotated[int, Whole(*SCORES)]
    needed: Annotated[int, Whole(-FURTHEST, FURTHEST)]
    """The threshold minus all of the total but the die."""

    def answer(self) -> Answer:
        return {"success": text(threshold(self.es, self.needed))}


QUESTION: Final = Asked
