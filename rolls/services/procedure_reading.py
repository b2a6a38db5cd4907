"""Procedures that depend on sheets, other procedures and the scene: read again when these change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from campaigns.events import CLOCK_ARCHIVED, CLOCK_CHANGED, CLOCK_TICKED, SCENE_CLOSED
from campaigns.models import Event
from campaigns.services.log import UnitOfWork
from characters import events as characters
from characters.models import Character
from characters.services.lookup import get_character, remember
from characters.services.sheet_writes import sheet_written
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, SETTINGS_CHANGED
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import under_way
from rolls.registry import RULESETS, procedure_called, procedures_of
from rolls.services.members import character_changed
from rolls.services.operation import RollOperation
from rolls.services.procedure_seen import known, others_open, seen, seen_beside, state_of
from rolls.services.procedure_state import change, do_all
from rolls.services.procedure_telling import Step
from rules.checked import restored
from rules.effects import led
from rules.procedures import REREAD, SCENE_ENDED
from scale.services.undo_journal import Carried


def reread(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> Any:
    """Return the state of a procedure, updated from everything it depends on, under the lock."""
    state = restored(rules.state, procedure.state)
    return rules.reads(state, seen(work, procedure, rules, state)) if rules.rereads else state


def character_brings_other(work: UnitOfWork, character: str) -> None:
    """Note a character whose sheet changed, or its Burn dice. Procedures are read again at the end of the
    operation, so that several writes are seen once.
    """
    if any(rules.rereads for _, _, rules in procedures_of(work.campaign.systems)):
        work.state(RollOperation).changed_sheets.add(character)


def _sheet_changed(work: UnitOfWork, event: Event) -> None:
    character_brings_other(work, event.payload["character"]["id"])


def _token_changed(work: UnitOfWork, event: Event) -> None:
    """Note a token that shrank or is gone, or a procedure that others depend on and that changed."""
    told = event.payload["procedure"]
    rules = procedure_called(told["system"], told["kind"])
    if rules is not None and (rules.others_go_by_it or (rules.token and event.kind != PROCEDURE_OPENED)):
        work.state(RollOperation).changed_systems.add(told["system"])


def _clock_changed(work: UnitOfWork, event: Event) -> None:
    """Note that a clock was archived, restored or filled."""
    if any(rules.sees_clocks for _, _, rules in procedures_of(work.campaign.systems)):
        work.state(RollOperation).clocks_changed = True


def reread_changed(work: UnitOfWork) -> bool:
    """Read procedures again that depend on what the operation changed (settings.BEFORE_COMMIT). Return whether there
    was anything.
    """
    burned = work.state(Carried)
    for character in burned.changed:
        character_brings_other(work, character)
    burned.changed = set()
    operation = work.state(RollOperation)
    changed, systems, clocks = operation.changed_sheets, operation.changed_systems, operation.clocks_changed
    if not (changed or systems or clocks):
        return False
    operation.changed_sheets, operation.changed_systems, operation.clocks_changed = set(), set(), False
    going_on = under_way(work.campaign)
    touched = list(_touched(work, going_on, changed, systems, clocks=clocks))
    # Read once for all of them: changes by one of these are seen in the next round of this loop.
    sheets = known(work, {one for *_, played in touched for one in played}) if touched else []
    others = others_open(work, going_on) if touched else {}
    for procedure, rules, before, played in touched:
        there = [one for one in sheets if str(one.pk) in played]
        now = rules.reads(before, seen_beside(work, procedure, rules, others, there))
        if now != before:
            change(work, procedure, rules, now, Step(act=REREAD, before=before))
            others = others_open(work, going_on)
    return True


def _touched(
    work: UnitOfWork, going_on: Iterable[Procedure], changed: set[str], systems: set[str], *, clocks: bool
) -> Iterator[tuple[Procedure, ProcedureKind[Any], Any, frozenset[str]]]:
    """Yield the procedures that depend on what has changed, with their rules, state, and the characters whose sheets
    they read.
    """
    for procedure in going_on:
        rules = procedure_called(procedure.system, procedure.kind)
        if rules is None or not rules.rereads:
            continue
        state = state_of(work, procedure, rules)
        played = frozenset(rules.played(state))
        if procedure.system in systems or not changed.isdisjoint(played) or (clocks and rules.sees_clocks):
            yield procedure, rules, state, played


def _scene_closed(work: UnitOfWork, event: Event) -> None:
    for procedure in under_way(work.campaign):
        rules = procedure_called(procedure.system, procedure.kind)
        if rules is None:
            continue
        before = restored(rules.state, procedure.state)
        after = led(rules.at_scene_end(before))
        if after.state != before:
            change(work, procedure, rules, after.state, Step(act=SCENE_ENDED, before=before))
            do_all(work, procedure, after.effects)


def _card_changed(work: UnitOfWork, event: Event) -> None:
    character_changed(work, event)
    _comes_into_play(work, event)


def _comes_into_play(work: UnitOfWork, event: Event) -> None:
    """Check the sheet of a character that came into play, or into a player's hands: its rules apply from now on."""
    _sheet_changed(work, event)
    sheet_written(work, get_character(work, Character(pk=UUID(event.payload["character"]["id"]))))


def _settings_changed(work: UnitOfWork, event: Event) -> None:
    """Check every sheet after a change of settings: a track may be shorter now."""
    if any(RULESETS[name].follows for name in work.campaign.systems if name in RULESETS):
        for there in Character.objects.active().filter(campaign=work.campaign).with_related().with_rows():
            sheet_written(work, remember(work, there))


SIGNALS = {
    SETTINGS_CHANGED: _settings_changed,
    SCENE_CLOSED: _scene_closed,
    CLOCK_ARCHIVED: _clock_changed,
    CLOCK_CHANGED: _clock_changed,
    CLOCK_TICKED: _clock_changed,
    characters.CHARACTER_CHANGED: _card_changed,
    characters.CHARACTER_MADE: _comes_into_play,
    characters.CHARACTER_RETURNED: _comes_into_play,
    PROCEDURE_OPENED: _token_changed,
    PROCEDURE_CHANGED: _token_changed,
    PROCEDURE_CLOSED: _token_changed,
    **dict.fromkeys(
        (
            characters.FIELD_CHANGED,
            characters.ROW_ADDED,
            characters.ROW_REMOVED,
            characters.CHARACTER_RETIRED,
            characters.CHARACTER_DIED,
            characters.CHARACTER_DELETED,
        ),
        _sheet_changed,
    ),
}
