"""What a campaign needs after a backup was restored."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Campaign
from campaigns.services import campaigns as generations
from campaigns.services.log import begin, locked
from rolls.services.fairness import turn


def mark_all_restored() -> int:
    """Do it for every campaign; how many there are. One that is still being brought has no log yet that could go on."""
    campaigns = list(Campaign.objects.filter(bringing="").order_by("created_at"))
    for campaign in campaigns:
        mark_restored(campaign)
    return len(campaigns)


def mark_restored(campaign: Campaign) -> None:
    """Say so in its log, and tell both seeds that are committed to: after the backup they may have been in use, and told.

    No dice are thrown in a log that came from elsewhere, so there are no seeds of ours in it.
    """
    with locked(campaign) as held:
        work = begin(held, generations.somebody(held), uuid4())
        generations.mark(work)
        if held.imported_at is None:
            turn(work)
            turn(work)
