"""What was to be expected of a roll: the exact chance of success of its very pool, by the rules as the campaign has set them now.

Every figure is asked of `rolls.rules.odds` once for the same inputs and then kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rolls.rules import arc_settings, descriptors, scale, storyteller
from rolls.rules.arc import core_row
from rolls.rules.dice import D10
from rolls.rules.forged_roll import D6, Result
from rolls.rules.odds import arc as arc_odds
from rolls.rules.odds import descriptors as descriptors_odds
from rolls.rules.odds import forged as forged_odds
from rolls.rules.odds import storyteller as storyteller_odds
from rolls.settings import RollSettings

Terms = dict[str, Any]
KEPT = 4096


@dataclass(frozen=True)
class Expected:
    """For one viewer. The chance of an arc check would give a US away, so that only GMs are told of it."""

    settings: RollSettings
    for_gm: bool

    def chance(self, system: str, kind: str, ask: Terms) -> float | None:
        """The chance of success, 0 to 1; None where the viewer may not know it."""
        if system == "storyteller":
            return _storyteller(ask["dice"], ask["difficulty"], ask["willpower"], self.settings.storyteller)
        if system == "descriptors":
            return _descriptors(ask["a"]["dice"], ask["b"]["dice"], self.settings.descriptors)
        if system == "forged":
            return _forged(ask["dice"])
        return self._arc(kind, ask)

    def drift(self, ask: Terms) -> float:
        """What a Storyteller roll gives the Scale on average."""
        return _drift(ask["dice"], ask["difficulty"], self.settings.scale)

    def sides(self, system: str, kind: str, ask: Terms) -> int:
        """How many faces its dice have."""
        if system == "forged":
            return D6.sides
        if system == "descriptors":
            return self.settings.descriptors.sides
        if system == "arc" and kind != "reaction":
            return core_row(ask["es"], self.settings.arc).die.sides
        return D10.sides

    def _arc(self, kind: str, ask: Terms) -> float | None:
        if kind == "reaction":
            return float(arc_odds.reaction(ask["som"]))
        if not self.for_gm:
            return None
        if kind == "check":
            return _check(ask["es"], ask["threshold"] - _ahead(ask), self.settings.arc)
        acting = ask["acting"]
        return _counter(acting["es"], ask["es"], _ahead(acting) - _ahead(ask), self.settings.arc)


@lru_cache(maxsize=64)
def expected(settings: RollSettings, *, for_gm: bool) -> Expected:
    """Kept for the next page, since odds of large pools take a while."""
    return Expected(settings, for_gm)


def _ahead(ask: Terms) -> int:
    return ask["ks"] + ask["us"] + ask["other"]


@lru_cache(maxsize=KEPT)
def _storyteller(dice: int, difficulty: int, willpower: bool, settings: storyteller.Settings) -> float:
    """An Ability only tells a botch from a failure, so it is not asked for."""
    odds = storyteller_odds.joint(dice, difficulty, settings=settings)
    found = storyteller_odds.outcomes(odds, willpower=willpower, settings=settings)
    return float(1 - found["botch"] - found["failure"])


@lru_cache(maxsize=KEPT)
def _drift(dice: int, difficulty: int, settings: scale.Settings) -> float:
    return float(storyteller_odds.drift(dice, difficulty, settings).expected)


@lru_cache(maxsize=KEPT)
def _descriptors(mine: int, theirs: int, settings: descriptors.Settings) -> float:
    return float(descriptors_odds.opposed(mine, theirs, settings).win)


@lru_cache(maxsize=KEPT)
def _forged(dice: int) -> float:
    return float(1 - forged_odds.results(dice)[Result.BAD])


@lru_cache(maxsize=KEPT)
def _check(es: int, needed: int, settings: arc_settings.Settings) -> float:
    return float(arc_odds.threshold(es, needed, settings))


@lru_cache(maxsize=KEPT)
def _counter(acting: int, countering: int, lead: int, settings: arc_settings.Settings) -> float:
    return float(1 - arc_odds.opposed(acting, countering, lead, settings))
