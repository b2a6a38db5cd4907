"""The newest events of a campaign, as the table page begins with them."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from django.db import models

from campaigns.models import Event, Viewer
from campaigns.models.log import EventQuerySet, prefetch_amendments
from campaigns.models.streams import TABLE
from database.compiled import CompiledQuery, Parameter, compiled


def newest(viewer: Viewer, many: int) -> list[Event]:
    """So many of what this viewer may see, the newest first, with all that drawing them needs."""
    own = viewer.streams[1:] if viewer.streams else []
    query = _newest(many, sees_all=viewer.streams is None, has_own=bool(own))
    events = query.rows(campaign=viewer.campaign.pk, **({"own": own[0]} if own else {}))
    for event in events:
        # It is the same for all of them, and whole: read with each, it takes a tenth of the page's time.
        event.campaign = viewer.campaign
    prefetch_amendments(events)
    return events


@cache
def _newest(many: int, *, sees_all: bool, has_own: bool) -> CompiledQuery[Event]:
    """By what a viewer's streams are like: all, everybody's and an own one, or everybody's alone."""

    def seen(campaign: Parameter, own: Parameter | None = None) -> EventQuerySet:
        viewer: Any = SimpleNamespace(campaign=campaign, streams=None if sees_all else [TABLE, own] if own else [TABLE])
        return Event.objects.seen_by(viewer).before(None).with_stored().amended().deduplicated(viewer)[:many]

    own = {"own": models.CharField()} if has_own else {}
    return compiled(campaign=models.UUIDField(), **own)(seen)
