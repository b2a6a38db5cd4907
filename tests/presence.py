"""An open socket, as rows know it."""

from __future__ import annotations

from uuid import UUID

from campaigns.live import presence
from campaigns.models import Presence


def arrive(campaign_id: UUID, member_id: int | None) -> UUID:
    """Open a socket of a member, or (None) of a visitor by the spectator link. Return its row's id."""
    row = Presence(campaign_id=campaign_id, membership_id=member_id)
    presence.arrive([row])
    return row.pk
