"""The bar of odds in the composer, for any system."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple


class Part(NamedTuple):
    """One part of the bar: `look` is worst, bad, fair or good; `words` what happens; a chance of 1 in all."""

    look: str
    words: str
    chance: Fraction


def bar(
    parts: Iterable[Part], *, dice: int, pool: str = "", hurt: bool = False, lines: Iterable[str] = ()
) -> dict[str, Any]:
    """Odds as rolls/_odds.html draws them: places and widths in whole percents, which end at 100. `lines` stand under it.

    `pool` says what the dice are made of. `hurt`: wounds on the sheet take some of them, unless they are left out.
    """
    parts = list(parts)
    drawn, sum_so_far = [], Fraction()
    for part in parts:
        x = round(100 * sum_so_far)
        sum_so_far += part.chance
        width = round(100 * sum_so_far) - x
        drawn.append({"look": part.look, "x": x, "w": width, "percent": percent(part.chance), "words": part.words})
    return {
        "dice": dice,
        "pool": pool,
        "hurt": hurt,
        "parts": drawn,
        "sentence": ", ".join(f"{part.words} {percent(part.chance)}" for part in parts) + ".",
        "lines": [line for line in lines if line],
    }


def percent(chance: Fraction) -> str:
    """ "27 %"; what can happen is never "0 %", and what can fail never "100 %"."""
    if 0 < chance < Fraction(1, 100):
        return "under 1 %"
    if Fraction(99, 100) < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


def shift(mean: Fraction) -> str:
    """A mean with its sign, "+0.43", with a real minus."""
    return f"{float(mean):+.2f}".replace("-", "\N{MINUS SIGN}")
