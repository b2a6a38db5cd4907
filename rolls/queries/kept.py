"""What the composer offers to roll again: the saved rolls of a character, and the last ones."""

from __future__ import annotations

from typing import Any, Final

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Roll, SavedRoll
from rolls.registry import RULESETS, kind_of

LAST: Final = 5
LOOKED_AT: Final = 15
"""Rolls to read: equal ones are listed once, so a few more are needed."""


def kept_rolls(by: Membership, character: Character) -> dict[str, Any]:
    """Return {"saved": [{"id", "words", "system", "fields"}], "recent": [the same without an id]}, newest first.

    These are the member's saved and last rolls for the character; `fields` go into the roll form of the system.
    """
    played = [name for name in by.campaign.systems if name in RULESETS]
    saved = SavedRoll.objects.filter(character=character, by=by, system__in=played)
    return {
        "saved": [{"id": roll.pk, "words": roll.name, "system": roll.system, "fields": roll.fields} for roll in saved],
        "recent": _recent(by, character, played),
    }


def _recent(by: Membership, character: Character, played: list[str]) -> list[dict[str, Any]]:
    recent: list[dict[str, Any]] = []
    for roll in Roll.objects.filter(character=character, by=by, voided_at=None).order_by("-at")[:LOOKED_AT]:
        if roll.system not in played:
            continue
        roll.character = character
        again = kind_of(roll).again(roll)
        if again is None:
            continue
        if not any(again.fields == listed["fields"] for listed in recent):
            recent.append({"words": again.words, "system": roll.system, "fields": again.fields})
    return recent[:LAST]
