"""Making, changing, handing over and copying characters; and the streams that learn of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, count
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.errors import Conflict, Forbidden, Invalid
from campaigns.kinds import EventKind
from campaigns.models import Campaign, Event, Membership, Role, Written
from campaigns.models.members import GM, TABLE
from campaigns.models.play import Manner
from campaigns.pictures import Portrayal, Upload
from campaigns.services.clocks import retelling_clocks
from campaigns.services.log import UnitOfWork, last_actor, service, version
from campaigns.services.play import speak
from campaigns.services.undo import note, puts_back
from characters.events import (
    CHARACTER_CHANGED,
    CHARACTER_DELETED,
    CHARACTER_DIED,
    CHARACTER_MADE,
    CHARACTER_RETIRED,
    CHARACTER_RETURNED,
    PORTRAIT_CHANGED,
    SHEET_MARKED,
)
from characters.faces import FACES
from characters.models import Character, Portrait, State
from characters.services.fields import check_unlocked
from characters.services.sheet_writes import get_character, get_writable, in_play, save_rows
from characters.sheets import with_crews
from characters.sheets.fields import Visibility
from languages.letters import look_alike, same

# Portraits: setting, copying and removing what a character looks like.


@service(Role.PLAYER)
def set_portrait(work: UnitOfWork, character: Character, portrait: Portrayal | str, *, key: UUID) -> Character:
    """Set a character's portrait: as `campaigns.pictures.portrait` made it of an upload, the name of a face, or "" for its
    initial alone. Raises Invalid for an unknown face.
    """
    current = get_writable(work, character)
    if _put_on(current, portrait):
        payload = {"character": current.ref, "portrait": current.portrait()}
        work.record(PORTRAIT_CHANGED, payload, stream=current.card_stream, subjects=[current.subject])
    return current


def _put_on(character: Character, portrait: Portrayal | str) -> bool:
    """Give a kept character this portrait, and return whether it is another one than before."""
    picture = sha256(portrait.image).hexdigest()[: Character.PICTURE] if isinstance(portrait, Portrayal) else portrait
    if picture == character.picture:
        return False
    drop_portrait(character)
    if isinstance(portrait, Portrayal):
        Portrait.objects.create(character=character, image=portrait.image, icon=portrait.icon)
    elif portrait not in ("", *FACES):
        raise Invalid(_("Choose one of the portraits."), field="portrait")
    character.picture = picture
    character.save(update_fields=["picture"])
    return True


def drop_portrait(character: Character) -> None:
    """Forget the bytes; the character's own row is for the caller to save."""
    Portrait.objects.filter(character=character).delete()
    character.picture = ""


def copy_portrait(character: Character, to: Character) -> None:
    """Copy a character's portrait to another."""
    for portrait in Portrait.objects.filter(character=character):
        Portrait.objects.create(character=to, image=portrait.image, icon=portrait.icon)


CARD_COLUMNS = ("name", "concept", "owner", "shown", "opened", "free")


@dataclass(frozen=True)
class Card:
    """A character's card. `owner` None makes it an NPC; `shown` says of an NPC whether players know of it.

    `also` are its other players; `opened` lets everyone who knows of it read the whole sheet, and not only the card;
    `free` lets a player take an NPC (`take_character`).
    `portrait` is what a new character looks like, as `set_portrait` takes it.
    """

    name: str
    concept: str = ""
    owner: Membership | None = None
    shown: bool = True
    also: tuple[Membership, ...] = ()
    opened: bool = False
    free: bool = False
    portrait: Portrayal | str = ""


def card_of(character: Character) -> Card:
    """Return the character's current card."""
    also = tuple(character.players[1:])
    return Card(
        character.name,
        character.concept,
        character.owner,
        character.shown,
        also,
        character.opened,
        character.free,
    )


def card_version(character: Character) -> str:
    """Return the version of a character's card, which `change_character` takes as `expected`."""
    return version(character.card())


@service(Role.PLAYER)
def make_character(
    work: UnitOfWork, card: Card, *, system: str = "", is_crew: bool = False, pool: int = 0, key: UUID
) -> Character:
    """Make a new character with an empty sheet. Players make their own; GMs make NPCs, crews and others' characters.

    `system` is one of the campaign's, by default its first, and never changes. `pool` are the dice of a quick NPC, which
    its sheet keeps if it has a place for them. Raises Invalid for another system, and for a crew where the rules have
    none.
    """
    character = drafted(work, card, system=system, is_crew=is_crew)
    if pool and (quick := character.rules.quick):
        character.hold({**character.values, quick: character.clean_value(quick, pool)})
    introduce(work, character, card)
    return character


