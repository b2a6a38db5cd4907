"""What a campaign needs after a backup was restored."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Campaign
from campaigns.services import generations
from campaigns.services.log import locked, open_table
from rolls.services.fair import turn


def mark_restored(campaign: Campaign) -> None:
    """Say so in its log, and tell both seeds that are committed to: after the backup they may have been in use, and told."""
    with locked(campaign) as held:
        table = open_table(held, generations.somebody(held), uuid4())
        generations.mark(table)
        turn(table)
        turn(table)
