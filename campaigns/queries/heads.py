"""How the streams of a log stand, and where it was put back to a backup: for browsers that had seen more of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import BigIntegerField, Case, OuterRef, Subquery, When

from campaigns.events import LOG_RESTORED
from campaigns.models import Campaign, Event, EventSubject, Stream, Viewer


def heads(viewer: Viewer, kept: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Of each stream that this viewer sees, how it stands: {"seq", "hash"} of its last event, under "kept" the hash of the number
    that somebody kept of it (None where there is no such event), and where a log was restored, "restored": a `mark` for each
    time, oldest first, and the `seq` at which the stream then stood."""
    # From what it is about: a walk through the log for its kind would be as long as that.
    about = EventSubject.objects.filter(key=restored_key(viewer.campaign), event__kind=LOG_RESTORED)
    marks = list(about.order_by("event").values_list("event", "event__hash"))
    streams = Stream.objects.filter(campaign=viewer.campaign).order_by("name")
    if viewer.streams is not None:
        streams = streams.filter(name__in=viewer.streams)
    asked = Case(*[When(name=name, then=seq) for name, seq in kept.items()], default=0, output_field=BigIntegerField())
    reached = {f"mark_{pk}": _reached(pk) for pk, _ in marks}
    known = streams.annotate(asked=asked).annotate(last=_hash("seq"), kept=_hash("asked"), **reached)
    by_campaign: dict[str, dict[str, Any]] = {}
    for stream in known:
        by_campaign[stream.name] = {"seq": stream.seq, "hash": stream.last, "kept": stream.kept}
        if marks:
            restored = [{"mark": mark, "seq": getattr(stream, f"mark_{pk}") or 0} for pk, mark in marks]
            by_campaign[stream.name]["restored"] = restored
    return by_campaign


def _hash(number: str) -> Subquery:
    """The hash of the event of a stream that has the number in this column."""
    return Subquery(Event.objects.filter(stream=OuterRef("pk"), seq=OuterRef(number)).values("hash")[:1])


def _reached(event_id: int) -> Subquery:
    """The number of a stream's last event before another one."""
    earlier = Event.objects.filter(stream=OuterRef("pk"), pk__lt=event_id)
    return Subquery(earlier.order_by("-seq").values("seq")[:1])


def restored_key(campaign: Campaign) -> str:
    """What such entries are about."""
    return f"restored:{campaign.pk}"
