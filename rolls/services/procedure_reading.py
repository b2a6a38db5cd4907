"""Procedures that depend on sheets, other procedures and the scene: read again when these change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import prefetch_related_objects

from campaigns.events import CLOCK_ARCHIVED, CLOCK_CHANGED, CLOCK_TICKED, SCENE_CLOSED
from campaigns.models import Clock, Event
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork
from characters import events as characters
from characters.models import Character, SheetRow, prefetch_rows
from characters.services.sheet_writes import get_character, get_characters, remember, sheet_written
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED, SETTINGS_CHANGED
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import under_way
from rolls.registry import RULESETS, procedure_called, procedures_of
from rolls.services.members import character_changed
from rolls.services.operation import RollOperation
from rolls.services.procedure_state import change, do_all
from rolls.services.procedure_telling import Step, audience_of
from rolls.settings import roll_settings
from rolls.table_rules import falling
from rules.checked import restored
from rules.effects import led
from rules.procedures import REREAD, SCENE_ENDED, SheetSnapshot, Snapshot
from scale.services.moving import extra_dice
from scale.services.undo_journal import Carried

Others = dict[tuple[str, str], dict[str, list[tuple[str, Any]]]]
"""Open procedures by their rules and stream, then by kind: (id, state)."""


def reread(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> Any:
    """Return the state of a procedure, updated from everything it depends on, under the lock."""
    state = restored(rules.state, procedure.state)
    return rules.reads(state, seen(work, procedure, rules)) if rules.rereads else state


def seen(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> Snapshot:
    """Return what a procedure may read beside its own state, under the lock; without characters that its audience does
    not know.
    """
    played = rules.played(restored(rules.state, procedure.state))
    return _seen(work, procedure, rules, _others(work, under_way(work.campaign)), _known(work, played))


def _known(work: UnitOfWork, ids: Iterable[str]) -> list[Character]:
    known = [character for character in get_characters(work, ids) if character.deleted_at is None]
    prefetch_related_objects(known, prefetch_rows(SheetRow.objects.all()))
    return known


def _seen(
    work: UnitOfWork,
    procedure: Procedure,
    rules: ProcedureKind[Any],
    others: Others,
    known: Sequence[Character],
) -> Snapshot:
    known = [one for one in known if one.told_in(procedure.stream)]
    there = [one for one in known if one.plays]
    sheets = {str(one.pk): SheetSnapshot(name=one.name, system=one.system, values=one.values) for one in there}
    settings = RULESETS[procedure.system].settings
    clocks = _running(work, procedure) if rules.sees_clocks else []
    return Snapshot(
        sheets=sheets,
        dead=frozenset(str(one.pk) for one in known if one.died_at),
        open=_beside(procedure, others),
        ended=_beside(procedure, _others(work, work.state(RollOperation).ended, ended=True)),
        settings=roll_settings(work.campaign).of(settings.kind) if settings else None,
        clocks=frozenset(str(one.pk) for one in clocks),
        full_clocks=frozenset(str(one.pk) for one in clocks if one.is_full),
        in_scene=work.scene is not None,
        extra_dice=_extra_dice(work, procedure, rules, there),
    )


def _extra_dice(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], characters: Iterable[Character]
) -> dict[str, int]:
    """Return the Burn dice for the procedure's rolls, by character, if there are any."""
    if not rules.rolls:
        return {}
    audience, settings = audience_of(procedure), roll_settings(work.campaign)
    fallings = {
        str(one.pk): falling(work.campaign, one, procedure.system, rules.rolls, audience, settings)
        for one in characters
    }
    return {who: dice for who, dice_to_fall in fallings.items() if (dice := extra_dice(dice_to_fall))}


def _running(work: UnitOfWork, procedure: Procedure) -> list[Clock]:
    running = Clock.objects.running().filter(campaign=work.campaign, opened=True).order_by()
    known = running if procedure.stream == GM else running.shown()
    return list(known.only("pk", "filled", "segments"))


def _others(work: UnitOfWork, procedures: Iterable[Procedure], *, ended: bool = False) -> Others:
    found: Others = {}
    for one in procedures:
        if bool(one.closed_at) is ended and (rules := procedure_called(one.system, one.kind)):
            kinds = found.setdefault((one.system, one.stream), {})
            kinds.setdefault(one.kind, []).append((str(one.pk), _state(work, one, rules)))
    return found


def _beside(procedure: Procedure, others: Others) -> dict[str, list[tuple[str, Any]]]:
    """Return the other procedures of the same rules and the same readers."""
    kinds, own = others.get((procedure.system, procedure.stream), {}), str(procedure.pk)
    return kinds | {procedure.kind: [one for one in kinds.get(procedure.kind, ()) if one[0] != own]}


def _state(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> Any:
    """Return the state of a procedure, restored once in an operation, however many others depend on it."""
    states = work.state(RollOperation).procedure_states
    if procedure.pk not in states:
        states[procedure.pk] = restored(rules.state, procedure.state)
    return states[procedure.pk]


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
    sheets = _known(work, {one for *_, played in touched for one in played}) if touched else []
    others = _others(work, going_on) if touched else {}
    for procedure, rules, before, played in touched:
        there = [one for one in sheets if str(one.pk) in played]
        now = rules.reads(before, _seen(work, procedure, rules, others, there))
        if now != before:
            change(work, procedure, rules, now, Step(act=REREAD, before=before))
            others = _others(work, going_on)
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
        state = _state(work, procedure, rules)
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
