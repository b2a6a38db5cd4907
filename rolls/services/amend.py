"""What the GM does to a roll that has fallen: take it back, correct it, show it. Nothing is deleted; a new event says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid, Missing, Waiting
from campaigns.models import Role
from campaigns.models.log import GM, TABLE
from campaigns.services.log import Table, at_table
from rolls.models import Audience, Roll, Scale, Step
from rolls.services.cards import roll_facts
from rolls.services.ledger import hand_over, is_roll, standing, step_of
from rolls.services.refusal import by_the_rules
from rolls.services.roller import short_note
from rolls.services.rolls import feeding_of
from rolls.services.scale import wait_for_narration
from rolls.services.systems import SYSTEMS
from rolls.services.systems.base import Change, Feeds
from rolls.services.telling import tell_again, tell_roll, twin_of
from rolls.services.undoing import SHOWN, take_back, take_back_deed, tell_taken_back, void
from rolls.settings import roll_settings

CORRECTED = "rolls.roll_corrected"


@at_table(Role.GM)
def void_roll(table: Table, roll_id: UUID, *, reason: str = "", key: UUID) -> Roll:
    """Take a roll back, and with it all that it set off: the Scale, its Burns and what they did, Burn dice, the Willpower point.

    Raises Waiting, naming it, when something else has moved the same Scale since; a roll that fed none can always be voided.
    """
    roll = _roll(table, roll_id)
    void(table, roll, short_note(reason))
    return roll


@at_table(Role.GM)
def void_newest(table: Table, scale_id: UUID, *, reason: str = "", key: UUID) -> Step:
    """Take back the newest thing that happened to a Scale, be it a roll or what somebody did with a Burn."""
    scale = Scale.objects.filter(campaign=table.campaign, pk=scale_id).first()
    if scale is None:
        raise Missing
    step = standing(scale).last()
    if step is None:
        raise Waiting("There is nothing on this Scale to take back.")
    if step.roll_id and is_roll(step):
        void(table, _roll(table, step.roll_id), short_note(reason))
    else:
        take_back_deed(table, step, short_note(reason))
    return step


@at_table(Role.GM)
def correct_roll(table: Table, roll_id: UUID, changes: Mapping[str, Any], *, reason: str = "", key: UUID) -> Roll:
    """Read the same dice again with what was wrong put right: the roll is taken back and the corrected one takes its place. What
    was spent stays spent.

    Where the dice still give the Scale what they gave, its move and all that came of it stand, whatever happened since; otherwise
    the corrected roll moves it as the newest.

    `changes` are the note and the terms that the roll's system lets be corrected; None leaves one as it was. Raises what
    `void_roll` raises, and Invalid for values that the rules do not allow.
    """
    old = _roll(table, roll_id)
    SYSTEMS[old.system].held(old, Change.CORRECT)
    if not old.faces:
        raise Invalid("There are no dice to read again. Take the roll back instead.")
    roll, why = _corrected(table, old, changes), short_note(reason) or "corrected"
    if not _keeps_its_move(table, old, roll, why):
        _moves_anew(table, old, roll, why)
    if old.revealed_at:
        _show(table, roll)
    return roll


def _keeps_its_move(table: Table, old: Roll, roll: Roll, why: str) -> bool:
    """Put the corrected roll in the place of the old one, if it gives the Scale the same by the rules that moved it then."""
    step = step_of(old)
    if step is None or roll.kind != old.kind:
        return False
    told, settings = step.event.facts, roll_settings(table.campaign)
    then = replace(settings, scale=replace(settings.scale, **told["rules"]))
    with by_the_rules():
        reading = SYSTEMS[roll.system].read(roll.ask, iter(roll.faces), then, Feeds(scale=step.scale))
    if reading.gives is None or reading.gives.delta != told["scale"]["delta"]:
        return False
    tell_taken_back(table, old, why)
    roll.outcome = reading.outcome
    roll.save(force_insert=True)
    hand_over(old, roll)
    tell_again(table, roll, CORRECTED, step, amends=old.event)
    return True


def _moves_anew(table: Table, old: Roll, roll: Roll, why: str) -> None:
    """Undo what the old roll did to its Scale, and let the corrected one move it, if it moves any."""
    settings, system = roll_settings(table.campaign), SYSTEMS[roll.system]
    take_back(table, old, why)
    feeds = system.feeds(roll, settings)
    if feeds.scale is not None:
        wait_for_narration(feeds.scale)
    with by_the_rules():
        reading = system.read(roll.ask, iter(roll.faces), settings, feeds)
    roll.outcome = reading.outcome
    roll.save(force_insert=True)
    tell_roll(table, roll, CORRECTED, feeding_of(roll, feeds.scale, reading, settings), amends=old.event)


@at_table(Role.GM)
def reveal_roll(table: Table, roll_id: UUID, *, key: UUID) -> Roll:
    """Show everybody a roll that not everybody saw: the whole card, as it is. It moves no Scale by that."""
    roll = _roll(table, roll_id)
    if roll.audience == Audience.TABLE or roll.revealed_at:
        raise Waiting("Everybody sees this roll already.")
    SYSTEMS[roll.system].held(roll, Change.SHOW)
    for character in (roll.character, *SYSTEMS[roll.system].names(roll)):
        if character is not None and character.is_hidden:
            raise Invalid(f"Players do not know of {character.name} yet. Show {character.name} first.")
    _show(table, roll)
    return roll


def _show(table: Table, roll: Roll) -> None:
    roll.revealed_at = table.now
    roll.save(update_fields=["revealed_at"])
    about = [roll.character.about] if roll.character else []
    facts = roll_facts(roll) | {"audience_words": "", "of": str(roll.event.uid) if roll.event else ""}
    table.record(SHOWN, facts, stream=TABLE, about=about, amends=roll.event)
    if twin := twin_of(roll.event):
        table.record(SHOWN, facts, stream=GM, about=about, amends=twin)


def _corrected(table: Table, old: Roll, changes: Mapping[str, Any]) -> Roll:
    """The roll as it should have been; not stored yet, and its outcome not read."""
    may = {"note", *SYSTEMS[old.system].correctable}
    wanted = {name: value for name, value in changes.items() if value is not None}
    if unknown := wanted.keys() - may:
        raise Invalid("This cannot be corrected. Take the roll back instead.", field=min(unknown))
    ask = old.ask | wanted
    return Roll(
        pk=table.key,
        campaign=table.campaign,
        character=old.character,
        by=old.by,
        system=old.system,
        kind=ask.get("kind", old.kind),
        audience=old.audience,
        ask=ask | {"note": short_note(ask["note"])},
        faces=old.faces,
        hand_rolled=old.hand_rolled,
        proof=old.proof,
        request=old.request,
        corrects=old,
        at=table.now,
    )


def _roll(table: Table, roll_id: UUID) -> Roll:
    whole = Roll.objects.select_related("character__owner__user", "by__user", "request__member__user", "event__stream")
    roll = whole.filter(campaign=table.campaign, pk=roll_id).first()
    if roll is None:
        raise Missing
    if roll.voided_at:
        raise Waiting("This roll was already taken back.")
    return roll
