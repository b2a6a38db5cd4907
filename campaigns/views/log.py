"""What happened: the feed of the table page, and its older lines."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.errors import Missing
from campaigns.live.render import render_line
from campaigns.models import Event, Role
from campaigns.models.log import GM, TABLE

PAGE = 50  # events


@dataclass(frozen=True)
class Feed:
    """A page of lines, oldest first, ready rendered; `older_url` is where those before it are, "" if there are none."""

    lines: list[SafeString]
    older_url: str


def feed(seat: Seat, before: Event | None = None) -> Feed:
    """The last lines that a seat may see, or those before an event. The number of queries does not depend on their number."""
    found = Event.objects.seen_by(seat).before(before.pk if before else None).whole().select_related("campaign")
    events = list(_told_once(found, seat)[: PAGE + 1])
    older = reverse("older", args=[seat.campaign.slug, events[PAGE - 1].uid]) if len(events) > PAGE else ""
    lines = [render_line(event, seat.role) for event in reversed(events[:PAGE])]
    return Feed([line for line in lines if line], older)


@require_GET
@member_view(Role.SPECTATOR)
def older(request: HttpRequest, seat: Seat, uid: UUID) -> HttpResponse:
    """The lines before an event, in the place of the button that asked for them. What is hidden is not there: 404."""
    before = _told_once(Event.objects.seen_by(seat), seat).filter(uid=uid).first()
    if before is None:
        raise Missing
    page = feed(seat, before)
    return render(request, "campaigns/_older.html", {"lines": page.lines, "older_url": page.older_url})


def _told_once(events: QuerySet[Event], seat: Seat) -> QuerySet[Event]:
    """Without the poorer tellings of what this seat sees told several times under one uid: the GMs' stream comes before
    the members', those before the table's."""
    ahead = Q(place__lt=OuterRef("place")) | Q(place=OuterRef("place"), pk__lt=OuterRef("pk"))
    richer = Event.objects.seen_by(seat).annotate(place=_PLACE).filter(ahead, uid=OuterRef("uid"))
    return events.annotate(place=_PLACE).filter(~Exists(richer))


_PLACE = Case(
    When(stream__name=GM, then=Value(0)),
    When(stream__name=TABLE, then=Value(2)),
    default=Value(1),
    output_field=IntegerField(),
)
