"""What a page needs to follow the table from where it stands."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.models import QuerySet

from campaigns.live.presence import at_table_now
from campaigns.models import Stream, Viewer
from database.compiled import Parameter, compiled


@compiled(campaign=models.UUIDField())
def _streams(campaign: Parameter) -> QuerySet[Stream]:
    return Stream.objects.filter(campaign=campaign).order_by("name").only("name", "seq", "head")


def follow(viewer: Viewer) -> dict[str, Any]:
    """Context of a live page: `live` ({"url" of the socket, "heads": JSON of stream -> number, "hashes": of stream -> its hash})
    and `presence`.

    Call it before anything else is read: what happens meanwhile is then sent again, and drawing a thing twice is drawing it once.
    """
    # In a fixed order: the one in which rows lie in the database would betray what happens in other streams.
    streams = _streams.rows(campaign=viewer.campaign.pk)
    seen = [one for one in streams if viewer.streams is None or one.name in viewer.streams]
    heads, hashes = {one.name: one.seq for one in seen}, {one.name: one.head for one in seen if one.seq}
    url = f"/c/{viewer.campaign.slug}/live/"
    return {
        "live": {"url": url, "heads": json.dumps(heads), "hashes": json.dumps(hashes)},
        "presence": at_table_now(viewer.campaign.pk),
    }
