"""Characters: their cards, and their sheets field by field, as far as the viewer may see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Schema
from pydantic import Field, StrictBool, StrictInt, StrictStr

from api import schemas
from api.router import CampaignRouter, IfMatch, Version
from campaigns.errors import NotFound
from campaigns.models import Viewer
from characters import services
from characters.models import Character
from characters.services.fields import SeenVersion, field_version, row_version
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Rows, SheetError, Visibility
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
    services.set_field(viewer.by, character, field, body.value, expected=seen, why=body.why, key=key)
    shown = _field_at(viewer, character_id, field)
    response["ETag"] = f'"{shown["version"]}"'
    return shown


@router.writes("/characters/{character_id}/lists/{rows}", response=schemas.Done)
def add_row(viewer: Viewer, character_id: UUID, rows: str, body: NewRow, key: UUID) -> dict[str, Any]:
    """Add a row to a list on a sheet."""
    services.add_row(viewer.by, Character(pk=character_id), rows, dict(body.columns), why=body.why, key=key)
    return {"id": key.hex}


@router.writes("/characters/{character_id}/lists/{rows}/{row_id}", method="DELETE", response=schemas.Done)
def remove_row(
    viewer: Viewer, character_id: UUID, rows: str, row_id: str, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Remove a row from a list. `If-Match` is the version you last saw."""
    services.remove_row(viewer.by, Character(pk=character_id), rows, row_id, expected=if_match, key=key)
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
