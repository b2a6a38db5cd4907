"""What later became of an event."""

from __future__ import annotations

from django import template

from campaigns.models import Event

register = template.Library()


@register.filter
def newest_amendment(event: Event, kind: str) -> Event | None:
    """The last event of this kind that amends this one; no query for events that were read `whole`."""
    later = [amendment for amendment in event.amendments.all() if amendment.kind == kind]
    return max(later, key=lambda amendment: amendment.pk, default=None)
