"""What the composer offers to be rolled again: what was saved for a character, and what was rolled last."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from campaigns.models import Membership
from database.compiled import Parameter, compiled
from rolls.models import Roll, SavedRoll
from rolls.registry import RULESETS

LAST: Final = 5
LOOKED_AT: Final = 15
"""Rolls of the same are told once, so a few more are read."""


def kept_rolls(by: Membership, character: UUID) -> dict[str, Any]:
    """{"saved": [{"id", "words", "system", "fields"}], "recent": [the same without an id]}: what this member saved for the
    character and what they rolled for it, the newest first. `fields` go into the roll form of the system."""
    played = [name for name in by.campaign.systems if name in RULESETS]
    saved = [one for one in _saved.rows(character=character, by=by.pk) if one.system in played]
    return {
        "saved": [{"id": one.pk, "words": one.name, "system": one.system, "fields": one.fields} for one in saved],
        "recent": _recent(by, character, played),
    }


_for_one = compiled(character=models.UUIDField(), by=models.BigAutoField())


@_for_one
def _saved(character: Parameter, by: Parameter) -> QuerySet[SavedRoll]:
    return SavedRoll.objects.filter(character=character, by=by)


@_for_one
def _last(character: Parameter, by: Parameter) -> QuerySet[Roll]:
    rolls = Roll.objects.filter(character=character, by=by, voided_at=None)
    return rolls.select_related("character").order_by("-at")[:LOOKED_AT]


def _recent(by: Membership, character: UUID, played: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for roll in _last.rows(character=character, by=by.pk):
        if roll.system not in played:
            continue
        again = RULESETS[roll.system].table.again(roll)
        if again and not any(again.fields == one["fields"] for one in found):
            found.append({"words": again.words, "system": roll.system, "fields": again.fields})
    return found[:LAST]
