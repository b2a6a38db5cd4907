"""The GM's checklist before the first session."""

from __future__ import annotations

from campaigns.models import GameSession, Invitation, Membership, Viewer
from characters.models import Character


def checklist(viewer: Viewer) -> dict[str, bool] | None:
    """Return {"people", "characters", "session"}: which first steps are done.

    None once all are, from the second session on, and for everyone but GMs who can act. A step stays done: nobody is
    asked again to invite people because one has left.
    """
    campaign = viewer.campaign
    if not viewer.is_gm or viewer.is_read_only or campaign.archived_at:
        return None
    sessions = GameSession.objects.filter(campaign=campaign)[:2].count()
    if sessions > 1:
        return None
    invited = Invitation.objects.filter(campaign=campaign).exists()
    done = {
        "people": invited or Membership.objects.filter(campaign=campaign).exclude(pk=viewer.by.pk).exists(),
        "characters": Character.objects.filter(campaign=campaign).exists(),
        "session": sessions > 0,
    }
    return None if all(done.values()) else done
