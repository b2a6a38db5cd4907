"""Every change of a character: who it is, what is on its sheet, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from campaigns.errors import Forbidden, Invalid, Missing, Stale
from campaigns.models import Event, Membership, Role
from campaigns.models.log import GM, TABLE
from campaigns.models.play import Manner
from campaigns.services.clock_facts import retelling_clocks
from campaigns.services.edits import version
from campaigns.services.log import Table, at_table
from campaigns.services.play import speak
from characters.models import Character
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import SheetError, Value

MADE = "characters.character_made"
CHANGED = "characters.character_changed"
FIELD_CHANGED = "characters.field_changed"
RETIRED = "characters.character_retired"
RETURNED = "characters.character_returned"


@dataclass(frozen=True)
class Card:
    """Who a character is. `owner` None makes it an NPC; `shown` says of an NPC whether players know of it."""

    name: str
    concept: str = ""
    owner: Membership | None = None
    shown: bool = True


def card_version(character: Character) -> str:
    """For the `seen` of `change_character`."""
    return version(character.card())


@at_table(Role.PLAYER)
def make_character(table: Table, card: Card, *, key: UUID) -> Character:
    """A new character with an empty sheet. Players make their own; NPCs and others' characters are made by GMs."""
    character = Character(id=table.key, campaign=table.campaign)
    _put(table, character, card)
    character.save(force_insert=True)
    facts = {"character": character.ref, "card": character.card()}
    table.record(MADE, facts, stream=character.card_stream, about=[character.about])
    return character


@at_table(Role.PLAYER)
def change_character(table: Table, character: Character, card: Card, *, seen: str, key: UUID) -> Character:
    """Write a card anew. `seen` is its `card_version` when the form was made; raises Stale with the card as it is now."""
    found = _own(table, character)
    before = found.card()
    if seen != version(before):
        by = _last_writer(found, MADE, CHANGED)
        raise Stale(f"{by or 'Somebody'} has changed this card meanwhile.", current=before, by=by)
    was_hidden = found.is_hidden
    _put(table, found, card)
    # Clocks say whose they are.
    with retelling_clocks(table):
        found.save(update_fields=["name", "concept", "owner", "shown"])
        if found.card() != before:
            _tell_change(table, found, before, was_hidden)
    return found


@at_table(Role.PLAYER)
def set_field(table: Table, character: Character, field: str, value: object, *, seen: object, key: UUID) -> Character:
    """Set a field of a sheet, if it still is what the one who sets it saw.

    Raises Invalid for unknown fields and values out of range, and Stale with what it is now and who wrote that.
    """
    found = _own(table, character)
    if found.retired_at:
        raise Invalid(f"{found.name} is retired. Bring them back first.", field=field)
    try:
        kind, current = found.field(field), found.value(field)
        wanted, saw = found.clean_value(field, value), kind.clean(seen)
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    if saw != current and wanted != current:
        by = _last_writer(found, FIELD_CHANGED, field=field)
        raise Stale(f"{kind.label} is {current} by now.", field=field, current=current, by=by)
    _write(table, found, field, wanted)
    return found


@at_table(Role.PLAYER)
def retire_character(table: Table, character: Character, *, key: UUID) -> Character:
    """Take a character out of play; it stays in the log and can come back."""
    found = _own(table, character)
    if found.retired_at:
        raise Stale(f"{found.name} is retired already.")
    return _set_retired(table, found, RETIRED)


@at_table(Role.PLAYER)
def return_character(table: Table, character: Character, *, key: UUID) -> Character:
    """Bring a retired character back into play."""
    found = _own(table, character)
    if not found.retired_at:
        raise Stale(f"{found.name} is in play already.")
    return _set_retired(table, found, RETURNED)


@at_table(Role.PLAYER)
def say_as(table: Table, character: Character, words: str, *, key: UUID) -> Event:
    """Let a character speak, for everybody to hear. Nobody hears an NPC of whom players know nothing: show it first."""
    found = _own(table, character)
    if found.retired_at:
        raise Invalid(f"{found.name} is retired. Bring them back first.", field="voice")
    if found.is_hidden:
        raise Invalid(f"Players do not know of {found.name} yet. Show them first, or narrate.", field="voice")
    return speak(table, Manner.CHARACTER, words, voice=found.about)


def spend_willpower(table: Table, character: Character, *, why: str = "") -> int:
    """Take one point of current Willpower, inside a deed; gives what is left. Raises Invalid where there is none."""
    found = _found(table, character)
    left = found.number("willpower_now") - 1
    if left < 0:
        raise Invalid(f"{found.name} has no Willpower left to spend.", field="willpower")
    _write(table, found, "willpower_now", left, why=why)
    character.sheet = found.sheet
    return left


def return_willpower(table: Table, character: Character, *, why: str = "") -> int:
    """Give a spent point back, inside a deed, as far as the permanent rating has room for it; gives what is there then."""
    found = _found(table, character)
    there = min(found.number("willpower_now") + 1, found.number("willpower"))
    _write(table, found, "willpower_now", there, why=why)
    character.sheet = found.sheet
    return there


