"""The first page: one's own campaigns; for visitors, what this is and three ways on. It shows parts of every app, so
its view is here.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from campaigns.services.campaigns import sample
from people.context import person_of
from people.middleware import keep
from rolls.queries.home import campaign_cards, waiting_for
from rolls.registry import all_rules

MORNING, NOON, EVENING = 5, 12, 18  # o'clock
KEPT = 6
"""Pages that a browser fetches to be read without a network, beside this one: half of what static/js/service-worker.js keeps."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return _front(request)
    keep(request)
    cards = campaign_cards(person_of(request))
    context = {
        "cards": (current := [card for card in cards if not card.campaign.archived_at]),
        "keeps": [address for card in current for address in card.keeps][:KEPT],
        "archived": [card for card in cards if card.campaign.archived_at],
        "greeting": _greeting(),
        "last": next((card for card in cards if card.recap and not card.campaign.archived_at), None),
        "ended": [card for card in cards if card.ended and not card.campaign.archived_at],
        "sample": None if cards else sample(),
    }
    return render(request, "rolls/home.html", context)


@require_GET
@login_required
def home_waiting(request: HttpRequest) -> HttpResponse:
    """Show the tasks that wait for the reader; the first page loads this part by itself."""
    return render(request, "rolls/_home_waiting.html", {"waiting": waiting_for(person_of(request))})


def _greeting() -> str:
    """Return a greeting for the time of day where the reader is."""
    hour = localtime().hour
    if NOON <= hour < EVENING:
        return _("Good afternoon")
    return _("Good morning") if MORNING <= hour < NOON else _("Good evening")


def _front(request: HttpRequest) -> HttpResponse:
    context = {
        "sample": sample(),
        "rules": all_rules(),
        "can_sign_up": get_adapter(request).is_open_for_signup(request),
    }
    return render(request, "rolls/front.html", context)
