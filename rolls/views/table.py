"""The table: the one page on which a campaign is played. The top app's view owns it, since it shows every app."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from campaigns.access import member_view
from campaigns.live.presence import follow
from campaigns.models import Role, Viewer
from campaigns.queries.clocks import clocks_of
from campaigns.queries.play import closing, scene_at, storylines_of
from campaigns.services import members as visits
from campaigns.views.log import feed
from characters.queries.ledger import claimable, open_claims
from characters.views.in_play import CHOSEN, acts, hand_of, party
from rolls.queries.home import checklist, waiting
from rolls.queries.procedures import open_procedures, openers
from rolls.queries.requests import open_requests
from rolls.scale import THE_SCALE
from rolls.views.rolls import composer, played_by
from scale.counting import moves_scales


@require_GET
@vary_on_headers("HX-Request")
@member_view(Role.SPECTATOR)
def table(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the whole page; to htmx, which asks for another character at hand, only the parts that depend on it."""
    htmx = getattr(request, "htmx", None)
    if htmx and not htmx.history_restore_request:
        return render(
            request, "rolls/_hand.html", {"viewer": viewer, "campaign": viewer.campaign} | _at_hand(request, viewer)
        )
    is_first = visits.is_first(viewer)
    visits.look(viewer)
    following = follow(viewer)
    # Rows are read for all at once, including those of the chosen character.
    played = party(viewer)
    at_hand = _at_hand(request, viewer)
    page = feed(viewer)
    requests, procedures = open_requests(viewer), open_procedures(viewer)
    context = at_hand | {
        "viewer": viewer,
        "party": played,
        "requests": requests,
        "procedures": procedures,
        "openers": openers(viewer, played_by(viewer, at_hand["hand"])) if acts(viewer) else [],
        "waiting": waiting(viewer, requests, procedures) if acts(viewer) else [],
        "claims": open_claims(viewer) if acts(viewer) and not viewer.is_gm else [],
        "band": scene_at(viewer),
        "closing": closing(viewer),
        "clocks": clocks_of(viewer),
        "storylines": storylines_of(viewer),
        "lines": page.lines,
        "older_url": page.older_url,
        "seen_showings": page.seen,
        "checklist": checklist(viewer),
        "is_first": is_first,
        "primer": THE_SCALE if is_first and moves_scales(viewer.campaign) else None,
    }
    return render(request, "table.html", context | following)


def _at_hand(request: HttpRequest, viewer: Viewer) -> dict[str, Any]:
    hand = hand_of(viewer, request.GET.get(CHOSEN, ""))
    return {
        "hand": hand,
        "hand_empty": _hand_empty(viewer),
        "composer": composer(viewer, hand) if acts(viewer) else None,
        "claimable": hand is not None and acts(viewer) and claimable(hand["character"]),
    }


def _hand_empty(viewer: Viewer) -> str:
    if viewer.role == Role.SPECTATOR:
        return _("You’re watching. The table updates by itself.")
    if viewer.is_gm:
        return _("No character selected. Create an NPC under Characters, or roll without one below.")
    return _("You have no character here yet. Create one, or roll without one below.")
