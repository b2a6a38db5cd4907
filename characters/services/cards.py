"""Making, changing, handing over and copying characters; and the streams that learn of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.errors import Conflict, Forbidden, Invalid
from campaigns.models import Campaign, Membership, Role
from campaigns.models.members import GM, TABLE
from campaigns.services.clocks import retelling_clocks
from campaigns.services.log import UnitOfWork, last_actor, service, version
from characters.events import CHARACTER_CHANGED, CHARACTER_MADE
from characters.models import Character
from characters.services.lookup import get_writable
from characters.services.portraits import copy_portrait
from characters.services.sheet_writes import save_rows
from characters.sheets import with_crews

CARD_COLUMNS = ("name", "concept", "owner", "shown", "opened")


@dataclass(frozen=True)
class Card:
    """A character's card. `owner` None makes it an NPC; `shown` says of an NPC whether players know of it.

    `also` are its other players; `opened` lets everyone who knows of it read the whole sheet, and not only the card.
    """

    name: str
    concept: str = ""
    owner: Membership | None = None
    shown: bool = True
    also: tuple[Membership, ...] = ()
    opened: bool = False


def card_of(character: Character) -> Card:
    """Return the character's current card."""
    also = tuple(character.players[1:])
    return Card(character.name, character.concept, character.owner, character.shown, also, character.opened)


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
    payload = {"character": character.ref, "card": character.card()}
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
    if not work.by.is_gm:
        if card.owner != (None if character.is_crew and not character._state.adding else now.owner):
            raise Forbidden(_("Only a GM can make NPCs and choose who plays a character."))
        if not card.shown:
            raise Forbidden(_("Only NPCs can be hidden."))
        if set(card.also) != set(now.also):
            raise Forbidden(_("Only a GM can choose who plays a character."))
    if character.is_crew and owner is not None:
        raise Invalid(_("A crew belongs to everyone."), field="owner")
    _check_players(work, character, card, now)
    character.name, character.concept, character.owner = card.name, card.concept, card.owner
    character.shown = card.shown or owner is not None
    character.opened = card.opened


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
