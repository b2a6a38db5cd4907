"""What the event templates of rolls need beyond display: what later became of an event."""

from __future__ import annotations

import json as notation
from typing import Any

from django import template

from campaigns.models import Event

register = template.Library()


@register.filter
def amendment(event: Event, kind: str) -> Event | None:
    """The first event of this kind that amends this one; no query for events that were read `whole`."""
    return next((later for later in event.amendments.all() if later.kind == kind), None)


@register.filter
def answered(event: Event) -> Event | None:
    """The roll that completes the card of this one, and that nobody has taken back."""
    rolls = (later for later in event.amendments.all() if later.kind == "rolls.roll_made")
    return next((one for one in rolls if amendment(one, "rolls.roll_voided") is None), None)


@register.filter
def followed(event: Event) -> list[str]:
    """What followed from this roll, in words; nothing once it was taken back."""
    if amendment(event, "rolls.roll_voided"):
        return []
    told = [later for later in event.amendments.all() if later.kind == "rolls.roll_followed"]
    return list(max(told, key=lambda one: one.seq).facts["done"]) if told else event.facts.get("done", [])


@register.filter
def added(number: int) -> str:
    """A further number of a sum: "+ 5", "− 3"."""
    return f"− {-number}" if number < 0 else f"+ {number}"


@register.filter
def of(values: dict[str, Any], name: str) -> Any:
    """What stands under a name; None for nothing."""
    return values.get(name)


@register.filter
def json(value: object) -> str:
    """For a data attribute that a script reads."""
    return notation.dumps(value)


@register.filter
def card(facts: dict[str, Any]) -> str:
    """The template that draws the card of a roll, by the rules it was made by."""
    return f"rolls/cards/{facts['system']}.html"
