"""The character that an operation is about, as it is under the lock, for those who may do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, Invalid, NotFound, existing
from campaigns.kinds import EventKind
from campaigns.models.log import Subject
from campaigns.services.log import UnitOfWork
from characters.models import Character, State, character_of
from characters.sheets.fields import Visibility
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class SheetChange:
    """One write on a sheet, as its event will have it."""

    kind: EventKind
    payload: dict[str, Any]
    visibility: Visibility
    address: str
    subjects: list[Subject]

    @property
    def name(self) -> str:
        """Return the name of the field, or of the list that the row is in."""
        return self.address.partition("/")[0]


@dataclass
class SheetChanges:
    """The writes on one sheet so far, and the earlier values of its open part."""

    character: Character
    before: Values
    changes: list[SheetChange] = field(default_factory=list)


@dataclass
class SheetOperation:
    """The characters that an operation has read, and its writes on their sheets."""

    read: dict[UUID, Character] = field(default_factory=dict)
    """Characters as they are under the lock: for all of the operation the same objects."""
    written: dict[UUID, Character] = field(default_factory=dict)
    """Characters written on since their follow-up rules were last checked."""
    untold: dict[UUID, SheetChanges] = field(default_factory=dict)
    rows_added: Counter[tuple[UUID, str]] = field(default_factory=Counter)
    """The number of rows added by steps, by character and list, to derive their ids."""


def get_character(work: UnitOfWork, character: Character) -> Character:
    """Return a character of this campaign as it is under the lock: the same object throughout an operation. Deleted
    ones are included, since their rolls can be voided. Raises NotFound.
    """
    read = work.state(SheetOperation).read
    if character.pk not in read:
        current = existing(character_of(work.campaign, character.pk))
        remember(work, current)
    return read[character.pk]


def get_characters(work: UnitOfWork, ids: Iterable[str]) -> list[Character]:
    """Return those of these characters that are of this campaign, by name, as `get_character` does: with one query for
    all that were not read yet.
    """
    read, wanted = work.state(SheetOperation).read, {UUID(pk) for pk in ids}
    if missing := wanted - read.keys():
        characters = Character.objects.filter(campaign=work.campaign, pk__in=missing).select_related("owner__user")
        for character in characters.order_by():
            remember(work, character)
    return sorted((read[pk] for pk in wanted & read.keys()), key=lambda character: (character.name, character.pk))


def remember(work: UnitOfWork, character: Character) -> Character:
    """Have `get_character` return a character that was read otherwise under the lock, with its owner's account. Return the one
    that it returns from now on."""
    character.campaign = work.campaign
    return work.state(SheetOperation).read.setdefault(character.pk, character)


def get_writable(work: UnitOfWork, character: Character) -> Character:
    """Return the character as it is under the lock, if the member may write in it. Raises NotFound for a deleted one,
    and for a hidden NPC to all but GMs; Forbidden for somebody else's.
    """
    current = get_character(work, character)
    if not current.known_to(work.by):
        raise NotFound
    if not current.written_by(work.by):
        raise only_players(current)
    return current


def only_players(character: Character) -> Forbidden:
    """Return the error for everyone but the GMs and this character's players."""
    return Forbidden(_("Only the GM and {name}’s players can do that.").format(name=character.name))


def in_play(character: Character, field: str | None = None) -> None:
    """Raise Invalid for who has left play."""
    if character.state is State.RETIRED:
        raise Invalid(_("{name} has retired. Restore them first.").format(name=character.name), field=field)
    if character.state is State.DEAD:
        raise Invalid(_("{name} is dead. Restore them first.").format(name=character.name), field=field)
