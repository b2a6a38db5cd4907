"""Whether the log is still the one that a browser has seen."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.models import Event, Role, Stream
from campaigns.services.generations import restorations

LONGEST_NUMBER = 15  # digits


@require_GET
@member_view(Role.SPECTATOR)
def chain(request: HttpRequest, seat: Seat) -> JsonResponse:
    """Of each stream that this seat sees: its last number and hash, and under `kept` the hash of the number that was asked for
    (`?table=12`), null if there is no such entry; where a backup was restored, `restored` lists when ({"mark", "seq"})."""
    streams = Stream.objects.filter(campaign=seat.campaign).select_related("campaign").order_by("name")
    if seat.streams is not None:
        streams = streams.filter(name__in=seat.streams)
    answer = JsonResponse({stream.name: _state(stream, request.GET.get(stream.name, "")) for stream in streams})
    answer["Cache-Control"] = "no-store"
    return answer


def _state(stream: Stream, asked: str) -> dict[str, Any]:
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_NUMBER else 0
    hashes = dict(Event.objects.filter(stream=stream, seq__in={number, stream.seq}).values_list("seq", "hash"))
    state = {"seq": stream.seq, "hash": hashes.get(stream.seq), "kept": hashes.get(number)}
    return state | ({"restored": restored} if (restored := restorations(stream)) else {})
