"""The sample table: the one at which everybody may look on, with or without an account. The host of a site chooses it.

Those who look are spectators without a seat (campaigns/access.py): they see what the whole table is told, and change nothing.
"""

from __future__ import annotations

from uuid import uuid4

from campaigns.events import SAMPLE_CHANGED
from campaigns.models import Campaign
from campaigns.services.campaigns import subject_of
from campaigns.services.doors import shut
from campaigns.services.log import begin, locked
from campaigns.services.restore_markers import somebody


def sample() -> Campaign | None:
    """The campaign that is the sample now."""
    return Campaign.objects.filter(is_sample=True).first()


def show_as_sample(campaign: Campaign | None) -> None:
    """Make this campaign the sample, and no other; None: there is none any more. Its people read so in their log."""
    now = sample()
    if now and now != campaign:
        _show(now, on=False)
    if campaign:
        _show(campaign, on=True)


def _show(campaign: Campaign, *, on: bool) -> None:
    with locked(campaign) as held:
        if held.is_sample == on:
            return
        held.is_sample = on
        held.save(update_fields=["is_sample"])
        if not on:
            shut([held.pk])
        work = begin(held, somebody(held), uuid4())
        work.record(SAMPLE_CHANGED, {"on": on}, subjects=[subject_of(held)])
