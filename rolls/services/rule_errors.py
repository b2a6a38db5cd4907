"""Errors of a roll, at the wrong field of its form: by the rules or a sheet, or because it would betray a secret."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.sheets.fields import SheetError
from rolls.models import Audience
from rolls.rules.errors import BlockedByState, RuleError

# The forms call typed faces so, since "dice" is how many there are; and what a score is typed into by what can be picked there.
FIELDS = {"dice": "faces", "ks": "stat", "es": "skill"}


@contextmanager
def by_the_rules(traits: str = "pool") -> Iterator[None]:
    """Raise a RuleError or a SheetError inside as Invalid, with its own message.

    `traits` is the form field for traits, used if a sheet lacks them.
    """
    try:
        yield
    except BlockedByState:
        raise
    except RuleError as error:
        raise Invalid(error.message, field=FIELDS.get(error.field, error.field)) from error
    except SheetError as error:
        raise Invalid(error.message, field=traits) from error


@contextmanager
def or_override(work: UnitOfWork, name: str, value: str) -> Iterator[None]:
    """Raise a BlockedByState inside as Blocked. A GM is offered to do it `anyway`, by sending this name and value as well."""
    try:
        yield
    except BlockedByState as error:
        raise Blocked(
            error.message, field=error.field or None, anyway=(name, value) if work.by.is_gm else None
        ) from error


def keep_hidden(character: Character | None, audience: Audience, *, field: str) -> None:
    """Raise Invalid if showing this to `audience` would betray a hidden NPC to players."""
    if character is not None and character.is_hidden and audience != Audience.GM:
        message = _("Players don’t know {name} yet. Roll for only the GM, or reveal {name} first.")
        raise Invalid(message.format(name=character.name), field=field)
