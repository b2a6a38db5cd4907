"""The GMs' pages about creation: templates, and the budgets of new characters."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Missing
from campaigns.models import Role, Seat
from campaigns.views.answers import tried
from characters.forms.templates import BudgetForm, KeepForm, TemplateForm
from characters.models import Character, CharacterTemplate
from characters.services.making import change_creation
from characters.services.templates import change_template, drop_template, keep_template


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def character_templates(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The list of them; a POST keeps one more."""
    form = KeepForm(seat.by, request.POST or None)
    status = 200
    if request.method == "POST":
        key = request_key(request)
        status = tried(form, lambda: keep_template(seat.by, form.cleaned_data["character"], key=key))
        if not status:
            return redirect("character_templates", seat.campaign.slug)
    return _page(request, seat, keep_form=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template(request: HttpRequest, seat: Seat, template_id: UUID) -> HttpResponse:
    found, key = _found(seat, template_id), request_key(request)
    form = TemplateForm(found, request.POST)
    status = tried(form, lambda: change_template(seat.by, found, **form.cleaned_data, key=key))
    if not status:
        return redirect("character_templates", seat.campaign.slug)
    return _page(request, seat, changed=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template_drop(request: HttpRequest, seat: Seat, template_id: UUID) -> HttpResponse:
    drop_template(seat.by, _found(seat, template_id), key=request_key(request))
    return redirect("character_templates", seat.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def creation_settings(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = BudgetForm(seat.by, request.POST or None)
    status = 200
    if request.method == "POST":
        key = request_key(request)
        status = tried(form, lambda: change_creation(seat.by, form.points(), key=key))
        if not status:
            return redirect("creation_settings", seat.campaign.slug)
    return render(request, "characters/creation_settings.html", {"seat": seat, "form": form}, status=status)


def _found(seat: Seat, template_id: UUID) -> CharacterTemplate:
    found = CharacterTemplate.objects.filter(campaign=seat.campaign, pk=template_id).first()
    if found is None:
        raise Missing
    return found


def _page(
    request: HttpRequest,
    seat: Seat,
    *,
    keep_form: KeepForm | None = None,
    changed: TemplateForm | None = None,
    status: int,
) -> HttpResponse:
    """The page, with the one form on it that was sent as it was sent."""
    kept = [
        {"template": one, "form": changed if changed and changed.template == one else TemplateForm(one)}
        for one in CharacterTemplate.objects.filter(campaign=seat.campaign)
    ]
    keeps = Character.objects.seen_by(seat).exists()
    context = {"seat": seat, "kept": kept, "keep_form": (keep_form or KeepForm(seat.by)) if keeps else None}
    return render(request, "characters/templates.html", context, status=status)
