"""The exact odds of the roll that is being set up: what the composer shows before the dice fall."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from campaigns.models import Campaign
from characters.models import Character
from characters.sheets import storyteller as sheet
from characters.sheets.fields import SheetError
from rolls.rules.errors import RuleError
from rolls.rules.odds.storyteller import drift, joint
from rolls.rules.storyteller import Ask as Asked
from rolls.rules.storyteller import Kind
from rolls.rules.storyteller_pool import Pool, typed_pool
from rolls.services.ask import Ask
from rolls.settings import RollSettings, roll_settings

WORDS = {"botch": "botch", "failure": "fail", "marginal": "marginal", "more": "two or more"}


def preview(campaign: Campaign, character: Character | None, ask: Ask) -> dict[str, Any] | None:
    """The odds as rolls/_odds.html draws them; None while there is no pool that could be rolled.

    Everything in it comes from the roller's own sheet and form.
    """
    settings = roll_settings(campaign)
    try:
        asked = Asked(
            pool=_pool(character, ask), difficulty=ask.difficulty, kind=Kind(ask.kind), willpower=ask.willpower
        )
    except (RuleError, SheetError, ValueError):
        return None
    chances = _chances(asked, settings)
    return {
        "dice": asked.pool.dice,
        "parts": _parts(chances),
        "sentence": _sentence(chances),
        "drift": _drift(asked, settings),
        "beyond_human": asked.pool.is_beyond_human,
    }


def _pool(character: Character | None, ask: Ask) -> Pool:
    # Reading must not write: a character that no Burn has touched has no Momentum.
    momentum = getattr(character, "momentum", None) if ask.kind == Kind.ACTION else None
    burn_dice = momentum.die_modifier if momentum else 0
    if ask.dice is not None:
        return typed_pool(ask.dice, modifier=ask.modifier, burn_dice=burn_dice)
    if character is None:
        raise ValueError("nothing to roll")
    rated = sheet.pool(character.sheet, ask.traits)
    return Pool(dots=rated.dice, modifier=ask.modifier, burn_dice=burn_dice, ability=rated.ability)


def _chances(asked: Asked, settings: RollSettings) -> dict[str, Fraction]:
    """The chance of each outcome, of 1 in all."""
    found = joint(
        asked.pool.dice,
        asked.difficulty,
        ability=asked.pool.ability,
        settings=settings.storyteller,
        scale_settings=settings.scale,
    )
    chances = dict.fromkeys(WORDS, Fraction())
    for verdict, _, ways in found:
        botched = verdict.botch and not (asked.willpower and settings.storyteller.willpower_prevents_botch)
        total = verdict.net + asked.willpower
        outcome = "botch" if botched else "failure" if total < 1 else "marginal" if total == 1 else "more"
        chances[outcome] += Fraction(ways, found.total)
    return chances


def _parts(chances: Mapping[str, Fraction]) -> list[dict[str, Any]]:
    """The bar: places and widths in whole percents, which end at 100."""
    parts, sum_so_far = [], Fraction()
    for kind, chance in chances.items():
        x = round(100 * sum_so_far)
        sum_so_far += chance
        parts.append(
            {"kind": kind, "x": x, "w": round(100 * sum_so_far) - x, "percent": _percent(chance), "words": WORDS[kind]}
        )
    return parts


def _percent(chance: Fraction) -> str:
    if 0 < chance < Fraction(1, 100):
        return "under 1 %"
    return f"{round(100 * chance)} %"


def _sentence(chances: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{WORDS[kind]} {_percent(chance)}" for kind, chance in chances.items()) + "."


def _drift(asked: Asked, settings: RollSettings) -> str:
    """What the roll gives the Scale on average; "" for kinds that do not feed it."""
    if asked.kind is not Kind.ACTION:
        return ""
    mean = float(drift(asked.pool.dice, asked.difficulty, settings.scale).expected)
    return f"expected Scale {mean:+.2f}".replace("-", "\N{MINUS SIGN}")
