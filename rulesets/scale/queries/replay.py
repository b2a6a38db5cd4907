"""How the Scale and its Burns stood when a session began, as the log told it until then (rolls/queries/replay.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.kinds import Topic
from campaigns.models import Event, EventIndex, GameSession, Viewer
from campaigns.models.members import TABLE
from rolls.queries.replay import ends
from rulesets.scale import words
from rulesets.scale.events import BURN, MAJOR
from rulesets.scale.models import Burn
from rulesets.scale.queries.counting import moves_scales
from rulesets.scale.queries.state import scale_states

Payload = dict[str, Any]

LOOKED_BACK = 100
"""So many rolls, Burns and Major Burns before a session are read for how the Scale and its Burns stood when it began."""

EVEN: Payload = {"value": 0, "pending": None, "banked": None}


def beginning(viewer: Viewer, session: GameSession) -> tuple[list[Payload], list[Payload]]:
    """The Scales that are in use, and the Burns that were not over, just before a session."""
    first, _ = ends(session)
    return _scales_and_burns(viewer, first)


def shown(viewer: Viewer, session: GameSession | None) -> Payload | None:
    """The panels of a replay: what stood above the feed, and the list of Burns where there is one."""
    if session is None:
        return None
    scales, burns = beginning(viewer, session)
    return {"scales": scales, "burns": burns, "listed": moves_scales(viewer.campaign)}


def _scales_and_burns(viewer: Viewer, first: int) -> tuple[list[Payload], list[Payload]]:
    """The Scales that are in use, and the Burns that were not over."""
    scales: dict[str, Payload] = {}
    burns: dict[str, Payload] = {}
    for payload in _told_of_scales(viewer, first):
        if scale := payload.get("scale"):
            scales[scale["id"]] = scale
        for burn in payload.get("burns") or ():
            burns[burn["id"]] = burn
    # Nobody's own Scale is there before its first move; the table's is from the beginning.
    then = (
        scales.get(now["id"], words.scale(now | EVEN) if now["name"] is None else None) for now in scale_states(viewer)
    )
    # What is settled leaves the list when the session begins (state.burn_rows).
    shown_then = (burn for burn in burns.values() if burn["waits"] or burn["kept"] or burn["stops"])
    open_ones = (burn for burn in shown_then if burn["state"] != Burn.State.NARRATED)
    return [scale for scale in then if scale], sorted(open_ones, key=lambda burn: burn["order"])


def _told_of_scales(viewer: Viewer, first: int) -> Iterator[Payload]:
    """Return what everybody was told of rolls and Burns before an event, oldest first."""
    ids: list[int] = []
    for topic in (Topic.ROLL, BURN, MAJOR):
        entries = EventIndex.objects.filter(
            campaign=viewer.campaign, topic=topic, event_id__lt=first, stream__name=TABLE
        )
        ids += entries.order_by("-event_id").values_list("event_id", flat=True)[:LOOKED_BACK]
    events = Event.objects.filter(pk__in=ids).select_related("stored").order_by("pk")
    return (event.described for event in events if event.is_readable)
