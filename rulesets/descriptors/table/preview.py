"""The exact odds of pool against pool while it is being set up, and how many successes a win would bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from rolls.odds.shown import Part, bar
from rolls.rules.dice import mean
from rolls.services.joining import odds_lines
from rolls.table_rules import Odds, OddsContext
from rulesets.descriptors.odds import Opposed, opposed
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.table.ask import NAME, DescriptorsInput, Sides, descriptors_of, sides_of
from rulesets.descriptors.table.counted import KIND, both_play, with_extra_dice
from rulesets.descriptors.table.pools import burn_words

MOST_WORK: Final = 2_000_000
"""Sides times dice cubed is what the counting takes: so much (58 ten-sided dice) is done while somebody types."""


def preview(context: OddsContext, ask: DescriptorsInput) -> Odds | None:
    """None for a pool that is too large to be counted between two keystrokes. Raises Invalid for one that cannot be rolled.

    It reads no sheet that the one who looks may not read.
    """
    settings = context.settings.of(Settings)
    sides = sides_of(context.campaign, context.character, ask, settings, is_gm=context.is_gm)
    hook_context = context.hook_context(NAME, KIND, has_dice=sides.a.dice > 0)
    sides = replace(sides, a=with_extra_dice(sides.a, hook_context))
    if settings.sides * max(sides.a.dice, sides.b.dice) ** 3 > MOST_WORK:
        return None
    odds = opposed(sides.a.dice, sides.b.dice, settings)
    terms = {"a": {"dice": sides.a.dice}, "b": {"dice": sides.b.dice}} | both_play(sides.mine, sides.opponent)
    beside = odds_lines(hook_context, terms)
    lines = [_successes(odds), _cost(sides), burn_words(sides.a.extra), *beside]
    return _bar(odds, ("lose", "win"), sides.a.dice + sides.b.dice, lines)


def odds_bar(a: int, b: int, settings: Settings, *, names: tuple[str, str]) -> Odds | None:
    """The same for two sides of these names, while their pools are filled by their owners; None for pools that are too large to
    be counted at once, or smaller than the rules let one roll."""
    if min(a, b) < settings.fewest_dice or settings.sides * max(a, b) ** 3 > MOST_WORK:
        return None
    odds = opposed(a, b, settings)
    means = ((_mean(odds.successes_a), names[0]), (_mean(odds.successes_b), names[1]))
    line = ", ".join(f"{average:.1f} if {name} wins" for average, name in means if average)
    return _bar(odds, (f"{names[1]} wins", f"{names[0]} wins"), a + b, [line and f"Successes on average: {line}"])


def _bar(odds: Opposed, words: tuple[str, str], dice: int, lines: list[str]) -> Odds:
    parts = [
        Part("bad", words[0], odds.lose),
        Part("fair", "stalemate", odds.stalemate),
        Part("good", words[1], odds.win),
    ]
    return bar([part for part in parts if part.chance], dice=dice, lines=lines)


def _successes(odds: Opposed) -> str:
    """How many successes the winner has on average, for each side that can win: "1.6 successes if won, 1.2 if lost"."""
    means = [(_mean(odds.successes_a), "if won"), (_mean(odds.successes_b), "if lost")]
    return ", ".join(
        f"{average:.1f}{'' if at else ' successes'} {when}"
        for at, (average, when) in enumerate((average, when) for average, when in means if average)
    )


def _mean(successes: Mapping[int, Fraction]) -> float:
    """The average of those rolls that this side wins; 0 if it cannot."""
    chance = sum(successes.values(), Fraction())
    return float(mean(successes) / chance) if chance else 0


def _cost(sides: Sides) -> str:
    cost, values = len(sides.a.entries), descriptors_of(sides.mine)
    if not cost:
        return ""
    if values is None:
        return f"costs {cost} Will"
    will = SHEET.number(values, "will")
    return f"costs {cost} of {will} Will" if cost <= will else f"costs {cost} Will, and there is only {will}"
