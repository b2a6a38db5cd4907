"""What a person can undo on a sheet."""

from __future__ import annotations

from collections.abc import Iterator

from campaigns.models import Event, Membership
from characters.events import FIELD_CHANGED, ROW_ADDED, ROW_REMOVED
from characters.models import Character

LOOKED_THROUGH = 200  # events; to go back further, use the history


def own_changes(member: Membership, character: Character) -> Iterator[Event]:
    """Yield a person's manual changes of a sheet, newest first, without those already undone."""
    kinds = (FIELD_CHANGED, ROW_ADDED, ROW_REMOVED)
    mine = Event.objects.filter(campaign=character.campaign_id, actor=member, kind__in=kinds)
    taken_back: set[str] = set()
    for event in mine.about(character.subject.key).before(None).select_related("stored")[:LOOKED_THROUGH]:
        if not event.is_readable:
            continue
        if event.payload.get("undoes"):
            taken_back.add(event.payload["undoes"])
        elif event.payload.get("by_hand") and str(event.uid) not in taken_back:
            yield event


def can_undo(member: Membership, character: Character) -> bool:
    """Return whether the sheet has a change of this person's own to undo."""
    return any(own_changes(member, character))
