"""The GMs' pages about creation: templates, and the budgets of new characters."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import existing
from campaigns.models import Role, Viewer
from campaigns.views.answers import tried
from characters.forms.templates import BudgetForm, KeepForm, TemplateForm
from characters.models import Character, CharacterTemplate
from characters.services.creation import change_creation
from characters.services.templates import change_template, drop_template, keep_template


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def character_templates(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the list of them; a POST keeps one more."""
    form = KeepForm(viewer.by, request.POST or None)
    status = tried(
        request, form, lambda: keep_template(viewer.by, form.cleaned_data["character"], key=request_key(request))
    )
    if not status:
        return redirect("character_templates", viewer.campaign.slug)
    return _page(request, viewer, keep_form=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    current, key = _found(viewer, template_id), request_key(request)
    form = TemplateForm(current, request.POST)
    status = tried(request, form, lambda: change_template(viewer.by, current, **form.cleaned_data, key=key))
    if not status:
        return redirect("character_templates", viewer.campaign.slug)
    return _page(request, viewer, changed=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template_drop(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    drop_template(viewer.by, template_id, key=request_key(request))
    return redirect("character_templates", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def creation_settings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    form = BudgetForm(viewer.by, request.POST or None)
    status = tried(request, form, lambda: change_creation(viewer.by, form.points(), key=request_key(request)))
    if not status:
        return redirect("creation_settings", viewer.campaign.slug)
    return render(request, "characters/creation_settings.html", {"viewer": viewer, "form": form}, status=status)


def _found(viewer: Viewer, template_id: UUID) -> CharacterTemplate:
    return existing(CharacterTemplate.objects.filter(campaign=viewer.campaign, pk=template_id).first())


def _page(
    request: HttpRequest,
    viewer: Viewer,
    *,
    keep_form: KeepForm | None = None,
    changed: TemplateForm | None = None,
    status: int,
) -> HttpResponse:
    """Return the page, with the one form on it that was sent as it was sent."""
    kept = [
        {"template": template, "form": changed if changed and changed.template == template else TemplateForm(template)}
        for template in CharacterTemplate.objects.filter(campaign=viewer.campaign)
    ]
    keeps = Character.objects.seen_by(viewer).exists()
    context = {"viewer": viewer, "kept": kept, "keep_form": (keep_form or KeepForm(viewer.by)) if keeps else None}
    return render(request, "characters/templates.html", context, status=status)
