"""The page on which a campaign is made. It needs the games, so its view is here."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns.access import request_key
from campaigns.models import Campaign
from campaigns.views.answers import tried
from people.context import person_of
from rolls.forms.founding import FoundingForm
from rolls.services.founding import found_campaign


@require_http_methods(["GET", "POST"])
@login_required
def campaign_new(request: HttpRequest) -> HttpResponse:
    form = FoundingForm(request.POST or None)
    made: list[Campaign] = []
    status = tried(
        request,
        form,
        lambda: made.append(found_campaign(person_of(request), **form.cleaned_data, key=request_key(request))),
    )
    if not status:
        return redirect(made[0].url)
    return render(request, "campaigns/new.html", {"form": form}, status=status)
