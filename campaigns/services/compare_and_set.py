"""Optimistic locking: an edit names what it was based on, and is refused if that has changed since."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.chain import fingerprint
from campaigns.errors import Conflict
from campaigns.models import Campaign, Event
from campaigns.models.log import Subject


def version(values: dict[str, Any]) -> str:
    """Return the version of a form's values: 16 hex digits that change with them."""
    return fingerprint(values)[:16]


def compare_and_set(campaign: Campaign, subject: Subject, *, expected: str, current: dict[str, Any]) -> None:
    """Raise Conflict, with the values as they are now and whose they are, unless `expected` is their version."""
    if expected != version(current):
        by = last_actor(campaign, subject.key)
        raise Conflict(
            (
                _("{name} changed this first. Check what it says now, then try again.").format(name=by)
                if by
                else _("Someone changed this first. Check what it says now, then try again.")
            ),
            current=current,
            by=by,
        )


def last_actor(campaign: Campaign, key: str, kinds: tuple[str, ...] = ()) -> str:
    """Return the name of the last person to act on a subject, optionally by these kinds of events; "" if there is none."""
    events = Event.objects.filter(campaign=campaign).about(key)
    if kinds:
        events = events.filter(kind__in=kinds)
    last = events.before(None).select_related("stored").first()
    return last.actor_name if last else ""
