"""A character's life cycle: in play, retired or dead; its sheet locked by the GM, or marked as complete."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Forbidden, Invalid
from campaigns.kinds import EventKind
from campaigns.models import Event, Role
from campaigns.models.play import Manner
from campaigns.pictures import Upload
from campaigns.services.log import UnitOfWork, service
from campaigns.services.play import speak
from characters.events import CHARACTER_DELETED, CHARACTER_DIED, CHARACTER_RETIRED, CHARACTER_RETURNED, SHEET_MARKED
from characters.models import Character, State
from characters.services.fields import check_unlocked
from characters.services.lookup import get_character, get_writable, in_play
from characters.services.portraits import drop_portrait
from characters.sheets.fields import Visibility
from languages.letters import same


@service(Role.PLAYER)
def retire_character(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Take a character out of play; it stays in the log and can come back."""
    current = get_writable(work, character)
    if current.retired_at:
        raise Conflict(_("{name} has already retired.").format(name=current.name))
    current.retired_at = work.now
    return _moved(work, current, CHARACTER_RETIRED)


def retire_by_rules(work: UnitOfWork, character: Character, *, dead: bool = False) -> bool:
    """Retire a character for the rules, or mark it as `dead`, whoever acts. Return whether it was in play until now."""
    current = get_character(work, character)
    if current.state is not State.IN_PLAY:
        return False
    if dead:
        current.died_at = work.now
    else:
        current.retired_at = work.now
    _moved(work, current, CHARACTER_DIED if dead else CHARACTER_RETIRED)
    return True


def return_by_rules(work: UnitOfWork, character: Character) -> None:
    """Return a character to play that `retire_by_rules` took out, if it is still out of play."""
    current = get_character(work, character)
    if current.state is not State.IN_PLAY:
        # What was marked by hand since stays.
        current.retired_at, current.died_at = None, current.died_at if current.retired_at else None
        _moved(work, current, CHARACTER_RETURNED)


@service(Role.PLAYER)
def kill_character(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Mark a character as dead. It stays in the log, and `return_character` corrects a mistake."""
    current = get_writable(work, character)
    if current.died_at:
        raise Conflict(_("{name} is already dead.").format(name=current.name))
    current.died_at = work.now
    return _moved(work, current, CHARACTER_DIED)


@service(Role.PLAYER)
def return_character(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Bring a retired or dead character back into play."""
    current = get_writable(work, character)
    if current.state is State.IN_PLAY:
        raise Conflict(_("{name} is already in play.").format(name=current.name))
    current.retired_at = current.died_at = None
    return _moved(work, current, CHARACTER_RETURNED)


@service(Role.PLAYER)
def delete_character(work: UnitOfWork, character: Character, name: str, *, key: UUID) -> Character:
    """Delete a character from every list. `name` is its name, typed to confirm; raises Invalid for another.

    Only a GM and the owner can, not its other players. Its row stays because the log names it; its portrait is deleted.
    """
    current = get_writable(work, character)
    if not work.by.is_gm and current.owner_id != work.by.pk:
        if current.owner:
            message = _("Only {player} or a GM can delete {name}.").format(player=current.owner.name, name=current.name)
        else:
            message = _("Only a GM can delete {name}.").format(name=current.name)
        raise Forbidden(message)
    if not same(name, current.name):
        raise Invalid(_("Type “{name}” to delete this character.").format(name=current.name), field="name")
    current.deleted_at = work.now
    drop_portrait(current)
    current.save(update_fields=["deleted_at", "picture"])
    work.record(CHARACTER_DELETED, {"character": current.ref}, stream=current.card_stream, subjects=[current.subject])
    return current


@service(Role.GM)
def lock_sheet(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Keep players from writing in a sheet; rolls still change it."""
    return _mark(work, get_writable(work, character), "locked", to=True)


@service(Role.GM)
def unlock_sheet(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Unlock a sheet that `lock_sheet` locked."""
    return _mark(work, get_writable(work, character), "locked", to=False)


@service(Role.PLAYER)
def mark_complete(work: UnitOfWork, character: Character, complete: bool, *, key: UUID) -> Character:
    """Say whether a sheet is ready to be played."""
    current = get_writable(work, character)
    check_unlocked(work, current, Visibility.SHEET)
    return _mark(work, current, "complete", to=complete)


def _moved(work: UnitOfWork, character: Character, kind: EventKind) -> Character:
    character.save(update_fields=["retired_at", "died_at"])
    work.record(kind, {"character": character.ref}, stream=character.card_stream, subjects=[character.subject])
    return character


def _mark(work: UnitOfWork, character: Character, mark: str, *, to: bool) -> Character:
    if getattr(character, mark) == to:
        return character
    setattr(character, mark, to)
    character.save(update_fields=[mark])
    payload = {
        "character": character.ref,
        "mark": mark,
        "on": to,
        "locked": character.locked,
        "complete": character.complete,
    }
    for stream in character.streams(Visibility.SHEET):
        work.record(SHEET_MARKED, payload, stream=stream, subjects=[character.subject], discriminator=str(character.pk))
    return character


@service(Role.PLAYER, plays=True)
def say_as(work: UnitOfWork, character: Character, words: str, *, picture: Upload | None = None, key: UUID) -> Event:
    """Let a character speak to the whole table. Raises Invalid for an NPC that is hidden from players."""
    current = get_writable(work, character)
    in_play(current, "voice")
    if current.is_hidden:
        message = _("Players don’t know about {name} yet. Reveal them first, or narrate.")
        raise Invalid(message.format(name=current.name), field="voice")
    return speak(work, Manner.CHARACTER, words, voice=current.subject, picture=picture)
