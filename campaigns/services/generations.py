"""When a log was put back to where a backup had it, the table is told."""

from __future__ import annotations

from campaigns import chain
from campaigns.events import LOG_RESTORED
from campaigns.facts import About
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.queries.heads import restored_key
from campaigns.services.log import Table


def mark(table: Table) -> Event:
    """Say that the log goes on from a backup. What it holds by now is what the backup held."""
    last = Event.objects.filter(campaign=table.campaign).before(None).values_list("at", flat=True).first()
    facts = {"upto": chain.moment(last) if last else ""}
    return table.record(LOG_RESTORED, facts, about=[About(restored_key(table.campaign), table.campaign.name)])


def somebody(campaign: Campaign) -> Membership:
    """In whose name the server itself does what a campaign needs: one of its GMs, those who are here first."""
    gms = Membership.objects.select_related("user", "campaign").filter(campaign=campaign, role=Role.GM)
    found = gms.order_by("left_at", "pk").filter(left_at=None).first() or gms.order_by("pk").first()
    assert found is not None, f"{campaign} has never had a GM"  # noqa: S101  # create_campaign makes one
    return found
