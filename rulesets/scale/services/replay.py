"""How the Scale and its Burns stood when a session began, as the log told it until then (rolls/services/replay.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.access import Seat
from campaigns.kinds import Topic, kind_of
from campaigns.models import Entry, GameSession, Payload
from campaigns.models.log import TABLE
from rolls.services.replay import ends
from rulesets.scale import words
from rulesets.scale.events import BURN, MAJOR
from rulesets.scale.services.state import moves_scales, scale_states

Facts = dict[str, Any]

LOOKED_BACK = 100
"""So many rolls, Burns and Major Burns before a session are read for how the Scale and its Burns stood when it began."""

EVEN: Facts = {"value": 0, "pending": None, "banked": None}


def beginning(seat: Seat, session: GameSession) -> tuple[list[Facts], list[Facts]]:
    """The Scales that are in use, and the Burns that were not over, just before a session."""
    first, _ = ends(session)
    return _scales_and_burns(seat, first)


def shown(seat: Seat, session: GameSession | None) -> Facts | None:
    """The panels of a replay: what stood above the feed, and the list of Burns where there is one."""
    if session is None:
        return None
    scales, burns = beginning(seat, session)
    return {"scales": scales, "burns": burns, "listed": moves_scales(seat.campaign)}


def _scales_and_burns(seat: Seat, first: int) -> tuple[list[Facts], list[Facts]]:
    """The Scales that are in use, and the Burns that were not over."""
    scales: dict[str, Facts] = {}
    burns: dict[str, Facts] = {}
    for facts in _told_of_scales(seat, first):
        if scale := facts.get("scale"):
            scales[scale["id"]] = scale
        for burn in facts.get("burns") or ():
            burns[burn["id"]] = burn
    # Nobody's own Scale is there before its first move; the table's is from the beginning.
    then = (
        scales.get(now["id"], words.scale(now | EVEN) if now["name"] is None else None) for now in scale_states(seat)
    )
    open_ones = (burn for burn in burns.values() if burn["waits"] or burn["kept"] or burn["stops"])
    return [scale for scale in then if scale], sorted(open_ones, key=lambda burn: burn["order"])


def _told_of_scales(seat: Seat, first: int) -> Iterator[Facts]:
    """What everybody was told of rolls and Burns before an event, oldest first."""
    ids: list[int] = []
    for topic in (Topic.ROLL, BURN, MAJOR):
        entries = Entry.objects.filter(campaign=seat.campaign, topic=topic, event_id__lt=first, stream__name=TABLE)
        ids += entries.order_by("-event_id").values_list("event_id", flat=True)[:LOOKED_BACK]
    told = Payload.objects.select_related("event").in_bulk(ids)
    return (kind_of(told[pk].event.kind).described(told[pk].facts) for pk in sorted(ids))
