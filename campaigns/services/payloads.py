"""What events say, put otherwise: when an account goes, and when somebody's words are erased."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from campaigns.models import Entry, Membership, Payload, Subject

NO_SALT = "0" * 32
"""What stands where a salt was, once what it went with is erased."""


def forget(member: Membership, name: str) -> None:
    """Put `name` for a person wherever the campaign's log names them. The chain holds: it binds facts by their commitment."""
    about = Subject.objects.filter(event__campaign=member.campaign_id, key=f"member:{member.number}")
    for payload in Payload.objects.filter(event__in=about.values("event")).select_related("event"):
        erase(payload, _renamed(payload.facts, member.number, name))
    about.update(name=name)


def erase(payload: Payload, facts: dict[str, Any]) -> None:
    """Let an event say this from now on. What it no longer says it is no longer found by.

    Its salt goes, too: by salt and commitment anybody could try which words have stood there.
    """
    payload.facts, payload.erased_at, payload.salt = facts, timezone.now(), NO_SALT
    payload.save(update_fields=["facts", "erased_at", "salt"])
    Entry.objects.filter(pk=payload.pk).update(words=Entry.of(payload.event).words)


def _renamed(value: Any, member: int, name: str) -> Any:
    if isinstance(value, dict):
        if value.get("member") == member and set(value) == {"member", "name"}:
            return {"member": member, "name": name}
        return {key: _renamed(item, member, name) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, member, name) for item in value]
    return value
