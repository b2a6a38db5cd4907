"""What the event templates of rolls need beyond display: what later became of an event."""

from __future__ import annotations

from typing import Any

from django import template

from campaigns.models import Event

register = template.Library()


@register.filter
def amendment(event: Event, kind: str) -> Event | None:
    """The first event of this kind that amends this one; no query for events that were read `whole`."""
    return next((later for later in event.amendments.all() if later.kind == kind), None)


@register.filter
def card(facts: dict[str, Any]) -> str:
    """The template that draws the card of a roll, by the rules it was made by."""
    return f"rolls/cards/{facts['system']}.html"
