"""The first page: one's own campaigns; for visitors, what this is and three ways on. It shows parts of every app, so
its view is here.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from campaigns.access import id_or_none, request_key
from campaigns.queries.dates import zone_here
from campaigns.services.campaigns import sample
from campaigns.services.members import see_everything
from people.context import person_of
from people.middleware import keep
from rolls.queries.home import answers_to, campaign_cards, last_seen, leading, news_for, waiting_for
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
    current = [card for card in cards if not card.campaign.archived_at]
    lead, news = leading(current), news_for(current)
    told = [card for card in [lead, *current] if card and (card.recap or card.ended)]
    context = {
        "cards": current,
        "lead": lead,
        "answers": answers_to(lead) if lead else None,
        "zone": zone_here(),
        "keeps": [address for card in current for address in card.keeps][:KEPT],
        "archived": [card for card in cards if card.campaign.archived_at],
        "greeting": _greeting(),
        "today": timezone.now(),
        "last": next(iter(told), None),
        "news": news,
        "since": min((last_seen(one.card) for one in news), default=None),
        "sample": None if cards else sample(),
    }
    return render(request, "rolls/home.html", context)


@require_POST
@login_required
def home_seen(request: HttpRequest) -> HttpResponse:
    """Note that the reader knows what happened at all their tables."""
    request_key(request)
    see_everything(person_of(request))
    return redirect("home")


@require_GET
@login_required
def home_waiting(request: HttpRequest) -> HttpResponse:
    """Show what waits for the reader but for the date that is `shown` beside; the first page loads this part by itself."""
    shown = id_or_none(request.GET.get("shown", ""))
    return render(request, "rolls/_home_waiting.html", waiting_for(person_of(request), shown))


def _greeting() -> str:
    """Return a greeting for the time of day where the reader is."""
    hour = timezone.localtime().hour
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
