"""The API of the Scale, and of its Burns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import StrictBool

from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, client_seed
from api.schemas import Done
from campaigns.live.render import plain
from campaigns.models import Role, Viewer
from rolls.forms.base import MarkForm, ReasonForm
from rolls.services.scale import mark_oracle, undo_newest
from scale.forms import EffectForm, NoteForm, WordsForm
from scale.queries.scale import burn_rows, carried, open_majors, open_offers, scale_states
from scale.services.burns import (
    bank_burn,
    choose_effect,
    decide_activation,
    defer_burn,
    narrate_burn,
    see_burn,
    spend_banked,
    take_burn,
    use_free_activation,
)

router = CampaignRouter(tags=["Scale"])

Object = dict[str, Any]


class Scales(Schema):
    """The Scales in use, and their unsettled Burns."""

    scales: list[Object]
    offers: list[Object]
    majors: list[Object]
    burns: list[Object]
    carried: list[Object]


class Plausible(Schema):
    model_config = {"extra": "forbid"}

    plausible: StrictBool


PLAUSIBLE = {
    "type": "object",
    "properties": {"plausible": {"type": "boolean"}},
    "required": ["plausible"],
    "additionalProperties": False,
}


@router.reads("/scale", response=Scales)
def scale(viewer: Viewer) -> dict[str, Any]:
    """Get the Scales in use, with Burns on offer or waiting for an effect, Major Burns waiting for their narration, and what
    Burns have left on characters."""
    return {
        "scales": plain(scale_states(viewer)),
        "offers": plain(open_offers(viewer)),
        "majors": plain(open_majors(viewer)),
        "burns": plain(burn_rows(viewer)),
        "carried": plain(carried(viewer)),
    }


@router.writes("/scale/{scale_id}/undo", Role.GM, body=form_schema(ReasonForm), response=Done)
def undo_scale(viewer: Viewer, scale_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Undo the newest change to a Scale."""
    undo_newest(viewer.by, scale_id, **filled(ReasonForm, body).cleaned_data, key=key)
    return {"id": str(scale_id)}


def _act(name: str, words: str, role: Role, service: Callable[..., object]) -> None:
    """Add a route for an act on a Burn that needs no further data."""

    def act(viewer: Viewer, burn_id: UUID, key: UUID) -> dict[str, Any]:
        service(viewer.by, burn_id, key=key)
        return {"id": str(burn_id)}

    act.__name__, act.__doc__ = f"{name}_burn", words
    router.writes(f"/burns/{{burn_id}}/{name}", role, response=Done)(act)


_act("take", "Take a Burn that is on offer: it fires.", Role.PLAYER, take_burn)
_act("bank", "Keep it for later.", Role.PLAYER, bank_burn)
_act("spend", "Let a banked Burn fire.", Role.PLAYER, spend_banked)
_act("defer", "Put the narration of a Major Burn off.", Role.GM, defer_burn)
_act("see", "Say that one has had a Major Burn on screen.", Role.PLAYER, see_burn)


@router.writes("/burns/{burn_id}/effect", body=form_schema(EffectForm), response=Done)
def choose_burn(viewer: Viewer, burn_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Choose the effect of a Burn."""
    choose_effect(viewer.by, burn_id, **filled(EffectForm, body).cleaned_data, key=key)
    return {"id": str(burn_id)}


@router.writes("/burns/{burn_id}/decision", Role.GM, body=PLAUSIBLE, response=Done)
def decide_burn(viewer: Viewer, burn_id: UUID, body: Plausible, key: UUID) -> dict[str, Any]:
    """Decide whether a free activation that a player asks for is plausible."""
    decide_activation(viewer.by, burn_id, plausible=body.plausible, key=key)
    return {"id": str(burn_id)}


@router.writes("/burns/{burn_id}/narration", Role.GM, body=form_schema(WordsForm), response=Done)
def narrate_major_burn(viewer: Viewer, burn_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Post the narration of a Major Burn."""
    narrate_burn(viewer.by, burn_id, **filled(WordsForm, body).cleaned_data, key=key)
    return {"id": str(burn_id)}


@router.writes("/burns/{burn_id}/oracles/{oracle}/mark", body=form_schema(MarkForm), response=Done)
def mark_burn(viewer: Viewer, burn_id: UUID, oracle: str, body: Fields, key: UUID) -> dict[str, Any]:
    """Mark on the sheet what a die of a Major Burn gives."""
    given = filled(MarkForm, body).cleaned_data
    seed, _ = client_seed(given["client_seed"], key)
    mark_oracle(viewer.by, burn_id, oracle, given["choice"], client_seed=seed, key=key)
    return {"id": str(burn_id)}


@router.writes("/characters/{character_id}/activation", body=form_schema(NoteForm), response=Done)
def use_activation(viewer: Viewer, character_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Use a free activation that a Burn left on a character."""
    use_free_activation(viewer.by, character_id, **filled(NoteForm, body).cleaned_data, key=key)
    return {"id": str(character_id)}
