"""The exact odds of a forged roll that is being set up: the four results, or the stress of resisting."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from campaigns.numbers import signed
from rolls.odds.bar import Part, bar, percent
from rolls.table_rules import Odds, OddsContext, Terms
from rulesets.forged.odds import resistance_stress, results
from rulesets.forged.rules.roll import Pool, Result
from rulesets.forged.settings import Settings
from rulesets.forged.table import action
from rulesets.forged.table.ask import Kind, RollInput
from rulesets.forged.table.card import ONE_DIE
from rulesets.forged.table.sheet import is_harmed
from rulesets.forged.table.terms import terms_of
from rulesets.forged.table.words import EFFECT_WORDS, EXTRAS, POSITION_WORDS, trait_name

RESULTS = {Result.BAD: "worst", Result.PARTIAL: "bad", Result.FULL: "fair", Result.CRITICAL: "good"}
WORDS = {Result.BAD: "1–3", Result.PARTIAL: "4/5", Result.FULL: "6", Result.CRITICAL: "critical"}
STRESS = (("good", "no stress", (-1, 0)), ("fair", "1–2", (1, 2)), ("worst", "3–5", (3, 4, 5)))
"""The parts of the bar for resisting; a line says the chance of each."""
NONE = Fraction()
LOWEST = "two dice, the lowest counts"
UNSET = {
    Kind.ACTION: "position and effect as you say: the GM has not set them",
    Kind.RESISTANCE: "attribute and what it does as you say: the GM has not set them",
}


def preview(context: OddsContext, ask: RollInput) -> Odds:
    """Everything in it comes from the roller's own sheet and form. Raises Invalid while there is no pool that could be rolled."""
    settings = context.settings.of(Settings)
    terms = terms_of(context.character, ask, settings)
    pool = Pool(terms["dice"])
    own = not context.is_gm and not ask.request
    lines = [LOWEST if pool.lowest else "", UNSET.get(Kind(ask.kind), "") if own else ""]
    if ask.kind == Kind.RESISTANCE:
        chances = resistance_stress(pool.dice)
        parts = [
            Part(look, words, sum((chances.get(result, NONE) for result in each), NONE)) for look, words, each in STRESS
        ]
        return bar(parts, dice=pool.rolled, lines=[f"expected stress {_mean(chances)}", _each(chances), *lines])
    by_result, harmed = results(pool.dice), False
    if ask.kind == Kind.ACTION:
        harmed = is_harmed(context.character, ask)
        if own and settings.only_gm_sets:
            lines = lines[:1]  # what is at stake the GM has yet to say
        else:
            lines = [*_stakes(terms, by_result[Result.CRITICAL], by_result[Result.BAD], settings), *lines]
    parts = [Part(RESULTS[result], WORDS[result], chance) for result, chance in by_result.items()]
    return bar(parts, dice=pool.rolled, pool=_reckoned(terms, helped=ask.helper is not None), hurt=harmed, lines=lines)


def _stakes(terms: Terms, critical: Fraction, bad: Fraction, settings: Settings) -> list[str]:
    """Return what is at stake, and the ticks to be expected of it."""
    position = action.position_of(terms, settings)
    usual = action.effect_of(terms, settings).level
    best = action.effect_of(terms, settings, critical=True).level
    expected = (1 - bad - critical) * usual.ticks + critical * best.ticks
    cost = f"{terms['stress']} stress" if terms["stress"] else ""
    return [
        f"{POSITION_WORDS[position]}, {EFFECT_WORDS[usual.effect]} effect",
        f"expected ticks {float(expected):.1f}",
        cost,
    ]


def _reckoned(terms: Terms, *, helped: bool) -> str:
    """ "Skirmish 3, push +1, harm −1"; "" for fortune, whose form says it all."""
    if terms["kind"] != Kind.ACTION:
        return ""
    changes = [f"{EXTRAS[code]} {signed(dice)}" for term, (code, dice) in ONE_DIE.items() if terms[term]]
    return ", ".join([f"{trait_name(terms)} {terms['rating']}", *(["help +1"] if helped else []), *changes])


def _each(chances: Mapping[int, Fraction]) -> str:
    """ "clears 1: 7 %, 0: 35 %, 1: 28 %": the chance of each stress that can come."""
    can = [(stress, chance) for stress, chance in sorted(chances.items()) if chance]
    return ", ".join(f"{stress if stress >= 0 else 'clears 1'}: {percent(chance)}" for stress, chance in can)


def _mean(chances: Mapping[int, Fraction]) -> str:
    mean = sum((stress * chance for stress, chance in chances.items()), Fraction())
    return f"{float(mean):.1f}".replace("-", "\N{MINUS SIGN}")
