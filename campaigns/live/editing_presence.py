"""Where somebody is writing right now: told live to those who may see that place, and kept nowhere.

A page says where its fields are by a signed token (`token`), which its browser sends back with the name of the field that has
the focus. So the socket needs no knowledge of what is written in, and nobody is told of a place that they may not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core import signing

from campaigns.live.presence import alive
from campaigns.models import Presence, Viewer

SALT = "place"
FIELD = re.compile(r"[\w./-]{1,120}")
LONGEST_TOKEN = 2000


def token(campaign_id: UUID, subject: str, streams: Iterable[str]) -> str:
    """For a page on which `subject` ("character:<id>") is written in; who sees one of `streams` may know of it."""
    # Without a time in it: a page that shows the same is the same, byte for byte.
    return signing.Signer(salt=SALT).sign_object([str(campaign_id), subject, sorted(streams)], compress=True)


def read(campaign_id: UUID, said: Any) -> dict[str, Any] | None:
    """The place that a client says it is at: {"token", "field"}. None for nowhere, and for what no page has given it."""
    if not isinstance(said, dict):
        return None
    given, field = said.get("token"), said.get("field")
    if not isinstance(given, str) or len(given) > LONGEST_TOKEN or not isinstance(field, str):
        return None
    if not FIELD.fullmatch(field):
        return None
    try:
        campaign, subject, streams = signing.Signer(salt=SALT).unsign_object(given)
    except (signing.BadSignature, ValueError):
        return None
    return {"subject": subject, "field": field, "streams": streams} if campaign == str(campaign_id) else None


def stand(row_id: UUID, place: dict[str, Any] | None) -> None:
    """The socket with this row of Presence is now writing there."""
    Presence.objects.filter(pk=row_id).update(place=place)


def places(*campaign_ids: UUID) -> dict[UUID, list[dict[str, Any]]]:
    """Where people are writing, at each of these tables: [{"member", "name", "subject", "field", "streams"}]."""
    by_campaign: dict[UUID, list[dict[str, Any]]] = {campaign_id: [] for campaign_id in campaign_ids}
    for row in alive(*campaign_ids).exclude(place=None).select_related("membership__user").order_by("pk"):
        if row.membership and row.place:
            place = {"member": row.membership.pk, "name": row.membership.name, **row.place}
            by_campaign[row.campaign_id].append(place)
    return by_campaign


def seen_by(viewer: Viewer, everywhere: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that this viewer may know of, without their streams."""
    return [
        {name: value for name, value in place.items() if name != "streams"}
        for place in everywhere
        if viewer.streams is None or not set(viewer.streams).isdisjoint(place["streams"])
    ]
