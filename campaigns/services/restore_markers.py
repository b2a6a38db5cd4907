"""When a log was put back to where a backup had it, the table is told."""

from __future__ import annotations

from campaigns import chain
from campaigns.events import LOG_RESTORED
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.queries.heads import restored_key
from campaigns.references import Subject
from campaigns.services.log import UnitOfWork


def mark(work: UnitOfWork) -> Event:
    """Say that the log goes on from a backup. What it holds by now is what the backup held."""
    last = Event.objects.filter(campaign=work.campaign).before(None).values_list("at", flat=True).first()
    payload = {"upto": chain.moment(last) if last else ""}
    return work.record(LOG_RESTORED, payload, subjects=[Subject(restored_key(work.campaign), work.campaign.name)])


def somebody(campaign: Campaign) -> Membership:
    """In whose name the server itself does what a campaign needs: one of its GMs, those who are here first."""
    gms = Membership.objects.select_related("user", "campaign").filter(campaign=campaign, role=Role.GM)
    gm = gms.order_by("left_at", "pk").filter(left_at=None).first() or gms.order_by("pk").first()
    assert gm is not None, f"{campaign} has never had a GM"  # noqa: S101  # create_campaign makes one
    return gm
