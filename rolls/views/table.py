"""The table: the one page on which a campaign is played. The top app's view owns it, since it shows every app."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.live.follow import follow
from campaigns.models import Role
from campaigns.queries.clocks import clocks_of
from campaigns.queries.storylines import storylines_of
from campaigns.services import visits
from campaigns.views.log import feed
from characters.views.hand import CHOSEN, hand_of
from rolls.services import state
from rolls.views.composer import composer


@require_GET
@member_view(Role.SPECTATOR)
def table(request: HttpRequest, seat: Seat) -> HttpResponse:
    visits.look(seat)
    following = follow(seat)
    hand = hand_of(seat, request.GET.get(CHOSEN, ""))
    page = feed(seat)
    context = {
        "seat": seat,
        "hand": hand,
        "hand_empty": _hand_empty(seat),
        "requests": state.open_requests(seat),
        "clocks": clocks_of(seat),
        "storylines": storylines_of(seat),
        "lines": page.lines,
        "older_url": page.older_url,
        "composer": composer(seat, hand) if _plays(seat) else None,
    }
    return render(request, "table.html", context | following)


def _plays(seat: Seat) -> bool:
    return seat.role.at_least(Role.PLAYER) and not seat.only_looks and not seat.campaign.archived_at


def _hand_empty(seat: Seat) -> str:
    if seat.role == Role.SPECTATOR:
        return "You are watching. What happens at the table appears by itself."
    if seat.is_gm:
        return "No character is at hand. Make an NPC under Characters, or roll a typed number of dice below."
    return "You have no character here yet. Make one, or roll a typed number of dice below."
