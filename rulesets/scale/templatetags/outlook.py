"""Exact fractions as people read them."""

from __future__ import annotations

from fractions import Fraction

from django import template

register = template.Library()

NEVER = "not in sight"


@register.filter
def decimal(number: Fraction | None, places: int) -> str:
    """7/2 as "3.5" with one place; None, for what never comes, in words."""
    return NEVER if number is None else f"{float(number):.{places}f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def percent(chance: Fraction | None) -> str:
    """1/2 as "50 %"."""
    return NEVER if chance is None else f"{float(100 * chance):.0f} %"


@register.filter
def split(text: str) -> list[str]:
    """The parts of "a,b,c"."""
    return text.split(",")
