"""Saved rolls of a character. No event is recorded, because nothing has happened at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid, existing
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from rolls.models import SavedRoll
from rolls.registry import played
from rolls.services.roll_context import controlled_character

MOST_SAVED: Final = 20
"""The most saved rolls of one member for one character."""


@service(Role.PLAYER)
def save_roll(
    work: UnitOfWork, character: UUID, name: str, system: str, fields: Mapping[str, str], *, key: UUID
) -> SavedRoll:
    """Save the fields of a system's roll form by a name, for a character that the member rolls for.

    Raises NotFound for a character that is not theirs, Invalid for an empty or repeated name, and for too many saved rolls.
    """
    controlled, name = controlled_character(work, character), name.strip()
    saved = SavedRoll.objects.filter(character=controlled, by=work.by)
    if not name or len(name) > SavedRoll.LONGEST_NAME:
        raise Invalid(
            _("Enter a name of up to {count} characters.").format(count=SavedRoll.LONGEST_NAME), field="called"
        )
    if saved.filter(name=name).exists():
        raise Invalid(
            _("You already have a saved roll with this name. Choose another, or remove that one first."), field="called"
        )
    if saved.count() >= MOST_SAVED:
        words = _("{name} already has {count} saved rolls. Remove one first.")
        raise Invalid(words.format(name=controlled.name, count=MOST_SAVED), field="called")
    return SavedRoll.objects.create(
        id=work.key,
        character=controlled,
        by=work.by,
        name=name,
        system=played(work.campaign, system).name,
        fields=dict(fields),
        saved_at=work.now,
    )


@service(Role.PLAYER)
def forget_roll(work: UnitOfWork, saved: UUID, *, key: UUID) -> None:
    """Delete a saved roll. Raises NotFound for one that does not exist or is another member's."""
    current = existing(SavedRoll.objects.filter(character__campaign=work.campaign, by=work.by, pk=saved).first())
    current.delete()
