"""The overlay of a stream: what a spectator sees of the dice, large and without a background, for anyone with the
spectator link.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from campaigns.access import viewer_by_link
from campaigns.live.presence import follow
from campaigns.live.render import render_line
from campaigns.models import Event, Viewer
from campaigns.queries.clocks import clocks_of
from rolls.events import ROLL_CORRECTED, ROLL_MADE, ROLL_REVEALED
from rolls.forms.overlay import CLOCKS, ROLL, OverlayForm

CARDS = (ROLL_MADE, ROLL_CORRECTED, ROLL_REVEALED)


@never_cache
@require_GET
def overlay(request: HttpRequest, token: str) -> HttpResponse:
    """Show the parts that its address asks for, to anyone with the link, as a spectator.

    If rolls disappear again, no past one is shown at the start. Raises NotFound if the link is off or was replaced, and
    Invalid if the address asks for unknown parts.
    """
    viewer = viewer_by_link(token)
    chosen = OverlayForm(request.GET).chosen()
    # Streaming programs have a browser of their own, whose language nobody sets.
    with translation.override(chosen["lang"] or get_language()):
        answer = _drawn(request, viewer, token, chosen)
        answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
    return answer


def _drawn(request: HttpRequest, viewer: Viewer, token: str, chosen: dict[str, Any]) -> HttpResponse:
    request.viewer = viewer  # type: ignore[attr-defined]  # whose panels are drawn
    following = follow(viewer, token)
    context = {
        "viewer": viewer,
        "chosen": chosen,
        "line": _last_roll(viewer) if ROLL in chosen["parts"] and not chosen["stay"] else "",
        "clocks": clocks_of(viewer) if CLOCKS in chosen["parts"] else [],
    }
    return render(request, "rolls/overlay.html", context | following)


def _last_roll(viewer: Viewer) -> SafeString:
    cards = Event.objects.seen_by(viewer).filter(kind__in=CARDS).before(None).with_related()
    event = cards.select_related("campaign").first()
    return render_line(event, viewer.role) if event else SafeString("")
