"""Characters: their cards, and their sheets field by field, as far as the viewer may see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Schema
from pydantic import Field, StrictBool, StrictInt, StrictStr

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Version
from campaigns.errors import NotFound
from campaigns.models import Role, Viewer
from characters.advancement import Offer
from characters.forms.ledger import AwardForm
from characters.ledger import drawn_balance
from characters.models import Character
from characters.queries.ledger import balances_of, claim_drawn, offers_of
from characters.services import fields
from characters.services.fields import SeenVersion, field_version, row_version
from characters.services.ledger import award_xp, buy_advance
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Choice, Rows, SheetError, Visibility
from characters.views.ledger import ledger_lines, open_claims_of, readable_character
from characters.views.sheet import character_at

router = CampaignRouter(tags=["Characters"])

Value = StrictInt | StrictBool | StrictStr


class NewValue(Schema):
    """A value, and why it is set."""

    model_config = {"extra": "forbid"}

    value: Value
    why: str = Field("", max_length=200)


class NewRow(Schema):
    """The columns of a row, by name."""

    model_config = {"extra": "forbid"}

    columns: dict[str, Value]
    why: str = Field("", max_length=200)


@router.reads("/characters", response=list[schemas.CharacterCard])
def characters(viewer: Viewer) -> list[dict[str, Any]]:
    """List the characters this token can see."""
    mine = set(Character.objects.rolled_by(viewer.by).values_list("pk", flat=True))
    return [_card(character, mine) for character in Character.objects.seen_by(viewer).order_by("name", "id")]


@router.reads("/characters/{character_id}", response=schemas.Character)
def character(viewer: Viewer, character_id: UUID) -> dict[str, Any]:
    """Get a character with as much of its sheet as this token can see. Rows of lists have addresses such as
    `traits/4f2a…/dice`."""
    current = character_at(viewer, character_id)
    mine = set(Character.objects.rolled_by(viewer.by).filter(pk=current.pk).values_list("pk", flat=True))
    seen = [field for field in _fields(current) if field.visibility in current.visibilities(viewer)]
    return _card(current, mine) | {
        "fields": [_field(current, field.name, field.visibility) for field in seen if not isinstance(field, Rows)],
        "lists": [_list(current, rows) for rows in seen if isinstance(rows, Rows)],
    }


@router.reads("/characters/{character_id}/fields/{path:field}", response=schemas.SheetField)
def field(viewer: Viewer, character_id: UUID, field: str, response: HttpResponse) -> dict[str, Any]:
    """Get one value of a sheet. Its version is also the ETag."""
    shown = _field_at(viewer, character_id, field)
    response["ETag"] = f'"{shown["version"]}"'
    return shown


@router.writes("/characters/{character_id}/fields/{path:field}", method="PATCH", response=schemas.SheetField)
def set_field(
    viewer: Viewer,
    character_id: UUID,
    field: str,
    body: NewValue,
    response: HttpResponse,
    key: UUID,
    if_match: Version = IfMatch,
) -> dict[str, Any]:
    """Set one value of a sheet. `If-Match` is the version you last saw. If someone changed it since, 409 returns the current
    value and who wrote it."""
    seen = SeenVersion(if_match)
    character = Character(pk=character_id)
    fields.set_field(viewer.by, character, field, body.value, expected=seen, why=body.why, key=key)
    shown = _field_at(viewer, character_id, field)
    response["ETag"] = f'"{shown["version"]}"'
    return shown


@router.writes("/characters/{character_id}/lists/{rows}", response=schemas.Done)
def add_row(viewer: Viewer, character_id: UUID, rows: str, body: NewRow, key: UUID) -> dict[str, Any]:
    """Add a row to a list on a sheet."""
    fields.add_row(viewer.by, Character(pk=character_id), rows, dict(body.columns), why=body.why, key=key)
    return {"id": key.hex}


@router.writes("/characters/{character_id}/lists/{rows}/{row_id}", method="DELETE", response=schemas.Done)
def remove_row(
    viewer: Viewer, character_id: UUID, rows: str, row_id: str, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Remove a row from a list. `If-Match` is the version you last saw."""
    fields.remove_row(viewer.by, Character(pk=character_id), rows, row_id, expected=if_match, key=key)
    return {"id": row_id}


