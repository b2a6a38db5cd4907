"""The one search of a campaign: its page, and what its dialog fetches while somebody types."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Viewer
from campaigns.replica import reads_past
from campaigns.text import FORBIDDEN, MAX_LINE
from campaigns.views.answers import page_of_list
from rolls.queries.search import Wanted, search


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def campaign_search(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show what is found for `q`, of one `kind` alone if that is named."""
    typed = FORBIDDEN.sub("", request.GET.get("q", "")).strip()[:MAX_LINE]
    wanted = Wanted(typed)
    log = f"{reverse('log', args=[viewer.campaign.slug])}?{urlencode({'words': wanted.words})}"
    context = {
        "viewer": viewer,
        "typed": typed,
        "wanted": wanted,
        "found": search(viewer, wanted, request.GET.get("kind", "")),
        "log_url": log,
        "in_dialog": bool(getattr(request, "htmx", None)),
    }
    return page_of_list(request, "rolls/search.html", "rolls/_found.html", context)
