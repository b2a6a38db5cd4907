"""Filters for templates: what later happened to a Major Burn, and exact fractions as people read them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from campaigns.models import Event
from scale.events import BURN_UNDONE, ORACLE_MARKED

register = template.Library()


@register.filter
def major_told(event: Event) -> Event | None:
    """Return the event of the Major Burn whose marking this one undoes, read from the database; None if it undoes
    something else.
    """
    return event.parent.parent if event.payload.get("oracle") and event.parent else None


@register.filter
def oracle_dice(event: Event) -> list[dict[str, Any]]:
    """Return the dice of a Major Burn that can be marked: each with its mark (`marked`), "" without one."""
    burn = event.described["burns"][-1]
    marked = {
        amendment.payload["oracle"]: amendment.payload["choice"]
        for amendment in event.amendments.all()
        if amendment.kind == ORACLE_MARKED
        and not any(later.kind == BURN_UNDONE for later in amendment.amendments.all())
    }
    return [die | {"marked": _words(die, marked)} for die in burn.get("oracles", ()) if die["choices"]]


def _words(die: dict[str, Any], marked: dict[str, str]) -> str:
    picked = marked.get(die["oracle"], "")
    return next((offered["words"] for offered in die["choices"] if offered["key"] == picked), picked)


NEVER = gettext_lazy("not in sight")


@register.filter
def decimal(number: Fraction | None, places: int) -> str:
    """Return a fraction with fixed places: 7/2 as "3.5" with one; words for None, which never happens."""
    return str(NEVER) if number is None else number_format(f"{float(number):.{places}f}").replace("-", "\N{MINUS SIGN}")


@register.filter
def percent(chance: Fraction | None) -> str:
    """Return a chance as a percentage: 1/2 as "50 %"."""
    return str(NEVER) if chance is None else f"{float(100 * chance):.0f} %"