def _card(character: Character, mine: set[UUID]) -> dict[str, Any]:
    return character.card() | {
        "system": character.system,
        "state": character.state.value,
        "mine": character.pk in mine,
    }


def _fields(character: Character) -> Iterator[Any]:
    """Yield the fields and lists of the character's sheet, in order."""
    for group in character.rules.groups:
        yield from group.fields
    if character.is_npc:
        yield DISPOSITION


def _field(character: Character, address: str, visibility: Visibility) -> dict[str, Any]:
    cell = character.cell(address)
    return {
        "field": address,
        "label": cell["label"],
        "value": cell["value"],
        "words": cell["words"] or str(cell["value"]),
        "visibility": visibility.value,
        "version": field_version(cell["value"]),
    }


def _list(character: Character, rows: Rows) -> dict[str, Any]:
    ids = [row["id"] for row in character.rules.rows(character.values, rows.name)]
    return {
        "name": rows.name,
        "label": str(rows.label),
        "visibility": rows.visibility.value,
        "rows": [
            {
                "id": row_id,
                "version": row_version(character, rows.name, row_id),
                "fields": [
                    _field(character, f"{rows.name}/{row_id}/{column.name}", rows.visibility) for column in rows.columns
                ],
            }
            for row_id in ids
        ],
    }


def _field_at(viewer: Viewer, character_id: UUID, address: str) -> dict[str, Any]:
    """Return a field of a character's sheet. Raises NotFound, also for fields that the viewer may not see."""
    current = character_at(viewer, character_id)
    try:
        visibility = current.place(address).visibility
        if visibility not in current.visibilities(viewer):
            raise NotFound
        return _field(current, address, visibility)
    except SheetError:
        raise NotFound from None


# XP: a character's ledger, what it may be spent on, and giving it.


ledger_router = CampaignRouter(tags=["XP"])

MOST_LINES = 100


class Purchase(Schema):
    """A purchase, and the values that it asks for, by name."""

    model_config = {"extra": "forbid"}

    offer: StrictStr
    given: dict[str, StrictStr | StrictInt] = Field(default_factory=dict)


@ledger_router.reads("/characters/{character_id}/ledger", response=schemas.Ledger)
def ledger(viewer: Viewer, character_id: UUID) -> dict[str, Any]:
    """Get what a character has to spend and what it could buy. You must be able to read its sheet."""
    return _told(readable_character(viewer, character_id))


@ledger_router.writes("/characters/{character_id}/ledger", response=schemas.Ledger)
def buy(viewer: Viewer, character_id: UUID, body: Purchase, key: UUID) -> dict[str, Any]:
    """Buy one of the `offers`. `given` holds what the offer `asks` for. The sheet changes at the same moment."""
    current = readable_character(viewer, character_id)
    buy_advance(viewer.by, current, body.offer, {name: str(value) for name, value in body.given.items()}, key=key)
    return _told(readable_character(viewer, character_id))


@ledger_router.writes("/xp", Role.GM, body=form_schema(AwardForm), response=schemas.Done)
def give_xp(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Award XP (`amount`) to `characters`, by id, for a `reason`."""
    given = filled(lambda data: AwardForm(viewer.by, data), body).cleaned_data
    award_xp(
        viewer.by,
        list(given["characters"]),
        given["amount"],
        reason=given["reason"],
        currency=given.get("track", ""),
        key=key,
    )
    return {}


def _told(character: Character) -> dict[str, Any]:
    return {
        "balances": [drawn_balance(character.rules.name, balance.payload()) for balance in balances_of(character)],
        "entries": ledger_lines(character, MOST_LINES),
        "claims": [claim_drawn(claim) for claim in open_claims_of(character)],
        "offers": [_offer(offer) for offer in offers_of(character)],
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "offer": offer.name,
        "words": str(offer.words),
        "currency": offer.currency,
        "cost": offer.cost,
        "asks": [
            {
                "name": field.name,
                "label": str(field.label),
                "choices": {held: str(label) for held, label in field.choices} if isinstance(field, Choice) else None,
            }
            for field in offer.asks
        ],
    }
