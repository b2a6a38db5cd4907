"""The expected results of a roll, from its terms and the campaign's current rules, for the statistics."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.dice import D10
from rulesets.arc import odds
from rulesets.arc.rules.check import core_row, value_of
from rulesets.arc.settings import Settings
from rulesets.arc.table import KINDS

KEPT = 4096
REACTION = "reaction"


def _ahead(terms: Terms) -> int:
    return int(terms["ks"] + terms["us"] + terms["other"])


@lru_cache(maxsize=KEPT)
def _check(es: int, needed: int, settings: Settings) -> float:
    return float(odds.threshold(es, needed, settings))


@lru_cache(maxsize=KEPT)
def _counter(es: int, total: int, before: int, settings: Settings) -> float:
    return float(odds.counter(es, total, before, settings))


class ArcExpectation(Expectation):
    def chance(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> float | None:
        """Return the chance of success. That of a check would betray its US, and that of an NPC's reaction its SOM, so
        only GMs get them. Older rolls do not say whose SOM it was.
        """
        if kind == REACTION:
            return float(odds.reaction(terms["som"])) if for_gm or not terms.get("secret", True) else None
        if not for_gm:
            return None
        if kind == "check":
            return _check(terms["es"], terms["threshold"] - _ahead(terms), settings.of(Settings))
        # The die of the other side has fallen by then; a counter is a roll of one die.
        acting = terms["acting"]
        total = _ahead(acting) + value_of(acting["es"], acting["face"])
        if terms.get("acts"):  # the other side was first, and who acts has to exceed it
            return _check(terms["es"], total - _ahead(terms), settings.of(Settings))
        return _counter(terms["es"], total, _ahead(terms), settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D10.sides if kind == REACTION else core_row(terms["es"], settings.of(Settings)).die.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return KINDS[terms["kind"]].trait_names(terms)
