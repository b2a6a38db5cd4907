"""An open socket, as rows know it."""

from __future__ import annotations

from uuid import UUID

from campaigns.live import presence
from campaigns.models import Presence


def arrive(campaign_id: UUID, member_id: int | None) -> UUID:
    """A socket opens, a member's or (None) of one who came by the spectator link. Its row's id."""
    row = Presence(campaign_id=campaign_id, membership_id=member_id)
    presence.arrive([row])
    return row.pk
