"""The first page: one's own campaigns; for whoever is not signed in, what this is and three ways on. It shows what every app has,
so that its view is here."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.services.sample import sample
from people.access import person_of
from rolls.queries.home import campaign_cards


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return _front(request)
    cards = campaign_cards(person_of(request))
    context = {
        "cards": [card for card in cards if not card.campaign.archived_at],
        "archived": [card for card in cards if card.campaign.archived_at],
    }
    return render(request, "rolls/home.html", context)


def _front(request: HttpRequest) -> HttpResponse:
    context = {"sample": sample(), "can_sign_up": get_adapter(request).is_open_for_signup(request)}
    return render(request, "rolls/front.html", context)
