"""What a GM has to do before the first session."""

from __future__ import annotations

from campaigns.models import GameSession, Invitation, Membership, Viewer
from characters.models import Character


def checklist(viewer: Viewer) -> dict[str, bool] | None:
    """{"people", "characters"}: what is done; None once the first session has begun, and for all but GMs who can act.

    What is done stays done: nobody is asked again to invite people because one has left.
    """
    campaign = viewer.campaign
    if not viewer.is_gm or viewer.is_read_only or campaign.archived_at:
        return None
    if GameSession.objects.filter(campaign=campaign).exists():
        return None
    invited = Invitation.objects.filter(campaign=campaign).exists()
    return {
        "people": invited or Membership.objects.filter(campaign=campaign).exclude(pk=viewer.by.pk).exists(),
        "characters": Character.objects.filter(campaign=campaign).exists(),
    }
