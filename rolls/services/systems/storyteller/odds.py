"""The exact odds of a Storyteller roll that is being set up, and what it is likely to give the Scale."""

from __future__ import annotations

from fractions import Fraction

from campaigns.errors import Invalid
from rolls.rules.errors import RuleError
from rolls.rules.odds.storyteller import drift, joint
from rolls.rules.storyteller import Ask as Asked
from rolls.rules.storyteller import Kind
from rolls.services.systems.bar import Part, bar, shift
from rolls.services.systems.base import Looker, Odds
from rolls.services.systems.storyteller.ask import Ask, pool_of
from rolls.settings import RollSettings

PARTS = {"botch": "worst", "fail": "bad", "marginal": "fair", "two or more": "good"}


def preview(looker: Looker, ask: Ask) -> Odds | None:
    """None while there is no pool that could be rolled. Everything in it comes from the roller's own sheet and form."""
    # Reading must not write: a character that no Burn has touched has no Momentum.
    momentum = getattr(looker.character, "momentum", None) if ask.kind == Kind.ACTION else None
    burn_dice = momentum.die_modifier if momentum else 0
    try:
        pool, _ = pool_of(looker.character, ask.traits, ask, burn_dice)
        asked = Asked(pool=pool, difficulty=ask.difficulty, kind=Kind(ask.kind), willpower=ask.willpower)
    except (Invalid, RuleError, ValueError):
        return None
    parts = [Part(PARTS[words], words, chance) for words, chance in chances(asked, looker.settings).items()]
    warning = "More than ten dice: beyond what is human." if pool.is_beyond_human else ""
    return bar(parts, dice=pool.dice, lines=[_drift(asked, looker.settings), warning])


def chances(asked: Asked, settings: RollSettings) -> dict[str, Fraction]:
    """The chance of each part of the bar, of 1 in all."""
    found = joint(
        asked.pool.dice,
        asked.difficulty,
        ability=asked.pool.ability,
        settings=settings.storyteller,
        scale_settings=settings.scale,
    )
    summed = dict.fromkeys(PARTS, Fraction())
    for verdict, _, ways in found:
        botched = verdict.botch and not (asked.willpower and settings.storyteller.willpower_prevents_botch)
        total = verdict.net + asked.willpower
        outcome = "botch" if botched else "fail" if total < 1 else "marginal" if total == 1 else "two or more"
        summed[outcome] += Fraction(ways, found.total)
    return summed


def _drift(asked: Asked, settings: RollSettings) -> str:
    """What the roll gives the Scale on average; "" for kinds that do not feed it."""
    if asked.kind is not Kind.ACTION:
        return ""
    return f"expected Scale {shift(drift(asked.pool.dice, asked.difficulty, settings.scale).expected)}"
