"""Exact odds of a pool, as a card says them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rolls.odds.bar import percent
from rulesets.forged.odds import results
from rulesets.forged.rules.roll import Pool

LOOKS = {"bad": "worst", "partial": "bad", "full": "fair", "critical": "good"}


def pool_words(pool: Pool) -> str:
    """ "3 dice", "no dice: two, and the lowest counts"."""
    if pool.lowest:
        return "no dice: two, and the lowest counts"
    return f"{pool.dice} {'die' if pool.dice == 1 else 'dice'}"


def odds_words(pool: Pool, called: Mapping[str, str]) -> list[dict[str, Any]]:
    """The chance of each result, as it is `called` by its code; what cannot come is left out."""
    chances = {result.name.lower(): chance for result, chance in results(pool.dice).items()}
    return [
        {"look": LOOKS[code], "words": called[code], "chance": percent(chance)}
        for code, chance in chances.items()
        if chance
    ]
