"""What events say, put otherwise: when an account goes, and when somebody's words are erased."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from campaigns.models import EventIndex, EventPayload, EventSubject, Membership

NO_SALT = "0" * 32
"""What stands where a salt was, once what it went with is erased."""


def forget(member: Membership, name: str) -> None:
    """Put `name` for a person wherever the campaign's log names them. The chain holds: it binds payload by their commitment."""
    about = EventSubject.objects.filter(event__campaign=member.campaign_id, key=f"member:{member.number}")
    for stored in EventPayload.objects.filter(event__in=about.values("event")).select_related("event"):
        erase(stored, _renamed(stored.payload, member.number, name))
    about.update(name=name)


def erase(stored: EventPayload, payload: dict[str, Any]) -> None:
    """Let an event say this from now on. What it no longer says it is no longer found by.

    It is kept as this version tells it. Its salt goes, too: by salt and commitment anybody could try which words have stood
    there.
    """
    stored.payload, stored.erased_at, stored.salt = payload, timezone.now(), NO_SALT
    stored.save(update_fields=["payload", "erased_at", "salt"])
    EventIndex.objects.filter(pk=stored.pk).update(words=EventIndex.of(stored.event).words)


def _renamed(value: Any, member: int, name: str) -> Any:
    if isinstance(value, dict):
        if value.get("member") == member and set(value) == {"member", "name"}:
            return {"member": member, "name": name}
        return {key: _renamed(item, member, name) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, member, name) for item in value]
    return value
