"""From where somebody looks at a campaign: what every query that depends on the viewer is asked with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from campaigns.errors import Forbidden
from campaigns.models.members import Campaign, Membership, Role
from campaigns.models.streams import TABLE


@dataclass(frozen=True)
class Viewer:
    """From where somebody looks at a campaign.

    `membership` is None for a spectator who came by the link or looks at the sample table, and for a GM who sees the page as
    others would; `real` is the GM's own membership in the latter case, None in all others. `role` is what rendering goes by.
    """

    campaign: Campaign
    membership: Membership | None
    role: Role
    real: Membership | None = None

    @property
    def is_gm(self) -> bool:
        return self.role == Role.GM

    @cached_property
    def streams(self) -> list[str] | None:
        """The streams this viewer sees; None for all of them."""
        if self.is_gm:
            return None
        return [TABLE] if self.membership is None else [TABLE, self.membership.stream]

    @property
    def belongs(self) -> bool:
        """Whether they are a member, and no stranger whom the link or the sample table lets look on."""
        return self.membership is not None or self.real is not None

    @property
    def by(self) -> Membership:
        """Who acts. Raises Forbidden for viewers that only look."""
        if self.real is not None:
            raise Forbidden("You are seeing this as somebody else would. Go back to being the GM to change anything.")
        if self.membership is None:
            raise Forbidden("You are only watching.")
        return self.membership

    @property
    def is_read_only(self) -> bool:
        return self.real is not None or self.membership is None
