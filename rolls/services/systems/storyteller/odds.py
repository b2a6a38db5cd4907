"""The exact odds of a Storyteller roll that is being set up, and what it is likely to give the Scale."""

from __future__ import annotations

from fractions import Fraction

from campaigns.errors import Invalid
from characters.models import Character
from rolls.models import Scale
from rolls.rules.errors import RuleError
from rolls.rules.odds.scale import crossing
from rolls.rules.odds.storyteller import Joint, drift, joint
from rolls.rules.storyteller import Ask as Asked
from rolls.rules.storyteller import succeed_automatically
from rolls.services.scale import WITHOUT_DICE, scale_id, state_of, stays, why_unfed
from rolls.services.systems.bar import Part, bar, percent, shift
from rolls.services.systems.base import Looker, Odds
from rolls.services.systems.storyteller.ask import Ask, kind_of, pool_of, rated_values
from rolls.settings import RollSettings

WORTH_SAYING = Fraction(1, 20)
"""From this chance on the composer says that the roll may reach a Burn."""

PARTS = {"botch": "worst", "fail": "bad", "marginal": "fair", "two or more": "good"}


def preview(looker: Looker, ask: Ask) -> Odds | None:
    """None while there is no pool that could be rolled. Everything in it comes from the roller's own sheet and form."""
    try:
        kind = kind_of(ask, rated_values(looker.character))
        unfed = why_unfed(looker.character, kind, looker.audience, looker.settings)
        pool, _ = pool_of(looker.character, ask, 0 if unfed else _burn_dice(looker.character))
        asked = Asked(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
    except (Invalid, RuleError, ValueError):
        return None
    if ask.automatic:
        return _without_dice(asked)
    found = _joint(asked, looker.settings)
    parts = [Part(PARTS[words], words, chance) for words, chance in chances(asked, looker.settings).items()]
    warning = "More than ten dice: beyond what is human." if pool.is_beyond_human else ""
    return bar(parts, dice=pool.dice, lines=[*_on_the_scale(looker, asked, found, unfed), warning])


def _burn_dice(character: Character | None) -> int:
    """Reading must not write: a character that no Burn has touched has no Momentum."""
    momentum = getattr(character, "momentum", None)
    return momentum.die_modifier if momentum else 0


def _without_dice(asked: Asked) -> Odds | None:
    try:
        succeed_automatically(asked)
    except RuleError:
        return None
    return bar([Part(PARTS["marginal"], "marginal", Fraction(1))], dice=0, lines=[stays(WITHOUT_DICE)])


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


def _on_the_scale(looker: Looker, asked: Asked, found: Joint, unfed: str) -> list[str]:
    """What the roll gives the Scale on average, and near a threshold the chance to reach it; or why it gives nothing."""
    character, settings = looker.character, looker.settings.scale
    if unfed or character is None:
        return [stays(unfed)]
    mean = drift(asked.pool.dice, asked.difficulty, settings).expected
    pk = scale_id(looker.campaign, None if settings.shared else character)
    scale = Scale.objects.filter(pk=pk).first() or Scale(pk=pk, campaign=looker.campaign)
    reached = crossing(found, state_of(scale, character), settings)
    lines = [f"expected Scale {shift(mean)}"]
    if reached.any >= WORTH_SAYING:
        major = f", {percent(reached.major)} a Major Burn" if reached.major else ""
        lines.append(f"{percent(reached.any)} reaches a Burn{major}")
    return lines