def drafted(work: UnitOfWork, card: Card, *, system: str, is_crew: bool) -> Character:
    """Return a new character that is not kept yet, for who puts something on its sheet first. Raises as `make_character` does."""
    character = Character(id=work.key, campaign=work.campaign, is_crew=is_crew)
    character.system = _system(work.campaign, system, is_crew=is_crew)
    _put(work, character, card)
    return character


def introduce(work: UnitOfWork, character: Character, card: Card) -> None:
    """Store a drafted character and record its event."""
    character.save(force_insert=True)
    save_rows(character)
    character.co_owners.set(card.also)
    _put_on(character, card.portrait)
    _tell_made(work, character)


@service(Role.PLAYER)
def change_character(work: UnitOfWork, character: Character, card: Card, *, expected: str, key: UUID) -> Character:
    """Change a card. `expected` is its `card_version` when the form was made; raises Conflict with the card as it is now."""
    current = get_writable(work, character)
    _check_seen(current, expected)
    _change(work, current, card)
    return current


@service(Role.GM)
def hand_over(
    work: UnitOfWork,
    character: Character,
    to: Membership | None,
    *,
    also: tuple[Membership, ...] = (),
    expected: str | None = None,
    key: UUID,
) -> Character:
    """Give a character to another player, or to no one, which makes it an NPC. Its sheet goes along; its player's
    private notes stay that player's. `expected` is as for `change_character`, if the card was seen before.
    """
    current = get_writable(work, character)
    if current.is_crew:
        raise Invalid(_("A crew belongs to everyone, so it can’t be handed over."), field="owner")
    if expected is not None:
        _check_seen(current, expected)
    _change(work, current, replace(card_of(current), owner=to, also=also))
    return current


