"""What a procedure may read beside its own state: sheets, other procedures, clocks, settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import prefetch_related_objects

from campaigns.models import Clock
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork
from characters.models import Character, SheetRow, prefetch_rows
from characters.services.sheet_writes import get_characters
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import under_way
from rolls.registry import RULESETS, procedure_called
from rolls.services.procedure_telling import audience_of
from rolls.services.roll_making import RollOperation
from rolls.settings import roll_settings
from rolls.table_rules import falling
from rules.checked import restored
from rules.procedures import SheetSnapshot, Snapshot
from scale.services.moving import extra_dice

Others = dict[tuple[str, str], dict[str, list[tuple[str, Any]]]]
"""Open procedures by their rules and stream, then by kind: (id, state)."""


def seen(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any], state: Any) -> Snapshot:
    """Return what a procedure may read beside its own state, under the lock; without characters that its audience does
    not know.
    """
    there = others_open(work, under_way(work.campaign))
    return seen_beside(work, procedure, rules, there, known(work, rules.played(state)))


def known(work: UnitOfWork, ids: Iterable[str]) -> list[Character]:
    """Return these characters with their rows, without those that were deleted."""
    there = [character for character in get_characters(work, ids) if character.deleted_at is None]
    prefetch_related_objects(there, prefetch_rows(SheetRow.objects.all()))
    return there


def seen_beside(
    work: UnitOfWork,
    procedure: Procedure,
    rules: ProcedureKind[Any],
    others: Others,
    characters: Sequence[Character],
) -> Snapshot:
    """Return the same with the `others` and the characters that were read already."""
    told = [one for one in characters if one.told_in(procedure.stream)]
    there = [one for one in told if one.plays]
    sheets = {str(one.pk): SheetSnapshot(name=one.name, system=one.system, values=one.values) for one in there}
    settings = RULESETS[procedure.system].settings
    clocks = _running(work, procedure) if rules.sees_clocks else []
    return Snapshot(
        sheets=sheets,
        dead=frozenset(str(one.pk) for one in told if one.died_at),
        open=_beside(procedure, others),
        ended=_beside(procedure, others_open(work, work.state(RollOperation).ended, ended=True)),
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
    told = running if procedure.stream == GM else running.shown()
    return list(told.only("pk", "filled", "segments"))


def others_open(work: UnitOfWork, procedures: Iterable[Procedure], *, ended: bool = False) -> Others:
    """Return those of the procedures that are open, or that have ended."""
    found: Others = {}
    for one in procedures:
        if bool(one.closed_at) is ended and (rules := procedure_called(one.system, one.kind)):
            kinds = found.setdefault((one.system, one.stream), {})
            kinds.setdefault(one.kind, []).append((str(one.pk), state_of(work, one, rules)))
    return found


def _beside(procedure: Procedure, others: Others) -> dict[str, list[tuple[str, Any]]]:
    """Return the other procedures of the same rules and the same readers."""
    kinds, own = others.get((procedure.system, procedure.stream), {}), str(procedure.pk)
    return kinds | {procedure.kind: [one for one in kinds.get(procedure.kind, ()) if one[0] != own]}


def state_of(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind[Any]) -> Any:
    """Return the state of a procedure, restored once in an operation, however many others depend on it."""
    states = work.state(RollOperation).procedure_states
    if procedure.pk not in states:
        states[procedure.pk] = restored(rules.state, procedure.state)
    return states[procedure.pk]