def shift_disposition(table: Table, character: Character, step: int, *, why: str = "") -> tuple[int, int]:
    """Move what an NPC feels about the player characters, inside a deed; gives what it was and what it is now.

    It stays within -5 to +5 (scale.txt, Burns), so taking a shift back means shifting by what it really moved. Raises Invalid
    for player characters.
    """
    found = _found(table, character)
    if not found.is_npc:
        raise Invalid(f"{found.name} is no NPC: what they feel is for their player to say.")
    before = found.disposition
    _write(table, found, DISPOSITION.name, max(DISPOSITION.minimum, min(DISPOSITION.maximum, before + step)), why=why)
    character.disposition = found.disposition
    return before, found.disposition


def _found(table: Table, character: Character) -> Character:
    """A character of this campaign, as it is now under the lock."""
    found = Character.objects.filter(campaign=table.campaign, pk=character.pk).select_related("owner__user").first()
    if found is None:
        raise Missing
    return found


def _own(table: Table, character: Character) -> Character:
    """The same, for one who may write in it. To others a hidden NPC is not there at all."""
    found = _found(table, character)
    if found.is_hidden and not table.by.is_gm:
        raise Missing
    if not found.opens_for(table.by):
        raise Forbidden(f"Only the GM and whoever plays {found.name} can do that.")
    return found


def _put(table: Table, character: Character, card: Card) -> None:
    """Fill in the card, as far as the one who does it may."""
    owner = card.owner.pk if card.owner else None
    if not table.by.is_gm:
        if owner != table.by.pk:
            raise Forbidden("Only a GM makes NPCs and says who plays whom.")
        if not card.shown:
            raise Forbidden("Only NPCs can be hidden.")
    if owner is not None and owner != character.owner_id:
        _check_plays(table, owner)
    character.name, character.concept, character.owner = card.name, card.concept, card.owner
    character.shown = card.shown or owner is not None


def _check_plays(table: Table, owner: int) -> None:
    here = Membership.objects.here().filter(campaign=table.campaign, pk=owner).first()
    if here is None or not Role(here.role).at_least(Role.PLAYER):
        raise Invalid("Whoever plays a character has to be a player or a GM of this campaign.", field="owner")


def _tell_change(table: Table, character: Character, before: dict[str, Any], was_hidden: bool) -> None:
    """A card's change, to the GMs whole, to the table as far as it knew and now knows of the character."""
    card = character.card()
    whole = {"character": character.ref, "before": before, "card": card}
    if was_hidden and character.is_hidden:
        table.record(CHANGED, whole, stream=GM, about=[character.about])
    elif was_hidden:
        # What it was called while nobody knew of it stays with the GMs.
        table.record(CHANGED, whole | {"before": None}, stream=TABLE, about=[character.about])
        table.record(CHANGED, whole, stream=GM, about=[character.about])
    elif character.is_hidden:
        known = {"id": before["id"], "name": before["name"]}
        gone = {"character": known, "before": before, "card": None}
        about = replace(character.about, name=before["name"])
        table.record(CHANGED, gone, stream=TABLE, about=[about])
        table.record(CHANGED, whole, stream=GM, about=[character.about])
    else:
        table.record(CHANGED, whole, stream=TABLE, about=[character.about])


def _write(table: Table, character: Character, name: str, value: Value, *, why: str = "") -> None:
    """Put a value into a sheet, lower what may not exceed it, and record each field that changed."""
    before = character.value(name)
    if value == before:
        return
    leaning = [(field.name, character.value(field.name)) for field in character.rules.leaning_on(name)]
    if name == DISPOSITION.name:
        character.disposition = int(value)
    else:
        character.sheet = {**character.sheet, name: value}
    lowered = [(field, was, character.value(field)) for field, was in leaning if character.value(field) != was]
    character.sheet = {**character.sheet, **{field: now for field, _, now in lowered}}
    character.save(update_fields=["sheet", "disposition"])
    _tell_field(table, character, name, before, value, why)
    for field, was, now in lowered:
        _tell_field(table, character, field, was, now, f"no more than {character.field(name).label}")


def _tell_field(table: Table, character: Character, name: str, before: Value, after: Value, why: str) -> None:
    facts = {
        "character": character.ref,
        "mark": character.mark(name),
        # What is drawn in as many marks as this field has.
        "also": [character.mark(field.name) for field in character.rules.leaning_on(name)],
        "before": before,
        "after": after,
        "why": why,
    }
    table.record(FIELD_CHANGED, facts, stream=character.sheet_stream, about=[character.about])


def _set_retired(table: Table, character: Character, kind: str) -> Character:
    character.retired_at = table.now if kind == RETIRED else None
    character.save(update_fields=["retired_at"])
    facts = {"character": character.ref}
    table.record(kind, facts, stream=character.card_stream, about=[character.about])
    return character


def _last_writer(character: Character, *kinds: str, field: str | None = None) -> str:
    """What the person was called who last did one of these things to a character, or to one field of it."""
    events = Event.objects.filter(campaign=character.campaign, kind__in=kinds).about(character.about.key)
    if field:
        events = events.filter(payload__facts__mark__field=field)
    last = events.before(None).select_related("payload").first()
    return last.actor_name if last else ""
