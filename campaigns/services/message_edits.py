"""Putting right what was said. Nothing is overwritten: the old words stay, struck through, with who changed them and why."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid, NotFound
from campaigns.events import SAID, SAID_AMENDED
from campaigns.models import Event, Membership, Role
from campaigns.references import person
from campaigns.services.log import UnitOfWork, service


def may_amend(event: Event, by: Membership) -> bool:
    """Whether somebody may put these words right: whoever said them, and GMs."""
    return event.kind == SAID and (by.is_gm or event.actor_id == by.pk)


@service(Role.PLAYER)
def amend_words(work: UnitOfWork, uid: UUID, words: str, *, reason: str = "", key: UUID) -> Event:
    """Say what was meant, wherever it was told. Raises NotFound for what is not one's own to amend, Invalid for no new words."""
    tellings = Event.objects.filter(campaign=work.campaign, uid=uid).select_related("stream", "stored", "actor__user")
    events = [event for event in tellings.order_by("pk") if may_amend(event, work.by)]
    if not events:
        raise NotFound
    if not words or words == last_words(events[0]):
        raise Invalid("Write what it should say.", field="words")
    return [_amend(work, event, words, reason) for event in events][-1]


def last_words(event: Event) -> str:
    """What was said, as it was last put right."""
    later = Event.objects.filter(parent=event, kind=SAID_AMENDED).select_related("stored").order_by("pk").last()
    return str((later or event).payload["words"])


def _amend(work: UnitOfWork, event: Event, words: str, reason: str) -> Event:
    payload = {
        "of": str(event.uid),
        "who": person(event.actor) if event.actor else None,
        "manner": event.payload["manner"],
        "original": event.payload["words"],
        "words": words,
        "reason": reason,
    }
    return work.record(SAID_AMENDED, payload, stream=event.stream.name, parent=event)
