"""A campaign's decisions about its rolls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
from campaigns.views.answers import tried
from rolls.forms.settings import RulesForm
from rolls.services.settings import change_settings
from rolls.settings import roll_settings


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def rules(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show and change the decisions that the rules leave to this table."""
    now = roll_settings(viewer.campaign)
    form = RulesForm(request.POST or None, now=now, systems=viewer.campaign.systems)
    status = tried(request, form, lambda: change_settings(viewer.by, form.settings(), key=request_key(request)))
    if not status:
        return redirect("rules_settings", viewer.campaign.slug)
    return render(
        request, "rolls/rules.html", {"viewer": viewer, "campaign": viewer.campaign, "form": form}, status=status
    )