@service(Role.PLAYER)
def take_character(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Play a character that is free to take; its sheet is its player's from then on. Raises Conflict for any other."""
    current = get_character(work, character)
    if not (current.free and current.plays):
        raise Conflict(_("{name} is no longer free. Choose someone else.").format(name=current.name))
    _change(work, current, replace(card_of(current), owner=work.by, opened=False))
    return current


@service(Role.PLAYER)
def copy_character(work: UnitOfWork, character: Character, name: str, *, key: UUID) -> Character:
    """Copy a character with its sheet: for its player as their own, for a GM as an NPC that players do not know of yet.

    Private notes are copied only for their own player.
    """
    current = get_writable(work, character)
    mine = current.owner_id == work.by.pk
    copy = Character(id=work.key, campaign=work.campaign, system=current.system, is_crew=current.is_crew)
    owner = None if work.by.is_gm and not mine else work.by
    _put(work, copy, Card(name, current.concept, None if current.is_crew else owner, shown=owner is not None))
    copy.hold_sheet_of(current, private=current.owner_id == copy.owner_id)
    copy.picture = current.picture
    copy.save(force_insert=True)
    save_rows(copy)
    copy_portrait(current, copy)
    _tell_made(work, copy)
    return copy


def _check_seen(character: Character, expected: str) -> None:
    now = character.card()
    if expected != version(now):
        by = last_actor(character.campaign, character.subject.key, (CHARACTER_MADE, CHARACTER_CHANGED))
        message = _("{who} changed this card first.").format(who=by) if by else _("Someone changed this card first.")
        raise Conflict(message, current=now, by=by)


def _system(campaign: Campaign, named: str, *, is_crew: bool) -> str:
    installed = [name for name in campaign.systems if rulesets.is_installed(name)]
    able = with_crews(installed) if is_crew else installed
    system = named or next(iter(able), "")
    if system not in installed:
        raise Invalid(_("This campaign doesn’t use that system."), field="system")
    if system not in able:
        raise Invalid(_("These rules have no crews."), field="system")
    return system


def _tell_made(work: UnitOfWork, character: Character) -> None:
    payload = {"character": character.ref, "card": character.card(), "portrait": character.portrait()}
    work.record(CHARACTER_MADE, payload, stream=character.card_stream, subjects=[character.subject])


def _change(work: UnitOfWork, character: Character, card: Card) -> None:
    before, was_hidden = character.card(), character.is_hidden
    _put(work, character, card)
    # Clocks say whose they are.
    with retelling_clocks(work):
        character.save(update_fields=CARD_COLUMNS)
        character.co_owners.set(card.also)
        if character.card() != before:
            _tell_change(work, character, before, was_hidden)


def _put(work: UnitOfWork, character: Character, card: Card) -> None:
    """Fill in the card, as far as the one who does it may."""
    now = card_of(character) if not character._state.adding else Card("", owner=work.by)
    owner = card.owner.pk if card.owner else None
    if not work.by.is_gm and not (now.free and card.owner == work.by):
        if card.owner != (None if character.is_crew and not character._state.adding else now.owner):
            raise Forbidden(_("Only a GM can make NPCs and choose who plays a character."))
        if not card.shown:
            raise Forbidden(_("Only NPCs can be hidden."))
        if set(card.also) != set(now.also):
            raise Forbidden(_("Only a GM can choose who plays a character."))
    if character.is_crew and owner is not None:
        raise Invalid(_("A crew belongs to everyone."), field="owner")
    _check_players(work, character, card, now)
    renamed = character._state.adding or card.name != character.name or character.is_hidden
    character.concept, character.owner = card.concept, card.owner
    character.shown = card.shown or owner is not None
    character.opened, character.free = card.opened, card.free and card.shown and owner is None
    if renamed:
        character.name = _told_apart(character, card.name)


def _told_apart(character: Character, name: str) -> str:
    """Return a name, with a number behind it if it looks like that of another character here.

    A character that players know of is compared with those that they know of: a number would betray another.
    """
    here = Character.objects.filter(campaign=character.campaign_id, deleted_at=None).exclude(pk=character.pk)
    others = list((here if character.is_hidden else here.shown()).values_list("name", flat=True))
    numbered = (f"{name[: Character.LONGEST_NAME - len(end)]}{end}" for end in (f" ({number})" for number in count(2)))
    return next(one for one in chain([name], numbered) if not any(look_alike(one, other) for other in others))


def _check_players(work: UnitOfWork, character: Character, card: Card, now: Card) -> None:
    if card.also and (card.owner is None or card.owner in card.also):
        raise Invalid(_("Choose the main player first, then the others."), field="also")
    kept = {member.pk for member in (now.owner, *now.also) if member and not character._state.adding}
    for field, member in (("owner", card.owner), *(("also", player) for player in card.also)):
        if member is not None and member.pk not in kept:
            _check_plays(work, member.pk, field)


def _check_plays(work: UnitOfWork, member: int, field: str) -> None:
    here = Membership.objects.active().filter(campaign=work.campaign, pk=member).first()
    if here is None or not Role(here.role).at_least(Role.PLAYER):
        raise Invalid(_("Only players and GMs of this campaign can play a character."), field=field)


def _tell_change(work: UnitOfWork, character: Character, before: dict[str, Any], was_hidden: bool) -> None:
    """Record a card's change: to the GMs in full, to the table as far as it knew and now knows the character."""
    card = character.card()
    whole = {"character": character.ref, "before": before, "card": card, "portrait": character.portrait()}
    if was_hidden and character.is_hidden:
        work.record(CHARACTER_CHANGED, whole, stream=GM, subjects=[character.subject])
    elif was_hidden:
        # Its name before it was known is only for the GMs.
        work.record(CHARACTER_CHANGED, whole | {"before": None}, stream=TABLE, subjects=[character.subject])
        work.record(CHARACTER_CHANGED, whole, stream=GM, subjects=[character.subject])
    elif character.is_hidden:
        known = {"id": before["id"], "name": before["name"]}
        gone = {"character": known, "before": before, "card": None, "portrait": None}
        subject = replace(character.subject, name=before["name"])
        work.record(CHARACTER_CHANGED, gone, stream=TABLE, subjects=[subject])
        work.record(CHARACTER_CHANGED, whole, stream=GM, subjects=[character.subject])
    else:
        work.record(CHARACTER_CHANGED, whole, stream=TABLE, subjects=[character.subject])


# A character's life cycle: in play, retired or dead; its sheet locked by the GM, or marked as complete.


@service(Role.PLAYER)
def retire_character(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Take a character out of play; it stays in the log and can come back."""
    current = get_writable(work, character)
    if current.retired_at:
        raise Conflict(_("{name} has already retired.").format(name=current.name))
    current.retired_at = work.now
    return _moved(work, current, CHARACTER_RETIRED)


def retire_by_rules(work: UnitOfWork, character: Character, *, dead: bool = False) -> None:
    """Retire a character for the rules, or mark it as `dead`, whoever acts. One that is out of play stays so."""
    current = get_character(work, character)
    if current.state is not State.IN_PLAY:
        return
    if dead:
        current.died_at = work.now
    else:
        current.retired_at = work.now
    _moved(work, current, CHARACTER_DIED if dead else CHARACTER_RETIRED)
    note(work, f"character:{current.pk}", "state", before=[State.IN_PLAY], after=[current.state])


@puts_back("character")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    """Return a character to play that `retire_by_rules` took out, if it is still out of play."""
    current = get_character(work, Character(pk=pk))
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
