"""Chances and means as people read them."""

from __future__ import annotations

from fractions import Fraction

from languages.text import pgettext, pgettext_lazy
from rules.messages import Message, gettext, joined, worded


def percent(chance: Fraction) -> str:
    """Return a chance as "27 %"; never "0 %" for what can happen, nor "100 %" for what can fail."""
    return str(percent_said(chance))


def percent_said(chance: Fraction) -> Message:
    """Return the same as a message."""
    if 0 < chance < Fraction(1, 100):
        return gettext("under 1 %")
    if Fraction(99, 100) < chance < 1:
        return gettext("over 99 %")
    return gettext("{number} %", number=round(100 * chance))


def shift(mean: Fraction) -> str:
    """Return a mean with its sign, "+0.43", with a real minus."""
    return written(f"{float(mean):+.2f}")


def decimal(number: Fraction, places: int = 2) -> str:
    """Return a number with fixed places and a real minus sign: 2.5 as "2.50"."""
    return written(f"{float(number):.{places}f}")


def decimal_said(number: Fraction, places: int = 2) -> Message:
    """Return the same as a message."""
    before, behind = f"{float(number):.{places}f}".replace("-", "\N{MINUS SIGN}").split(".")
    return joined("", (before, worded(pgettext_lazy("decimal separator", ".")), behind))


def written(number: str) -> str:
    """Return a number of digits, a point and a hyphen as the reader's language writes it."""
    # Translators: between a number and its decimals, as in 2.5
    return number.replace("-", "\N{MINUS SIGN}").replace(".", pgettext("decimal separator", "."))
