"""What whoever owns the database can do to a log, past its triggers, so that it still fits: `check_log` finds nothing."""

from __future__ import annotations

import json
import secrets

from campaigns import chain
from campaigns.models import Campaign, Event, EventIndex, EventPayload, EventSubject, Stream
from campaigns.models.members import TABLE


def cut(campaign: Campaign, stream: str = TABLE) -> None:
    """Take the last entry off, and put the stream back to the one before it."""
    last = Event.objects.filter(campaign=campaign, stream__name=stream).latest("seq")
    for beside in (EventPayload, EventIndex, EventSubject):
        beside.objects.filter(event=last).delete()
    Event.objects.filter(pk=last.pk).delete()
    before = Event.objects.filter(campaign=campaign, stream__name=stream).latest("seq")
    Stream.objects.filter(campaign=campaign, name=stream).update(seq=before.seq, head=before.hash)


def rewrite(campaign: Campaign, stream: str, old: str, new: str) -> None:
    """Change the text of all entries of a stream, with new salts and commitments, and link them again."""
    head = chain.first_link(str(campaign.pk), stream)
    for event in Event.objects.filter(campaign=campaign, stream__name=stream).order_by("seq").select_related("stored"):
        payload = json.loads(json.dumps(event.stored.payload).replace(old, new))
        salt = secrets.token_hex(16)
        commitment = chain.commit(salt, payload)
        head = chain.link(
            head,
            campaign_id=str(campaign.pk),
            stream=stream,
            seq=event.seq,
            at=event.at,
            kind=event.kind,
            actor=event.actor_number,
            commitment=commitment,
        )
        EventPayload.objects.filter(event=event).update(payload=payload, salt=salt)
        Event.objects.filter(pk=event.pk).update(commitment=commitment, hash=head)
        for index in EventIndex.objects.filter(event=event):
            index.words = index.words.replace(old, new)
            index.save()
    Stream.objects.filter(campaign=campaign, name=stream).update(head=head)
