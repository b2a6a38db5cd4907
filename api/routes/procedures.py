"""Procedures: what is under way, what may be done, and doing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, client_seed
from campaigns.errors import NotFound, existing
from campaigns.live.render import plain
from campaigns.models import Role, Viewer
from rolls.forms.procedures import OpeningForm, StepBackForm, StepForm
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import actor_of, described_open, open_to, procedure_for
from rolls.queries.table import standing_of
from rolls.registry import procedure_called, procedures_of
from rolls.services import procedures as services
from rules.procedures import OPEN

router = CampaignRouter(tags=["Procedures"])

ANY_STEP = form_schema(StepForm) | {"additionalProperties": True}
ANY_OPENING = form_schema(OpeningForm) | {"additionalProperties": True}
ANY_OPENING["properties"] |= {"system": {"type": "string"}, "kind": {"type": "string"}}
ANY_OPENING["required"] = ["system", "kind"]
NAMED = ("system", "kind")


@router.reads("/procedures", response=list[schemas.Procedure])
def procedures(viewer: Viewer) -> list[dict[str, Any]]:
    """List the open procedures this token can see, each with the steps it can take now."""
    there = open_to(viewer)
    return [
        _told(viewer, procedure, told) for procedure, told in zip(there, described_open(viewer, there), strict=True)
    ]


@router.reads("/procedures/{procedure_id}", response=schemas.Procedure)
def procedure(viewer: Viewer, procedure_id: UUID) -> dict[str, Any]:
    """Get one procedure. A finished one offers no steps."""
    return _shown(viewer, procedure_id)


@router.reads("/procedure-kinds", Role.PLAYER, response=list[schemas.Opener])
def procedure_kinds(viewer: Viewer) -> list[dict[str, Any]]:
    """List what this token can open, with the fields each kind takes, as JSON Schema."""
    return [
        {"system": system, "kind": kind, "label": str(rules.label), "form": form_schema(rules.forms[OPEN])}
        for system, kind, rules in procedures_of(viewer.campaign.systems)
        if OPEN in rules.forms and viewer.role.at_least(rules.opened_by)
    ]


@router.writes("/procedures", body=ANY_OPENING, response=schemas.Procedure)
def open_procedure(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Open a procedure: its `system` and `kind`, a `reason`, and the fields of its kind."""
    system, kind = (str(body.get(name, "")) for name in NAMED)
    rules = _rules(viewer, system, kind)
    if rules is None or OPEN not in rules.forms:
        raise NotFound
    own = filled(rules.forms[OPEN], body, also=(*NAMED, *OpeningForm.base_fields))
    given = filled(OpeningForm, body, also=(*NAMED, *rules.forms[OPEN].base_fields)).cleaned_data
    seed, _ = client_seed(given["client_seed"], key)
    opened = services.open_procedure(
        viewer.by, system, kind, own.cleaned_data, reason=given["reason"], key=key, client_seed=seed
    )
    return _shown(viewer, opened.pk)


@router.writes("/procedures/{procedure_id}/steps", body=ANY_STEP, response=schemas.Procedure)
def take_step(viewer: Viewer, procedure_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Take one step: `act` as it is offered, with the fields of its form. GMs send `override` to allow what a character’s
    state forbids. If the step is no longer offered, 409 says what happened."""
    there = procedure_for(viewer, procedure_id)
    rules = existing(_rules(viewer, there.system, there.kind))
    known = {name for form in rules.forms.values() for name in form.base_fields}
    step = filled(StepForm, body, also=known)
    wanted, given = step.wanted, step.cleaned_data
    if wanted.name == OPEN:
        raise NotFound
    own = filled(rules.forms[wanted.name], body, also=StepForm.base_fields) if wanted.name in rules.forms else None
    seed, _ = client_seed(given["client_seed"], key)
    services.act(
        viewer.by,
        procedure_id,
        wanted,
        given=own.cleaned_data if own else {},
        override=given["override"] is not None,
        key=key,
        client_seed=seed,
    )
    return _shown(viewer, procedure_id)


@router.writes("/procedures/{procedure_id}/back", Role.GM, body=form_schema(StepBackForm), response=schemas.Procedure)
def take_back(viewer: Viewer, procedure_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Undo the newest step, if it is still the one you saw (`step`)."""
    step = filled(StepBackForm, body).cleaned_data["step"]
    services.take_back_step(viewer.by, procedure_id, step=step, key=key)
    return _shown(viewer, procedure_id)


@router.writes("/procedures/{procedure_id}/close", Role.GM, response=schemas.Procedure)
def close_procedure(viewer: Viewer, procedure_id: UUID, key: UUID) -> dict[str, Any]:
    """End a procedure in its present state."""
    services.close_procedure(viewer.by, procedure_id, key=key)
    return _shown(viewer, procedure_id)


def _shown(viewer: Viewer, procedure_id: UUID) -> dict[str, Any]:
    there = procedure_for(viewer, procedure_id)
    (told,) = described_open(viewer, [there])
    return _told(viewer, there, told)


def _told(viewer: Viewer, procedure: Procedure, told: Mapping[str, Any]) -> dict[str, Any]:
    said = plain(told)
    kept = {name: said[name] for name in schemas.Procedure.model_fields if name in said}
    described = {name: value for name, value in said.items() if name not in kept}
    over = procedure.closed_at is not None or kept["over"]
    offers = [] if over else _offers(viewer, procedure)
    return kept | {"described": described, "offers": offers, "over": over}


def _offers(viewer: Viewer, procedure: Procedure) -> list[dict[str, Any]]:
    """Return the steps that the viewer may take now, in the state as they see it."""
    rules = _rules(viewer, procedure.system, procedure.kind)
    if rules is None or not viewer.role.at_least(Role.PLAYER):
        return []
    state = standing_of(procedure, rules, is_gm=viewer.is_gm)
    return [
        {
            "act": str(available.key),
            "words": str(rules.button_words(state, available)),
            "form": form_schema(rules.forms[available.name]) if available.name in rules.forms else None,
        }
        for available in rules.available(state, actor_of(viewer.by))
    ]


def _rules(viewer: Viewer, system: str, kind: str) -> ProcedureKind | None:
    return procedure_called(system, kind) if system in viewer.campaign.systems else None
