"""The table: the one page on which a campaign is played. The top app's view owns it, since it shows every app."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.live.follow import follow
from campaigns.models import Membership, Role
from campaigns.services.clocks import clocks_of
from campaigns.services.storylines import storylines_of
from campaigns.views.log import feed
from characters.hand import CHOSEN, hand_of
from characters.models import Character
from rolls.forms import KINDS, STANDARD
from rolls.models import Audience
from rolls.services import state
from rolls.settings import roll_settings


@require_GET
@member_view(Role.SPECTATOR)
def table(request: HttpRequest, seat: Seat) -> HttpResponse:
    following = follow(seat)
    hand = hand_of(seat, request.GET.get(CHOSEN, ""))
    page = feed(seat)
    context = {
        "seat": seat,
        "hand": hand,
        "hand_empty": _hand_empty(seat),
        "scales": state.scale_states(seat),
        "offers": state.open_offers(seat),
        "burns": state.burn_rows(seat),
        "requests": state.open_requests(seat),
        "carried": state.carried(seat),
        "clocks": clocks_of(seat),
        "storylines": storylines_of(seat),
        "lines": page.lines,
        "older_url": page.older_url,
        "composer": _composer(seat, hand) if seat.role.at_least(Role.PLAYER) and not seat.only_looks else None,
    }
    return render(request, "table.html", context | following)


def _hand_empty(seat: Seat) -> str:
    if seat.role == Role.SPECTATOR:
        return "You are watching. What happens at the table appears by itself."
    if seat.is_gm:
        return "No character is at hand. Make an NPC under Characters, or roll a typed number of dice below."
    return "You have no character here yet. Make one under Characters, or roll a typed number of dice below."


def _composer(seat: Seat, hand: dict[str, Any] | None) -> dict[str, Any]:
    """What can be said and rolled from here, and as whom."""
    slug = seat.campaign.slug
    return {
        "say_url": reverse("compose", args=[slug]),
        "roll_url": reverse("roll", args=[slug]),
        "odds_url": reverse("odds", args=[slug]),
        "voices": voices(seat),
        "members": Membership.objects.here()
        .filter(campaign=seat.campaign)
        .exclude(pk=seat.by.pk)
        .select_related("user"),
        "kinds": [{"value": value, "words": words} for value, words in KINDS],
        "audiences": [{"value": value, "words": words} for value, words in Audience.choices],
        "character": hand["id"] if hand else "",
        "willpower": hand["willpower"] if hand else None,
        "difficulty": STANDARD,
        "automatic": seat.is_gm or roll_settings(seat.campaign).automatic_success,
    }


def voices(seat: Seat) -> list[dict[str, str]]:
    """How this person may speak: as their characters, as themselves, to some only; a GM narrates too."""
    mine = Character.objects.played_by(seat.by).order_by("owner", "name")
    found = [{"value": c.about.key, "words": f"as {c.name}"} for c in mine if not c.is_hidden]
    if seat.is_gm:
        found.insert(0, {"value": "narration", "words": "narrate"})
    return [*found, {"value": "player", "words": "as myself"}, {"value": "whisper", "words": "whisper to …"}]
