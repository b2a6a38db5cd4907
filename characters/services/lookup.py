"""The character that an operation is about, as it is under the lock, for those who may do it."""

from __future__ import annotations

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.services.log import UnitOfWork
from characters.models import Character, State
from characters.services.operation import SheetOperation


def get_character(work: UnitOfWork, character: Character) -> Character:
    """Return a character of this campaign as it is now under the lock: in all of an operation the same object. Deleted ones too,
    since rolls of theirs can be taken back. Raises NotFound."""
    read = work.state(SheetOperation).read
    if character.pk not in read:
        characters = Character.objects.filter(campaign=work.campaign, pk=character.pk).select_related("owner__user")
        current = characters.prefetch_related("co_owners__user").first()
        if current is None:
            raise NotFound
        remember(work, current)
    return read[character.pk]


def remember(work: UnitOfWork, character: Character) -> Character:
    """Have `get_character` return a character that was read otherwise under the lock, with its owner's account. Return the one
    that it returns from now on."""
    character.campaign = work.campaign
    return work.state(SheetOperation).read.setdefault(character.pk, character)


def get_writable(work: UnitOfWork, character: Character) -> Character:
    """Return the same for one who may write in it. Raises NotFound for a deleted character, and for a hidden NPC to all but GMs;
    Forbidden for somebody else's."""
    current = get_character(work, character)
    if current.deleted_at or (current.is_hidden and not work.by.is_gm):
        raise NotFound
    if not current.written_by(work.by):
        raise Forbidden(f"Only the GM and whoever plays {current.name} can do that.")
    return current


def in_play(character: Character, field: str | None = None) -> None:
    """Raise Invalid for who has left play."""
    if character.state is not State.IN_PLAY:
        message = f"{character.name} is {character.state.label.lower()}. Bring them back first."
        raise Invalid(message, field=field)
