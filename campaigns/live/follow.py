"""What a page needs to follow the table from where it stands."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Q

from campaigns.live.presence import at_table_now
from campaigns.models import Stream, Viewer


def follow(viewer: Viewer) -> dict[str, Any]:
    """Context of a live page: `live` ({"url" of the socket, "heads": JSON of stream -> number}) and `presence`.

    Call it before anything else is read: what happens meanwhile is then sent again, and drawing a thing twice is drawing it once.
    """
    mine = Q() if viewer.streams is None else Q(name__in=viewer.streams)
    # In a fixed order: the one in which rows lie in the database would betray what happens in other streams.
    heads = dict(Stream.objects.filter(mine, campaign=viewer.campaign).order_by("name").values_list("name", "seq"))
    return {
        "live": {"url": f"/c/{viewer.campaign.slug}/live/", "heads": json.dumps(heads)},
        "presence": at_table_now(viewer.campaign.pk),
    }
