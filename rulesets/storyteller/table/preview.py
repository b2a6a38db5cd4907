"""The exact odds of a Storyteller roll that is being set up."""

from __future__ import annotations

from fractions import Fraction

from campaigns.errors import Invalid
from rolls.joining import HookContext
from rolls.odds.bar import Part, bar
from rolls.rules.errors import RuleError
from rolls.services.joining import extra_dice, odds_lines
from rolls.settings import RollSettings
from rolls.table_rules import Odds, OddsContext
from rulesets.storyteller.odds import Joint, joint
from rulesets.storyteller.rules.roll import Ask as Asked
from rulesets.storyteller.rules.roll import may_botch, succeed_automatically
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import NAME, StorytellerInput, kind_of, pool_of, rated_values, wounds_of
from rulesets.storyteller.table.words import reckoned

PARTS = {"botch": "worst", "fail": "bad", "marginal": "fair", "two or more": "good"}


def preview(context: OddsContext, ask: StorytellerInput) -> Odds | None:
    """None while there is no pool that could be rolled. Everything in it comes from the roller's own sheet and form."""
    try:
        kind = kind_of(ask, rated_values(context.character))
        hook_context = context.hook_context(NAME, kind.value, has_dice=not ask.automatic)
        wounds = wounds_of(context.character, ask, kind, context.settings)
        pool, traits = pool_of(context.character, ask, extra_dice(hook_context), 0 if ask.unhurt else wounds)
        asked = Asked(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
    except (Invalid, RuleError, ValueError):
        return None
    if ask.automatic:
        return _without_dice(asked, hook_context)
    terms = {"dice": pool.dice, "difficulty": ask.difficulty}
    parts = [Part(PARTS[words], words, chance) for words, chance in chances(asked, context.settings).items()]
    warning = "More than ten dice: beyond what is human." if pool.is_beyond_human else ""
    lines = [*odds_lines(hook_context, terms), warning]
    return bar(parts, dice=pool.dice, pool=reckoned(traits, pool), hurt=wounds > 0, lines=lines)


def _without_dice(asked: Asked, hook_context: HookContext) -> Odds | None:
    try:
        succeed_automatically(asked)
    except RuleError:
        return None
    return bar([Part(PARTS["marginal"], "marginal", Fraction(1))], dice=0, lines=odds_lines(hook_context, {}))


def chances(asked: Asked, settings: RollSettings) -> dict[str, Fraction]:
    """The chance of each part of the bar, of 1 in all."""
    counted = _joint(asked, settings)
    summed = dict.fromkeys(PARTS, Fraction())
    for verdict, _, ways in counted:
        botched = verdict.botch and may_botch(asked.kind, settings.of(Settings))
        botched = botched and not (asked.willpower and settings.of(Settings).willpower_prevents_botch)
        total = verdict.net + asked.willpower
        outcome = "botch" if botched else "fail" if total < 1 else "marginal" if total == 1 else "two or more"
        summed[outcome] += Fraction(ways, counted.total)
    return summed


def _joint(asked: Asked, settings: RollSettings) -> Joint:
    return joint(
        asked.pool.dice,
        asked.difficulty,
        ability=asked.pool.ability,
        settings=settings.of(Settings),
    )
