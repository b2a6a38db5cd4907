"""Checking a session in the reader's own browser."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.errors import existing
from campaigns.models import GameSession, Role, Viewer
from campaigns.views.log import JSONL, streamed
from rolls.queries.checking import lines_of_session


@require_GET
@member_view(Role.SPECTATOR)
def verify(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return the page that checks a session, and says what that proves."""
    session = _session(viewer, number)
    lines_url = reverse("session_lines", args=[viewer.campaign.slug, number])
    return render(request, "rolls/verify.html", {"viewer": viewer, "session": session, "lines_url": lines_url})


@require_GET
@member_view(Role.SPECTATOR)
def session_lines(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Send the events of a session that this viewer may see, one JSON object a line."""
    text = (f"{json.dumps(line)}\n" for line in lines_of_session(viewer, _session(viewer, number)))
    return streamed(request, text, JSONL, f"{viewer.campaign.slug}-session-{number}.jsonl")


def _session(viewer: Viewer, number: int) -> GameSession:
    return existing(GameSession.objects.filter(campaign=viewer.campaign, number=number).first())
