"""When a log was put back to where a backup had it: told to the table, and to browsers that had seen more of it."""

from __future__ import annotations

from typing import Any

from django.db.models import Max

from campaigns.models import Campaign, Event, Membership, Role, Stream
from campaigns.services import chain
from campaigns.services.log import About, Table

RESTORED = "campaigns.log_restored"


def mark(table: Table) -> Event:
    """Say that the log goes on from a backup. What it holds by now is what the backup held."""
    last = Event.objects.filter(campaign=table.campaign).before(None).values_list("at", flat=True).first()
    facts = {"upto": chain.moment(last) if last else ""}
    return table.record(RESTORED, facts, about=[About(restored_key(table.campaign), table.campaign.name)])


def somebody(campaign: Campaign) -> Membership:
    """In whose name the server itself does what a campaign needs: one of its GMs, those who are here first."""
    gms = Membership.objects.select_related("user", "campaign").filter(campaign=campaign, role=Role.GM)
    found = gms.order_by("left_at", "pk").filter(left_at=None).first() or gms.order_by("pk").first()
    assert found is not None, f"{campaign} has never had a GM"  # noqa: S101  # create_campaign makes one
    return found


def restorations(stream: Stream) -> list[dict[str, Any]]:
    """Of each time the log was restored, oldest first: a `mark` that names it, and the `seq` at which this stream then stood."""
    marks = Event.objects.filter(campaign=stream.campaign_id, kind=RESTORED).about(restored_key(stream.campaign))
    return [
        {"mark": hash_, "seq": _number_before(stream, pk)}
        for pk, hash_ in marks.order_by("pk").values_list("pk", "hash")
    ]


def _number_before(stream: Stream, event_id: int) -> int:
    earlier = Event.objects.filter(stream=stream, pk__lt=event_id)
    return earlier.aggregate(last=Max("seq"))["last"] or 0


def restored_key(campaign: Campaign) -> str:
    """What such entries are about."""
    return f"restored:{campaign.pk}"
