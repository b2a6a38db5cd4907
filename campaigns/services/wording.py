"""Putting right what was said. Nothing is overwritten: the old words stay, struck through, with who changed them and why."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid, Missing
from campaigns.events import SAID, SAID_AMENDED
from campaigns.facts import person
from campaigns.models import Event, Membership, Role
from campaigns.services.log import Table, at_table


def may_amend(event: Event, by: Membership) -> bool:
    """Whether somebody may put these words right: whoever said them, and GMs."""
    return event.kind == SAID and (by.is_gm or event.actor_id == by.pk)


@at_table(Role.PLAYER)
def amend_words(table: Table, uid: UUID, words: str, *, reason: str = "", key: UUID) -> Event:
    """Say what was meant, wherever it was told. Raises Missing for what is not one's own to amend, Invalid for no new words."""
    told = Event.objects.filter(campaign=table.campaign, uid=uid).select_related("stream", "payload", "actor__user")
    events = [event for event in told.order_by("pk") if may_amend(event, table.by)]
    if not events:
        raise Missing
    if not words or words == last_words(events[0]):
        raise Invalid("Write what it should say.", field="words")
    return [_amend(table, event, words, reason) for event in events][-1]


def last_words(event: Event) -> str:
    """What was said, as it was last put right."""
    later = Event.objects.filter(amends=event, kind=SAID_AMENDED).select_related("payload").order_by("pk").last()
    return str((later or event).facts["words"])


def _amend(table: Table, event: Event, words: str, reason: str) -> Event:
    facts = {
        "of": str(event.uid),
        "who": person(event.actor) if event.actor else None,
        "manner": event.facts["manner"],
        "original": event.facts["words"],
        "words": words,
        "reason": reason,
    }
    return table.record(SAID_AMENDED, facts, stream=event.stream.name, amends=event)
