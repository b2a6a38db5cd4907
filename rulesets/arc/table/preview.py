"""The exact odds of a check that is being set up.

A player's come from the die alone: the chance of success, like the total, would give the US away. It is the GM's.
"""

from __future__ import annotations

from fractions import Fraction

from campaigns.errors import Invalid
from campaigns.numbers import signed
from rolls.models import Roll
from rolls.odds.bar import Part, bar, percent, shift
from rolls.rules.errors import RuleError
from rolls.table_rules import Odds, OddsContext
from rulesets.arc.odds import adjustments, reaction, threshold
from rulesets.arc.rules import check as rules
from rulesets.arc.settings import Settings
from rulesets.arc.table.ask import NAME, Kind, RollInput, scores_of, som_of, threshold_of, trained


def preview(context: OddsContext, ask: RollInput) -> Odds | None:
    """None while something is missing."""
    try:
        if ask.kind == Kind.REACTION:
            return _ended(reaction(som_of(context.character, ask)), [])
        es, _ = trained(context.character, ask)
        if context.is_gm and (needed := _needed(context, ask)) is not None:
            chance = threshold(es, needed, context.settings.of(Settings))
            return _ended(
                chance,
                [
                    f"{_die_words(es, context.settings.of(Settings))}; malus {percent(_malus(es, context.settings.of(Settings)))}"
                ],
            )
        return _die(es, context.settings.of(Settings))
    except (Invalid, RuleError):
        return None


def _needed(context: OddsContext, ask: RollInput) -> int | None:
    """What the ES adjustment has to exceed, for a GM; None where the other side has not rolled, or scores are missing."""
    try:
        before = scores_of(context.character, ask, for_gm=True).asked.before_the_die
    except Invalid:
        return None
    if ask.kind == Kind.CHECK:
        return threshold_of(ask, context.settings.of(Settings)) - before
    if ask.against is None:
        return None
    first = Roll.objects.filter(campaign=context.campaign, system=NAME, kind=Kind.OPPOSED, pk=ask.against).first()
    # Who counters wins a tie, so a point less is to be exceeded.
    return None if first is None else first.outcome["total"] - 1 - before


def _ended(chance: Fraction, lines: list[str]) -> Odds:
    return bar([Part("bad", "failure", 1 - chance), Part("good", "success", chance)], dice=1, lines=lines)


def _die(es: int, settings: Settings) -> Odds:
    malus = _malus(es, settings)
    parts = [Part("bad", "malus", malus), Part("good", "bonus", 1 - malus)]
    return bar(parts, dice=1, lines=[_die_words(es, settings)])


def _malus(es: int, settings: Settings) -> Fraction:
    return sum((chance for value, chance in adjustments(es, settings).items() if value < 0), Fraction())


def _die_words(es: int, settings: Settings) -> str:
    row = rules.core_row(es, settings)
    mean = sum((value * chance for value, chance in adjustments(es, settings).items()), Fraction())
    return f"{row.die}: {signed(row.lowest)} to {signed(row.highest)}, on average {shift(mean)}"
