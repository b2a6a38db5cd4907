"""When a table means to meet next."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from campaigns import chain
from campaigns.errors import Invalid
from campaigns.events import SESSION_PLANNED
from campaigns.models import Campaign, Role
from campaigns.services.campaigns import subject_of
from campaigns.services.compare_and_set import compare_and_set, version
from campaigns.services.log import UnitOfWork, service

FURTHEST = timedelta(days=731)


@service(Role.GM)
def plan_session(work: UnitOfWork, at: datetime | None, *, expected: str, key: UUID) -> Campaign:
    """Say when the next session is; None: nobody knows. Raises Invalid for what is past or more than two years away, and Conflict
    if it is no longer what `expected` was made of."""
    campaign = work.campaign
    before = _told(campaign.next_session_at)
    compare_and_set(campaign, subject_of(campaign), expected=expected, current={"at": before})
    now = _told(at)
    if now == before:
        return campaign
    if at is not None and not work.now < at < work.now + FURTHEST:
        raise Invalid("Choose a time from now on, at most two years away.", field="at")
    campaign.next_session_at = at
    campaign.save(update_fields=["next_session_at"])
    work.record(SESSION_PLANNED, {"at": now, "before": before}, subjects=[subject_of(campaign)])
    return campaign


def plan_version(campaign: Campaign) -> str:
    """For the `expected` of `plan_session`."""
    return version({"at": _told(campaign.next_session_at)})


def _told(at: datetime | None) -> str | None:
    return chain.moment(at) if at else None
