"""Give a page what it needs to follow the table from where it stands."""

from __future__ import annotations

import json
from typing import Any

from campaigns.live.presence import at_table_now
from campaigns.models import Stream, Viewer


def follow(viewer: Viewer) -> dict[str, Any]:
    """Context of a live page: `live` ({"url" of the socket, "heads": JSON of stream -> number, "hashes": of stream -> its hash})
    and `presence`.

    Call it before anything else is read: what happens meanwhile is then sent again, and drawing a thing twice is drawing it once.
    """
    # In a fixed order: the one in which rows lie in the database would betray what happens in other streams.
    streams = Stream.objects.filter(campaign=viewer.campaign).order_by("name").values_list("name", "seq", "head")
    known = [stream for stream in streams if viewer.streams is None or stream[0] in viewer.streams]
    heads, hashes = {name: seq for name, seq, _ in known}, {name: head for name, seq, head in known if seq}
    url = f"/c/{viewer.campaign.slug}/live/"
    return {
        "live": {"url": url, "heads": json.dumps(heads), "hashes": json.dumps(hashes)},
        "presence": at_table_now(viewer.campaign.pk),
    }
