"""The settings of a campaign, and deleting an account."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.forms.campaigns import CampaignForm, DeleteAccountForm
from campaigns.forms.play import CoverForm
from campaigns.models import Campaign, Role, Viewer
from campaigns.services import campaigns as services
from campaigns.services.members import delete_account
from campaigns.views.answers import beside, tried
from people.context import person_of


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def campaign_settings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    seen = services.campaign_version(viewer.campaign)
    form = CampaignForm(request.POST or None, initial=viewer.campaign.payload() | {"expected": seen})
    status = tried(request, form, lambda: _save(viewer, form, request_key(request)))
    if not status:
        messages.success(request, _("Settings saved."))
        return redirect("campaign_settings", viewer.campaign.slug)
    if status == 409 and not viewer.campaign.archived_at:
        _beside(form, viewer.campaign)
    return render(
        request, "campaigns/settings.html", {"viewer": viewer, "form": form, "cover_form": CoverForm()}, status=status
    )


@require_POST
@member_view(Role.GM)
def campaign_archive(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    services.archive_campaign(viewer.by, key=request_key(request))
    return redirect("campaign_settings", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def campaign_reopen(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    services.reopen_campaign(viewer.by, key=request_key(request))
    return redirect("campaign_settings", viewer.campaign.slug)


def _written(form: CampaignForm) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in ("name", "pitch", "systems")}


def _save(viewer: Viewer, form: CampaignForm, key: Any) -> None:
    services.edit_campaign(viewer.by, **_written(form), expected=form.cleaned_data["expected"], key=key)


def _beside(form: CampaignForm, campaign: Campaign) -> None:
    campaign.refresh_from_db()
    now, typed = campaign.payload(), _written(form)
    words = now | {"systems": ", ".join(rulesets.label_of(system) for system in campaign.systems)}
    beside(form, {name: words[name] for name in now if now[name] != typed[name]}, services.campaign_version(campaign))


@require_http_methods(["GET", "POST"])
@login_required
def profile_delete(request: HttpRequest) -> HttpResponse:
    form = DeleteAccountForm(request.POST or None, user=person_of(request))
    status = tried(request, form, lambda: delete_account(person_of(request)))
    if not status:
        logout(request)
        messages.success(request, _("Your account was deleted."))
        return redirect("account_login")
    return render(request, "campaigns/profile_delete.html", {"form": form}, status=status)
