"""Procedures: the forms that open them or go with a step, and the steps themselves."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import select_template
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Blocked, Conflict, Forbidden, NotFound, existing
from campaigns.forms.fields import valid
from campaigns.models import Campaign, Role, Viewer
from campaigns.views.answers import done
from languages.text import colon
from rolls.events import described_procedure
from rolls.forms.procedures import OpeningForm, StepBackForm, StepForm
from rolls.models import Procedure
from rolls.procedures import ProcedureForm, ProcedureKind
from rolls.queries.procedures import actor_of, procedure_for, procedure_payload
from rolls.queries.table import standing_of
from rolls.registry import procedure_called
from rolls.services.procedures import act, close_procedure, is_over, offered, only_for, open_procedure, take_back_step
from rules.acts import ActKey
from rules.procedures import OPEN


@require_GET
@member_view(Role.PLAYER)
def new(request: HttpRequest, viewer: Viewer, system: str, kind: str) -> HttpResponse:
    """Return the form that opens one."""
    rules = _opened_by_hand(viewer.campaign, system, kind)
    if not viewer.role.at_least(rules.opened_by):
        raise Forbidden(only_for(rules.opened_by))
    drawn = {
        "url": reverse("procedure_open", args=[viewer.campaign.slug, system, kind]),
        "form_id": f"procedure-new-{kind}",
        "template": form_template(system, kind, OPEN),
        "words": rules.label,
        "opens": True,
        "choices": rules.forms[OPEN].choices(viewer) | {"preset": _with_own(request.GET, rules.forms[OPEN])},
    }
    return render(request, "rolls/_procedure_form.html", drawn)


@require_POST
@member_view(Role.PLAYER)
def opening(request: HttpRequest, viewer: Viewer, system: str, kind: str) -> HttpResponse:
    rules = _opened_by_hand(viewer.campaign, system, kind)
    form, own = valid(OpeningForm(request.POST)), valid(rules.forms[OPEN](_with_own(request.POST, rules.forms[OPEN])))
    given = form.cleaned_data
    open_procedure(
        viewer.by,
        system,
        kind,
        own.cleaned_data,
        reason=given["reason"],
        key=request_key(request),
        client_seed=given["client_seed"],
    )
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.PLAYER)
def step_form(request: HttpRequest, viewer: Viewer, procedure_id: UUID, step: str) -> HttpResponse:
    """Show the form of a step that asks for more, to those who may take it now: it may show secrets of theirs."""
    drawn, _ = _step(request, viewer, procedure_id, step)
    return render(request, "rolls/_procedure_form.html", drawn)


@require_GET
@member_view(Role.PLAYER)
def step_on_card(request: HttpRequest, viewer: Viewer, procedure_id: UUID, step: str) -> HttpResponse:
    """Show the part of a step's form that is pressed on the card itself; 204 if the step cannot be taken any more, as
    the card will say.
    """
    try:
        drawn, rules = _step(request, viewer, procedure_id, step)
    except (Blocked, Conflict, Forbidden):
        return HttpResponse(status=204)
    if not rules.forms[step].on_card:
        raise NotFound
    return render(request, rules.forms[step].on_card, drawn)


def _step(request: HttpRequest, viewer: Viewer, procedure_id: UUID, step: str) -> tuple[dict[str, Any], ProcedureKind]:
    """Return the context of rolls/_procedure_form.html for a step, and the rules of its kind."""
    procedure, rules = _open(viewer, procedure_id, closed=True)
    whom = request.GET.get("whom", "")
    if step not in rules.forms or step == OPEN or not ActKey.TARGET.fullmatch(whom):
        raise NotFound
    if procedure.closed_at:
        raise Blocked(is_over(procedure))
    seen, state = (standing_of(procedure, rules, is_gm=is_gm) for is_gm in (viewer.is_gm, True))
    available = offered(procedure, rules, state, actor_of(viewer.by), ActKey(step, whom), by=viewer.by)
    told = described_procedure(procedure_payload(procedure, is_gm=viewer.is_gm))
    form_url = reverse("procedure_form", args=[viewer.campaign.slug, procedure.pk, step])
    drawn = {
        "url": reverse("procedure_act", args=[viewer.campaign.slug, procedure.pk]),
        "form_id": f"procedure-{procedure.pk}-{step}-form",
        "form_url": f"{form_url}?{urlencode({'whom': whom})}",
        "template": form_template(procedure.system, procedure.kind, step),
        "words": f"{rules.label}{colon()}{rules.button_words(seen, available)}",
        "act": str(available.key),
        "step": step,
        "whom": whom,
        "now": told,
        "choices": rules.forms[step].choices_in(viewer, procedure, available.target, request.GET)
        | {"preset": request.GET},
    }
    return drawn, rules


@require_POST
@member_view(Role.PLAYER)
def take_step(request: HttpRequest, viewer: Viewer, procedure_id: UUID) -> HttpResponse:
    """Take one step, by its button or its form."""
    form = valid(StepForm(request.POST))
    wanted = form.wanted
    _, rules = _open(viewer, procedure_id, closed=True)
    if wanted.name == OPEN:
        raise NotFound
    asks = wanted.name in rules.forms
    given = valid(rules.forms[wanted.name](request.POST)).cleaned_data if asks else {}
    act(
        viewer.by,
        procedure_id,
        wanted,
        given=given,
        override=form.cleaned_data["override"] is not None,
        key=request_key(request),
        client_seed=form.cleaned_data["client_seed"],
    )
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def back(request: HttpRequest, viewer: Viewer, procedure_id: UUID) -> HttpResponse:
    """Take the newest step back."""
    form = valid(StepBackForm(request.POST))
    take_back_step(viewer.by, procedure_id, step=form.cleaned_data["step"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def close(request: HttpRequest, viewer: Viewer, procedure_id: UUID) -> HttpResponse:
    close_procedure(viewer.by, procedure_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _with_own(sent: QueryDict, form: type[ProcedureForm]) -> QueryDict:
    """Return the sent data with the character at hand (`character`) in the form's `own_field`, unless it was sent."""
    given = sent.copy()
    if form.own_field and given.get("character") and form.own_field not in given:
        given.setlist(form.own_field, given.getlist("character"))
    return given


def form_template(system: str, kind: str, act: str) -> Any:
    """Return the template that draws the form of an act: its own, or one that draws its fields below each other."""
    return select_template([f"{system}/{kind}_{act}.html", "rolls/_asked.html"])


def _opened_by_hand(campaign: Campaign, system: str, kind: str) -> ProcedureKind:
    """Others begin with a roll, or with another procedure."""
    rules = _rules(campaign, system, kind)
    if OPEN not in rules.forms:
        raise NotFound
    return rules


def _rules(campaign: Campaign, system: str, kind: str) -> ProcedureKind:
    return existing(procedure_called(system, kind) if system in campaign.systems else None)


def _open(viewer: Viewer, procedure_id: UUID, *, closed: bool = False) -> tuple[Procedure, ProcedureKind]:
    """Return a procedure that this viewer may see, with its rules. Raises NotFound; also for closed ones, unless `closed`."""
    found = procedure_for(viewer, procedure_id)
    if found.closed_at and not closed:
        raise NotFound
    return found, _rules(viewer.campaign, found.system, found.kind)
