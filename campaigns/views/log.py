"""What happened: the feed of the table page, and its older lines."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.errors import Missing
from campaigns.live.render import render_line
from campaigns.models import Event, Role

PAGE = 50  # events


@dataclass(frozen=True)
class Feed:
    """A page of lines, oldest first, ready rendered; `older_url` is where those before it are, "" if there are none."""

    lines: list[SafeString]
    older_url: str


def feed(seat: Seat, before: Event | None = None) -> Feed:
    """The last lines that a seat may see, or those before an event. The number of queries does not depend on their number."""
    found = Event.objects.seen_by(seat).before(before.pk if before else None).whole().select_related("campaign")
    events = list(found.told_once(seat)[: PAGE + 1])
    older = reverse("older", args=[seat.campaign.slug, events[PAGE - 1].uid]) if len(events) > PAGE else ""
    lines = [render_line(event, seat.role) for event in reversed(events[:PAGE])]
    return Feed([line for line in lines if line], older)


@require_GET
@member_view(Role.SPECTATOR)
def older(request: HttpRequest, seat: Seat, uid: UUID) -> HttpResponse:
    """The lines before an event, in the place of the button that asked for them. What is hidden is not there: 404."""
    before = Event.objects.seen_by(seat).told_once(seat).filter(uid=uid).first()
    if before is None:
        raise Missing
    page = feed(seat, before)
    return render(request, "campaigns/_older.html", {"lines": page.lines, "older_url": page.older_url})
