"""Procedures that are `Played` (rolls/procedures.py): an act is a method, taken on the table as it is under the lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from campaigns.services.log import UnitOfWork
from characters.sheets.steps import Put, Shift
from characters.sheets.steps import Step as SheetStep
from rolls.models import Procedure, ProcedureStep, Roll
from rolls.procedures import Played
from rolls.queries.procedures import actor_of
from rolls.queries.table import StoredTable, actors, procedure_row
from rolls.registry import procedure_called
from rolls.services.procedure_state import another_id, answer_of, close_quietly, do_all, do_step, requested
from rolls.services.procedure_telling import Step, cards_of, tell_played
from rolls.services.roll_context import by_the_rules, or_override
from rolls.services.roll_making import NewRoll, make_from, next_id
from rules import acting
from rules.acting import Text, called
from rules.effects import Write
from rules.messages import Words
from rules.procedures import OPEN, RECOUNTED, REREAD, ROLLED, SCENE_ENDED, Asked, RollPart
from rules.table import Change, Row, Sheet


class Playing:
    """A procedure on the table of one operation."""

    def __init__(
        self, work: UnitOfWork, procedure: Procedure, row: acting.Procedure, *, override: bool = False
    ) -> None:
        self.work, self.procedure, self.override = work, procedure, override
        self.table, self.row = self._read(row)

    @property
    def standing(self) -> acting.Standing:
        return acting.Standing(self.row, self.table)

    def take(self, given: Mapping[str, Any], step: Step) -> None:
        """Take an act that can be taken, with the checked values of its form, and make the rolls that follow. Raises Invalid for
        what the rules do not allow, Blocked for what a state forbids."""
        before, act = self._stored, self.row.acts[step.act]
        target = act.target(self.row, self.table, step.target) or ()
        with or_override(self.work, "override", step.key), by_the_rules():
            known = self.table if self.work.by.is_gm else self.table.seen()
            asked = {one.name: one.read(given.get(one.name), self.row, known) for one in act.asks}
            line = self.row.take(self.table, act, target, asked)
            self.table.settle()
        typed = [text for one in act.asks if one.mark(Text) and (text := given.get(one.name))]
        whom = str(called(target[0])) if target and isinstance(target[0], Row) else ""
        if step.act == OPEN:
            tell_played(self.work, self.procedure, self.row, self.table, step, line=line, typed=typed)
            do_all(self.work, self.procedure, self._writes())
        else:
            kept = self._step(before)
            kept.save()
            tell_played(self.work, self.procedure, self.row, self.table, step, line=line, typed=typed, whom=whom)
            self.follow(kept)
        self._fire(step)

    def end_scene(self) -> None:
        """Let the procedure do what it does when the scene ends. What follows stays."""
        line = self.row.scene_ended(self.table)
        if self._stored != self.procedure.state:
            tell_played(self.work, self.procedure, self.row, self.table, Step(act=SCENE_ENDED), line=line)
            do_all(self.work, self.procedure, self._writes())

    def _fire(self, step: Step) -> None:
        """Make the rolls for which all is said, one after the other; each is a step of its own."""
        while not self.row.over and (roll := self.row.next_roll(self.table)):
            character = str(roll.ask.character) if roll.ask.character else None
            request = requested(
                self.work, self.procedure, Asked(part=RollPart(roll.part), terms={}, character=character)
            )
            throw = NewRoll(id=next_id(self.work, "roll"), client_seed=step.client_seed)
            with or_override(self.work, "override", step.key):
                made = make_from(self.work, request, roll.ask, throw, override=step.override)
            close_quietly(self.work, request)
            kept = self._step(self._stored)
            kept.roll = made
            line = self.fall(kept, made)
            tell_played(self.work, self.procedure, self.row, self.table, Step(act=ROLLED), line=line)
            self.follow(kept)

    def fall(self, kept: ProcedureStep, roll: Roll) -> Words:
        """Let the procedure go on from a roll, which has paid its costs, as a step that is kept. Return its line."""
        self.table, self.row = self._read(self.row)
        kept.before, answer = self._stored, answer_of(roll)
        with by_the_rules():
            line = self.row.on_roll(self.table, answer.part.name, answer.outcome)
            self.table.settle()
        kept.save()
        return line

    def follow(self, kept: ProcedureStep) -> None:
        """Write on sheets what a step that was told has led to, with what follows from that, so that it is undone with the
        step."""
        do_step(self.work, self.procedure, self._writes(), kept)

    def _writes(self) -> list[Write]:
        """Return what was written on sheets, as the steps of each. Raises TypeError for what is no sheet and would be lost."""
        changed = [change for change in self.table.changes() if change.row is not self.row]
        if lost := [change.row for change in changed if not isinstance(change.row, Sheet)]:
            raise TypeError(f"{self.row!r} writes what is no sheet: {lost!r}")
        return [Write(character=one.row.id, steps=tuple(_steps(one)), why=self.row.why) for one in changed]

    def _read(self, row: acting.Procedure) -> tuple[StoredTable, acting.Procedure]:
        by = actor_of(self.work.by)
        table = StoredTable(self.work.campaign, self.procedure.system, by=by, override=self.override)
        return table, table.hold(row, self.procedure.pk)

    @property
    def _stored(self) -> dict[str, Any]:
        return self.row.model_dump(mode="json", exclude={"id"})

    def _step(self, before: dict[str, Any]) -> ProcedureStep:
        return ProcedureStep(
            procedure=self.procedure, uid=another_id(self.work, f"{self.procedure.pk} step"), before=before
        )


def _steps(change: Change) -> Iterator[SheetStep]:
    """Yield the steps on a sheet that lead from how it was to how it is: a number by what was added."""
    for name, value in change.after.items():
        if value != (was := change.before[name]):
            yield Shift(name, value - was) if type(value) is int and type(was) is int else Put(name, value)


def rewind(
    work: UnitOfWork, procedure: Procedure, rules: Played, step: ProcedureStep, beside: Sequence[ProcedureStep]
) -> None:
    """Go back to how a procedure stood before a roll of it that was voided or corrected, and go on from those that count: the
    corrected one, and those `beside` it."""
    playing = Playing(work, procedure, rules.rows.model_validate(step.before))
    line: Words = ""
    if step.roll is None or step.roll.voided_at:
        step.delete()
    else:
        beside = [step, *beside]
    for one in beside:
        if one.roll:
            line = playing.fall(one, one.roll)
            playing.follow(one)
    procedure.dropped = False
    tell_played(work, procedure, playing.row, playing.table, Step(act=RECOUNTED), line=line)


def redraw(work: UnitOfWork, going_on: Iterable[Procedure]) -> None:
    """Tell those of the open procedures again that are seen otherwise since something else was written."""
    for procedure in going_on:
        rules = procedure_called(procedure.system, procedure.kind)
        if isinstance(rules, Played):
            playing = Playing(work, procedure, procedure_row(rules.rows, procedure))
            if cards_of(playing.row, playing.table, actors(work.campaign)) != procedure.cards:
                tell_played(work, procedure, playing.row, playing.table, Step(act=REREAD))
