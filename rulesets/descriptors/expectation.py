"""The expected results of a roll, from its terms and the campaign's current rules, for the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rolls.ruleset import Expectation
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.descriptors.odds import opposed
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import WILL
from rulesets.descriptors.table.pools import stored_pool

KEPT = 4096


@lru_cache(maxsize=KEPT)
def _chances(mine: int, theirs: int, settings: Settings) -> Mapping[str, float]:
    odds = opposed(mine, theirs, settings)
    win, stalemate = float(odds.win), float(odds.stalemate)
    return {"win": win, "loss": float(1 - odds.win - odds.stalemate), "stalemate": stalemate}


class DescriptorsExpectation(Expectation):
    resources = (WILL,)

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        return _chances(terms["a"]["dice"], terms["b"]["dice"], settings.of(Settings))

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return settings.of(Settings).sides

    def traits(self, terms: Terms) -> Iterable[str]:
        """Return the names in the roller's pool, "" for unnamed dice."""
        pool = stored_pool(terms["a"])
        named = [entry.called for entry in pool.entries]
        return [*named, ""] if pool.unnamed or not named else named

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {WILL: terms["a"]["spent"] if terms["a"]["pays"] else 0}
