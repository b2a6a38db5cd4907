"""The exact odds of a Storyteller roll that is being set up, and what it is likely to give the Scale."""

from __future__ import annotations

from fractions import Fraction

from campaigns.errors import Invalid
from rolls.models import Scale
from rolls.rules.errors import RuleError
from rolls.rules.odds.scale import crossing
from rolls.rules.odds.storyteller import Joint, drift, joint
from rolls.rules.scale_read import feeds
from rolls.rules.storyteller import Ask as Asked
from rolls.rules.storyteller import Kind
from rolls.services.scale import scale_id, state_of
from rolls.services.systems.bar import Part, bar, percent, shift
from rolls.services.systems.base import Looker, Odds
from rolls.services.systems.storyteller.ask import Ask, pool_of
from rolls.settings import RollSettings

WORTH_SAYING = Fraction(1, 20)
"""From this chance on the composer says that the roll may reach a Burn."""

PARTS = {"botch": "worst", "fail": "bad", "marginal": "fair", "two or more": "good"}


def preview(looker: Looker, ask: Ask) -> Odds | None:
    """None while there is no pool that could be rolled. Everything in it comes from the roller's own sheet and form."""
    # Reading must not write: a character that no Burn has touched has no Momentum.
    momentum = getattr(looker.character, "momentum", None) if ask.kind == Kind.ACTION else None
    burn_dice = momentum.die_modifier if momentum else 0
    try:
        pool, _ = pool_of(looker.character, ask, burn_dice)
        asked = Asked(pool=pool, difficulty=ask.difficulty, kind=Kind(ask.kind), willpower=ask.willpower)
    except (Invalid, RuleError, ValueError):
        return None
    found = _joint(asked, looker.settings)
    parts = [Part(PARTS[words], words, chance) for words, chance in chances(asked, looker.settings).items()]
    warning = "More than ten dice: beyond what is human." if pool.is_beyond_human else ""
    return bar(parts, dice=pool.dice, lines=[*_on_the_scale(looker, asked, found), warning])


def chances(asked: Asked, settings: RollSettings) -> dict[str, Fraction]:
    """The chance of each part of the bar, of 1 in all."""
    found = _joint(asked, settings)
    summed = dict.fromkeys(PARTS, Fraction())
    for verdict, _, ways in found:
        botched = verdict.botch and not (asked.willpower and settings.storyteller.willpower_prevents_botch)
        total = verdict.net + asked.willpower
        outcome = "botch" if botched else "fail" if total < 1 else "marginal" if total == 1 else "two or more"
        summed[outcome] += Fraction(ways, found.total)
    return summed


def _joint(asked: Asked, settings: RollSettings) -> Joint:
    return joint(
        asked.pool.dice,
        asked.difficulty,
        ability=asked.pool.ability,
        settings=settings.storyteller,
        scale_settings=settings.scale,
    )


def _on_the_scale(looker: Looker, asked: Asked, found: Joint) -> list[str]:
    """What the roll gives the Scale on average, and near a threshold the chance to reach it; nothing for rolls that feed none."""
    character, settings = looker.character, looker.settings.scale
    if character is None or not feeds(asked.kind, is_npc=character.is_npc, settings=settings):
        return []
    mean = drift(asked.pool.dice, asked.difficulty, settings).expected
    pk = scale_id(looker.campaign, None if settings.shared else character)
    scale = Scale.objects.filter(pk=pk).first() or Scale(pk=pk, campaign=looker.campaign)
    reached = crossing(found, state_of(scale, character), settings)
    lines = [f"expected Scale {shift(mean)}"]
    if reached.any >= WORTH_SAYING:
        major = f", {percent(reached.major)} a Major Burn" if reached.major else ""
        lines.append(f"{percent(reached.any)} reaches a Burn{major}")
    return lines
