"""The character that an operation is about, as it is under the lock, for those who may do it."""

from __future__ import annotations

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.services.log import UnitOfWork
from characters.models import Character, State
from characters.services.operation import SheetOperation


def found(work: UnitOfWork, character: Character) -> Character:
    """A character of this campaign, as it is now under the lock; deleted ones too, since rolls of theirs can be taken back.

    Read once: in all of an operation it is the same object.
    """
    read = work.state(SheetOperation).read
    if character.pk not in read:
        characters = Character.objects.filter(campaign=work.campaign, pk=character.pk).select_related("owner__user")
        there = characters.prefetch_related("co_owners__user").first()
        if there is None:
            raise NotFound
        keep(work, there)
    return read[character.pk]


def keep(work: UnitOfWork, there: Character) -> Character:
    """A character that was read otherwise under the lock, with its owner's account: the one that `found` gives from now on."""
    there.campaign = work.campaign
    return work.state(SheetOperation).read.setdefault(there.pk, there)


def own(work: UnitOfWork, character: Character) -> Character:
    """The same, for one who may write in it. To others a hidden NPC is not there at all, to nobody a deleted character."""
    there = found(work, character)
    if there.deleted_at or (there.is_hidden and not work.by.is_gm):
        raise NotFound
    if not there.written_by(work.by):
        raise Forbidden(f"Only the GM and whoever plays {there.name} can do that.")
    return there


def in_play(character: Character, field: str | None = None) -> None:
    """Raises Invalid for who has left play."""
    if character.state is not State.IN_PLAY:
        message = f"{character.name} is {character.state.label.lower()}. Bring them back first."
        raise Invalid(message, field=field)
