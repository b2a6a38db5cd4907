"""Where a character stands: in play, retired or dead; its sheet locked by the GM, or said to be complete."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Forbidden, Invalid, Stale
from campaigns.kinds import EventKind
from campaigns.models import Role
from campaigns.services.log import Table, at_table
from characters.events import CHARACTER_DELETED, CHARACTER_DIED, CHARACTER_RETIRED, CHARACTER_RETURNED, SHEET_MARKED
from characters.models import Character, State
from characters.services.fields import check_unlocked
from characters.services.finding import own
from characters.services.portraits import drop_portrait
from characters.sheets.fields import Sight


@at_table(Role.PLAYER)
def retire_character(table: Table, character: Character, *, key: UUID) -> Character:
    """Take a character out of play; it stays in the log and can come back."""
    found = own(table, character)
    if found.retired_at:
        raise Stale(f"{found.name} is retired already.")
    found.retired_at = table.now
    return _moved(table, found, CHARACTER_RETIRED)


@at_table(Role.PLAYER)
def kill_character(table: Table, character: Character, *, key: UUID) -> Character:
    """Say that a character is dead. It stays in the log, and a mistake can be taken back by `return_character`."""
    found = own(table, character)
    if found.died_at:
        raise Stale(f"{found.name} is dead already.")
    found.died_at = table.now
    return _moved(table, found, CHARACTER_DIED)


@at_table(Role.PLAYER)
def return_character(table: Table, character: Character, *, key: UUID) -> Character:
    """Bring a retired or dead character back into play."""
    found = own(table, character)
    if found.state is State.IN_PLAY:
        raise Stale(f"{found.name} is in play already.")
    found.retired_at = found.died_at = None
    return _moved(table, found, CHARACTER_RETURNED)


@at_table(Role.PLAYER)
def delete_character(table: Table, character: Character, name: str, *, key: UUID) -> Character:
    """Take a character off every list, for good. `name` is what it is called, typed once more; raises Invalid for another.

    Only a GM and the owner can, not who plays it beside them. The log goes on telling what it did, so its row stays; its
    portrait does not.
    """
    found = own(table, character)
    if not table.by.is_gm and found.owner_id != table.by.pk:
        whose = f"{found.owner.name} or a GM" if found.owner else "a GM"
        raise Forbidden(f"Only {whose} can delete {found.name}.")
    if name.casefold() != found.name.casefold():
        raise Invalid(f"Type “{found.name}” to delete this character.", field="name")
    found.deleted_at = table.now
    drop_portrait(found)
    found.save(update_fields=["deleted_at", "picture"])
    table.record(CHARACTER_DELETED, {"character": found.ref}, stream=found.card_stream, about=[found.about])
    return found


@at_table(Role.GM)
def lock_sheet(table: Table, character: Character, *, key: UUID) -> Character:
    """Keep players from writing in a sheet; rolls still change it."""
    return _mark(table, own(table, character), "locked", to=True)


@at_table(Role.GM)
def unlock_sheet(table: Table, character: Character, *, key: UUID) -> Character:
    """The end of `lock_sheet`."""
    return _mark(table, own(table, character), "locked", to=False)


@at_table(Role.PLAYER)
def mark_complete(table: Table, character: Character, complete: bool, *, key: UUID) -> Character:
    """Say whether a sheet is ready to be played."""
    found = own(table, character)
    check_unlocked(table, found, Sight.SHEET)
    return _mark(table, found, "complete", to=complete)


def _moved(table: Table, character: Character, kind: EventKind) -> Character:
    character.save(update_fields=["retired_at", "died_at"])
    table.record(kind, {"character": character.ref}, stream=character.card_stream, about=[character.about])
    return character


def _mark(table: Table, character: Character, mark: str, *, to: bool) -> Character:
    if getattr(character, mark) == to:
        return character
    setattr(character, mark, to)
    character.save(update_fields=[mark])
    facts = {
        "character": character.ref,
        "mark": mark,
        "on": to,
        "locked": character.locked,
        "complete": character.complete,
    }
    for stream in character.streams(Sight.SHEET):
        table.record(SHEET_MARKED, facts, stream=stream, about=[character.about], which=str(character.pk))
    return character
