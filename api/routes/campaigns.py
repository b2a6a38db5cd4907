"""The campaign of a token, and who sits at its table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from api import schemas
from api.auth import Token
from api.router import CampaignRouter
from campaigns import chain
from campaigns.forms.play import members_of
from campaigns.models import ApiToken, Viewer
from campaigns.queries.play import next_meeting, now_at, session_at
from rolls.registry import rules_of

router = CampaignRouter(tags=["Campaign"])
top = Router(tags=["Campaign"])


@top.get("/campaigns", auth=Token(), response=list[schemas.Campaign], operation_id="campaigns", url_name="campaigns")
def campaigns(request: HttpRequest) -> list[dict[str, Any]]:
    """List the campaigns this token opens. There is always exactly one."""
    return [_campaign(request.auth)]  # type: ignore[attr-defined]


@top.get(
    "/campaigns/{slug}",
    auth=Token(),
    response=schemas.Campaign,
    operation_id="campaign",
    url_name="campaign",
)
def campaign(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Get the campaign: its name and rules, whether play is paused, and who this token acts as."""
    return _campaign(request.auth)  # type: ignore[attr-defined]


@router.reads("/members", response=list[schemas.Member])
def members(viewer: Viewer) -> list[dict[str, Any]]:
    """List the current members."""
    return [
        {"member": member.number, "name": member.name, "role": member.role} for member in members_of(viewer.campaign)
    ]


def _campaign(token: ApiToken) -> dict[str, Any]:
    viewer = token.viewer
    here = viewer.campaign
    planned = next_meeting(here, session_at(viewer))
    return {
        "slug": here.slug,
        "name": here.name,
        "pitch": here.pitch,
        "systems": here.systems,
        "rules": [rules.name for rules in rules_of(here)],
        "archived": here.archived_at is not None,
        "paused": here.paused,
        "next_session_at": chain.moment(planned) if planned else None,
        "now": now_at(viewer),
        "me": {
            "member": viewer.by.number,
            "name": viewer.by.name,
            "role": viewer.role.value,
            "writes": token.writes,
        },
    }
