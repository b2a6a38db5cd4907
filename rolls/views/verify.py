"""Checking a session in the reader's own browser."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.errors import Missing
from campaigns.models import GameSession, Role
from campaigns.views.streaming import JSONL, streamed
from rolls.services.checking import lines_of_session


@require_GET
@member_view(Role.SPECTATOR)
def verify(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The page that checks a session, and says what that proves."""
    session = _session(seat, number)
    lines_url = reverse("session_lines", args=[seat.campaign.slug, number])
    return render(request, "rolls/verify.html", {"seat": seat, "session": session, "lines_url": lines_url})


@require_GET
@member_view(Role.SPECTATOR)
def session_lines(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """What this seat may see of a session, one JSON object a line."""
    text = (f"{json.dumps(line)}\n" for line in lines_of_session(seat, _session(seat, number)))
    return streamed(request, text, JSONL, f"{seat.campaign.slug}-session-{number}.jsonl")


def _session(seat: Seat, number: int) -> GameSession:
    session = GameSession.objects.filter(campaign=seat.campaign, number=number).first()
    if session is None:
        raise Missing
    return session
