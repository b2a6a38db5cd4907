"""The statistics of a campaign's rolls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.models import Role, Viewer
from campaigns.replica import reads_past
from rolls.forms.statistics import StatisticsForm
from rolls.queries.statistics import FILTERS
from rolls.queries.statistics import statistics as statistics_of


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def statistics(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the filters live in the address."""
    chosen = {name: request.GET[name] for name in FILTERS if request.GET.get(name)}
    counted = statistics_of(viewer, chosen)
    form = StatisticsForm(counted.choices, request.GET)
    status = 200 if form.is_valid() else 422
    context = {"viewer": viewer, "form": form, "found": counted, "chosen": chosen}
    return render(request, "rolls/statistics/page.html", context, status=status)
