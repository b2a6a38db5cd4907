"""Every change of a procedure: take its acts on the table as it is under the lock, make its rolls, throw its dice, adjust its
requests, record it, and write what it has led to.

Nothing here checks who may act: services/procedures.py does, and a roll has been checked as a roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from campaigns.models import ClockKind, ClockOwner, Membership, Role, Written
from campaigns.models.members import TABLE
from campaigns.models.play import Manner
from campaigns.services.clocks import Draft, make_by_rules, tick_by_rules
from campaigns.services.log import UnitOfWork
from campaigns.services.play import speak
from campaigns.services.undo import caused, note, puts_back, tell_undoable, undo
from characters import reasons
from characters.models import Character
from characters.reasons import Reason
from characters.services.cards import retire_by_rules
from characters.services.sheet_writes import get_character, get_characters, remember, take_steps, take_written
from characters.sheets.steps import Add, Put, Shift, Take
from characters.sheets.steps import Step as SheetStep
from rolls.events import REQUEST_CHANGED, ROLL_ASKED
from rolls.models import Procedure, ProcedureStep, Roll, RollRequest
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import procedure_of
from rolls.queries.table import StoredTable, procedure_row, row_of
from rolls.registry import RULESETS, procedure_called
from rolls.services.fairness import DiceRequest, Thrown, throw_dice
from rolls.services.procedure_telling import (
    Step,
    actor_in,
    actors_in,
    audience_in,
    audience_of,
    cards_of,
    tell_procedure,
)
from rolls.services.roll_context import by_the_rules, close, or_override, tell_request
from rolls.services.roll_making import NewRoll, RollOperation, make_from, next_id
from rolls.settings import roll_settings
from rolls.table_rules import falling
from rules import acting
from rules.acting import Text
from rules.dice import Dice, Faces
from rules.messages import Words, joined
from rules.procedures import (
    DROPPED,
    OPEN,
    RECOUNTED,
    REREAD,
    ROLLED,
    SCENE_ENDED,
    TAKEN_BACK,
    USED,
    Answer,
    Asked,
    RollPart,
)
from rules.table import Change, Clock, R, Row, Sheet
from scale.services.moving import extra_dice


def change(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind, step: Step) -> UUID | None:
    """Tell how a procedure stands after another change than by an act, and return what `Playing.stand` returns."""
    return Playing(work, procedure, procedure_row(rules.rows, procedure)).stand(step)


def answer_of(roll: Roll) -> Answer:
    """Return a roll as the procedure that asked for it, or began with it, is told of it."""
    asked = roll.request is not None and roll.request.procedure_id is not None
    part = RollPart.parse(roll.request.part if roll.request and asked else OPEN)
    return Answer(
        part=part,
        outcome=roll.outcome,
        terms=roll.ask,
    )


def answers_to(procedure: Procedure) -> list[Answer]:
    """Return those that were asked for, in the order in which they were first rolled."""
    counted = procedure.steps.filter(roll__voided_at=None, roll__isnull=False, before__isnull=True).select_related(
        "roll__request"
    )
    return [answer_of(step.roll) for step in counted if step.roll is not None and not step.opens]


# What a step leads to


def undo_step(work: UnitOfWork, step: ProcedureStep) -> None:
    """Undo what a step has led to. Raises Conflict if something else was written since in the same place."""
    undo(work, step.uid, reasons.TAKEN_BACK)


@puts_back("procedure")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    """Let a procedure go on that a step ended; end one that a step began, and undo what has followed from it. Its rolls stay."""
    if written.path == "over":
        other, rules = _other(work, pk)
        if other is not None and rules is not None:
            other.dropped = False
            change(work, other, rules, Step(act=TAKEN_BACK))
        return
    for step in ProcedureStep.objects.filter(procedure_id=pk, roll=None).order_by("-pk"):
        undo_step(work, step)
        step.delete()
    _end(work, pk, TAKEN_BACK)


def _end(work: UnitOfWork, pk: UUID, act: str) -> bool:
    """End another procedure. Return whether it was open until now."""
    other, rules = _other(work, pk)
    if other is None or rules is None or other.closed_at:
        return False
    drop(work, other, rules, act)
    return True


def begin_by_rules(
    work: UnitOfWork, procedure: Procedure, given: Mapping[str, Any], *, roll: Roll | None = None
) -> None:
    """Open a procedure that a roll, a sheet or another procedure leads to. `procedure` has its id, kind, stream and reason."""
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None:
        return
    procedure.campaign, procedure.opened_by, procedure.opened_at = work.campaign, work.by, work.now
    Playing(work, procedure, rules.rows()).begin(given, roll)


def drop(work: UnitOfWork, procedure: Procedure, rules: ProcedureKind, act: str = DROPPED) -> UUID | None:
    """End a procedure in its current state, and return what `Playing.stand` returns."""
    procedure.dropped = True
    return change(work, procedure, rules, Step(act=act))


def _other(work: UnitOfWork, procedure: UUID) -> tuple[Procedure | None, ProcedureKind | None]:
    found = procedure_of(work.campaign, procedure)
    return found, procedure_called(found.system, found.kind) if found else None


# Its requests


def another_id(work: UnitOfWork, name: str) -> UUID:
    """Return an id for something that a procedure makes under this name, counted within the operation. It shows nothing
    of other changes, which may be secret.
    """
    made = work.state(RollOperation).ids_made
    made[name] += 1
    return work.id(f"{name} {made[name]}")


def ask(work: UnitOfWork, procedure: Procedure, wanted: list[Asked]) -> None:
    """Requests that are open become those that are wanted."""
    parts = {one.part: one for one in wanted}
    for request in procedure.requests.filter(closed_at=None).select_related("member__user", "character"):
        asked = parts.pop(RollPart.parse(request.part), None)
        if asked is None:
            close(work, request)
            continue
        member = _whose(work, procedure, asked)
        if request.terms != asked.terms or request.member_id != member.pk:
            request.terms, request.member = asked.terms, member
            request.save(update_fields=["terms", "member"])
            tell_request(work, REQUEST_CHANGED, request)
    for asked in parts.values():
        tell_request(work, ROLL_ASKED, requested(work, procedure, asked))


def requested(work: UnitOfWork, procedure: Procedure, asked: Asked) -> RollRequest:
    return RollRequest.objects.create(
        pk=another_id(work, f"{procedure.pk} request {asked.part}"),
        campaign=work.campaign,
        member=_whose(work, procedure, asked),
        system=procedure.system,
        terms=dict(asked.terms),
        reason=procedure.reason,
        audience=audience_of(procedure),
        asked_at=work.now,
        procedure=procedure,
        part=str(asked.part),
        character=next(iter(get_characters(work, [asked.character] if asked.character else [])), None),
    )


def close_quietly(work: UnitOfWork, request: RollRequest) -> None:
    """Close a request without telling: nobody was asked, as the roll was made with it."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])


def _whose(work: UnitOfWork, procedure: Procedure, asked: Asked) -> Membership:
    """Return the character's player; else a GM: the one who opened the procedure, who acts now, or the first."""
    for character in get_characters(work, [asked.character] if asked.character else []):
        for player in character.players:
            if player.left_at is None:
                return player
    for member in (procedure.opened_by, work.by):
        if member.is_gm and member.left_at is None:
            return member
    gms = Membership.objects.active().filter(campaign=work.campaign, role=Role.GM).select_related("user")
    return gms.order_by("pk")[0]


# A procedure on the table of one operation.


class OperationTable(StoredTable):
    """The table of one operation, on which dice can fall: all that a step throws is one throw. It is that of a step of a
    `procedure`, or, without one, of what follows from sheets (`settle_sheets`); what begins is told in `stream`."""

    def __init__(
        self,
        work: UnitOfWork,
        system: str,
        procedure: Procedure | None = None,
        *,
        stream: str = TABLE,
        override: bool = False,
    ) -> None:
        super().__init__(work.campaign, system, by=actor_in(work), override=override)
        self.work, self.procedure, self.client_seed = work, procedure, ""
        self.stream = procedure.stream if procedure else stream
        self.thrown: Thrown | None = None

    @property
    def in_scene(self) -> bool:
        return self.work.scene is not None

    def _load_all(self, kind: type[R]) -> Iterable[R]:
        """Yield those of a kind that there are, and that were there until this operation ended them."""
        yield from super()._load_all(kind)
        for ended in self.work.state(RollOperation).ended:
            row = self._procedure(ended) if ended.closed_at and ended.system == self.system else None
            if row and isinstance(row, kind):
                row.over = True
                yield row

    def _characters(self, **only: str) -> Iterable[Character]:
        """Return the same objects that the operation writes on, which are read once in it."""
        read = self.work.state(RollOperation).characters
        if self.system not in read:
            there = self._stored_characters().select_related("owner__user")
            read[self.system] = [remember(self.work, one) for one in there]
        return [one for one in read[self.system] if not only or str(one.pk) == only["pk"]]

    def add(self, row: Row) -> None:
        row.id = str(self._new_id("clock"))
        super().add(row)

    def extra_dice(self, who: str, rolls: str) -> int:
        """Return the dice that Burns put into the next roll of this kind of a character, as far as its readers may know."""
        audience, settings = audience_in(self.stream), roll_settings(self.work.campaign)
        there = get_characters(self.work, [who] if who else [])
        fallings = (falling(self.work.campaign, one, self.system, rolls, audience, settings) for one in there)
        return sum(map(extra_dice, fallings))

    def settle_sheets(self, written: Iterable[Character]) -> None:
        """Do what follows from sheets that were written beside this table: by hand, or as the cost of a roll."""
        kinds = {kind.sheet: kind for kind in RULESETS[self.system].rows}
        for one in written:
            if kind := kinds.get(one.rules.name):
                if str(one.pk) not in self._rows:
                    self._hold(kind.model_validate(row_of(kind, one)))
                self._rows[str(one.pk)].settle(self)
        self.settle()

    def store(self, why: Reason = acting.Procedure.why, *, beside: Row | None = None) -> bool:
        """Write what was written on the table and said, `beside` a row that is stored otherwise. Return whether that is anything.
        Whoever acts may cause all that the rules let follow: the winner's press hurts the loser of a contest. Raises Invalid or
        Conflict where it cannot be."""
        changed = [change for change in self.changes() if change.row is not beside]
        (begun, self.begun), (said, self.said) = (self.begun, []), (self.said, [])
        for change in changed:
            self._store(change, change.why or why)
        for rows, given in begun:
            self._begin(rows, given)
        for words in said:
            spoken = speak(self.work, Manner.NARRATION if self.work.by.is_gm else Manner.PLAYER, words)
            note(self.work, f"said:{spoken.uid}")
        return bool(changed or begun or said)

    def _store(self, change: Change, why: Reason) -> None:
        """Write a row. Raises TypeError for what would be lost."""
        row, before, work = change.row, change.before, self.work
        match row:
            case Sheet():
                character = get_character(work, Character(pk=UUID(row.id)))
                take_steps(work, character, [*_steps(change)], why=why, follows=self.procedure is None)
                if before["in_play"] and not row.in_play:
                    retire_by_rules(work, character, dead=row.dead)
            case Clock():
                if change.new:
                    owner = Character(pk=UUID(row.whose)).subject.key if row.whose else ClockOwner.GM.value
                    draft = Draft(row.name, row.segments, ClockKind(row.kind), owner=owner)
                    make_by_rules(work, UUID(row.id), draft, filled=before["filled"])
                if ticks := change.after["filled"] - before["filled"]:
                    tick_by_rules(work, UUID(row.id), ticks)
            case acting.Procedure(over=True):
                if _end(work, UUID(row.id), USED):
                    note(work, f"procedure:{row.id}", "over", before=[False], after=[True])
            case _:
                raise TypeError(f"{self.procedure!r} writes what would be lost: {row!r}")

    def _begin(self, rows: type[Row], given: Mapping[str, Any]) -> None:
        kind = next(name for name, kind in RULESETS[self.system].procedures.items() if kind.rows is rows)
        new = Procedure(pk=self._new_id(kind), system=self.system, kind=kind, stream=self.stream)
        begin_by_rules(self.work, new, given)
        self.__dict__.pop("_under_way", None)  # there is one more now
        note(self.work, f"procedure:{new.pk}", after=[True])

    def _new_id(self, what: str) -> UUID:
        return another_id(self.work, f"{self.procedure.pk if self.procedure else 'sheet'} {what}")

    def _fall(self, dice: Dice) -> Faces:
        if self.thrown is None:
            throw = DiceRequest(
                campaign=self.work.campaign.pk,
                actor=self.work.by.number,
                id=next_id(self.work, "dice"),
                spec=dice.spec,
                client_seed=self.client_seed,
            )
            self.thrown = throw_dice(self.work, throw, audience_in(self.stream))
        return self.thrown


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
        target = act.target(self.row, self.table, [*map(str, step.target)]) or ()
        whom = str(self.row.party(self.table, str(step.target[0]))[0]) if step.target else ""
        self.table.client_seed = step.client_seed
        with or_override(self.work, "override", step.key), by_the_rules():
            known = self.table if self.work.by.is_gm else self.table.seen()
            asked = {one.name: one.read(given.get(one.name), self.row, known, target) for one in act.asks}
            line = self.row.take(self.table, act, target, asked)
            self._settle()
        typed = [text for one in act.asks if one.mark(Text) and (text := given.get(one.name))]
        kept = self._step(None)
        if step.act != OPEN:
            kept.before = before
            kept.save()
        self._go_on(kept, step, line, typed=typed, whom=whom)

    def begin(self, given: Mapping[str, Any], roll: Roll | None = None) -> None:
        """Begin a procedure by the rules, or with a roll that has fallen."""
        self._go_on(self._step(roll), Step(act=OPEN), self._open(given))

    def begin_again(self, given: Mapping[str, Any], kept: ProcedureStep) -> None:
        """Begin it again from a corrected roll, in place of the step with which it began."""
        line = self._open(given)
        self.procedure.dropped = False
        self._tell(Step(act=RECOUNTED), line)
        self.follow(kept)

    def count(self, kept: ProcedureStep) -> None:
        """Go on from a roll that it asked for, which the step `kept` has."""
        kept.procedure, kept.uid = self.procedure, another_id(self.work, f"{self.procedure.pk} step")
        kept.save()
        line = self._counted(again=False)
        self._go_on(kept, Step(act=ROLLED), line)

    def stand(self, step: Step) -> UUID | None:
        """Tell how it stands after another change than by an act: a step undone, a roll voided or corrected, its end by a
        GM. Return the uid of the line."""
        line = self._counted(again=step.act == RECOUNTED)
        if step.act != RECOUNTED:
            line = self.row.used(self.table) if step.act == USED else self.row.stands(self.table) or line
        told = self._tell(step, line)
        self._store()
        self._ask()
        return told

    def tell_again(self, line: Words, counted: Sequence[ProcedureStep]) -> None:
        """Tell how it stands once the rolls that are counted were made again, with the line of the last."""
        self._settle()
        told = self._tell(Step(act=RECOUNTED), line or self.row.stands(self.table))
        for kept in counted:
            self._tell_undoable(kept, told)
        self._store()
        self._ask()

    def end_scene(self) -> None:
        """Let the procedure do what it does when the scene ends. What follows stays."""
        before, line = self._stored, self.row.scene_ended(self.table)
        if self._stored != before:
            self._settle()
            self._tell(Step(act=SCENE_ENDED), line)
            self._store()
            self._ask()

    def redraw(self) -> None:
        """Do what follows from what else was written, and tell the procedure again if it is seen otherwise since."""
        before = self._stored
        with by_the_rules():
            self._settle()
        if self._stored != before or cards_of(self.row, self.table, actors_in(self.work)) != self.procedure.cards:
            self._tell(Step(act=REREAD), "")
        self._store()
        self._ask()

    def _open(self, given: Mapping[str, Any]) -> Words:
        with by_the_rules():
            line = self.row.take(self.table, self.row.acts[OPEN], (), given)
            self._settle()
        return line

    def _settle(self) -> None:
        self.row.settle(self.table)
        self.table.settle()

    def _counted(self, *, again: bool) -> Words:
        """Count the rolls that it asked for, as they are now. Return the line that says so."""
        if type(self.row).on_answers is acting.Procedure.on_answers:
            self._settle()
            return ""
        with by_the_rules():
            self.row.on_answers(self.table, answers_to(self.procedure))
            self._settle()
        return self.row.told_rolls(self.table, again=again)

    def _go_on(self, kept: ProcedureStep, step: Step, line: Words, **told: Any) -> None:
        """Tell a step, write what it has led to, and go on with rolls and requests."""
        uid = self._tell(step, line, **told)
        if kept.opens and not kept.pk:
            if self.follow(kept) or kept.roll:
                kept.save()  # a procedure that was only opened has no step to be taken back
        else:
            self._tell_undoable(kept, uid)
            self.follow(kept)
        self._fire(step)
        self._ask()

    def _tell_undoable(self, kept: ProcedureStep, told: UUID | None) -> None:
        """Have its line offer to undo a step; where the procedure says nothing of a roll, the roll's own."""
        if told is None and kept.roll and kept.roll.event:
            told = kept.roll.event.uid
        tell_undoable(self.work, kept.uid, f"procedure:{self.procedure.pk}", told)

    def _tell(self, step: Step, line: Words, **told: Any) -> UUID | None:
        followed, self.table.told = self.table.told, []
        thrown, self.table.thrown = self.table.thrown, None
        gms, self.table.gms_line = self.table.gms_line or line, ""
        lines = [joined(" ", filter(None, (one, *followed))) if followed else one for one in (line, gms)]
        return tell_procedure(self.work, self.procedure, self.row, self.table, step, lines=lines, thrown=thrown, **told)

    def _fire(self, step: Step) -> None:
        """Make the rolls for which all is said, one after the other; each is a step of its own."""
        while not self.procedure.closed_at and (roll := self.row.next_roll(self.table)):
            character = str(roll.ask.character) if roll.ask.character else None
            asked = Asked(part=RollPart.parse(roll.part), terms=roll.terms, character=character)
            request = requested(self.work, self.procedure, asked)
            throw = NewRoll(id=next_id(self.work, "roll"), client_seed=step.client_seed)
            with or_override(self.work, "override", step.key):
                made = make_from(self.work, request, roll.ask, throw, override=step.override)
            close_quietly(self.work, request)
            kept = self._step(made)
            line = self.fall(kept, made)
            self._tell_undoable(kept, self._tell(Step(act=ROLLED), line))
            self.follow(kept)

    def fall(self, kept: ProcedureStep, roll: Roll) -> Words:
        """Let the procedure go on from a roll, which has paid its costs, as a step that is kept. Return its line."""
        self.table, self.row = self._read(self.row)
        kept.before, answer = self._stored, answer_of(roll)
        with by_the_rules():
            line = self.row.on_roll(self.table, str(answer.part), answer.outcome)
            self._settle()
        kept.save()
        return line

    def follow(self, kept: ProcedureStep) -> bool:
        """Write what a step that was told has led to, with what follows from sheets as they are then, so that it is undone
        with the step. Return whether that is anything."""
        with caused(self.work, kept.uid):
            self.table.settle_sheets(take_written(self.work, self.procedure.system))
            return self._store()

    def _ask(self) -> None:
        if type(self.row).requests is not acting.Procedure.requests:
            ask(self.work, self.procedure, [] if self.procedure.closed_at else [*self.row.requests(self.table)])

    def _store(self) -> bool:
        return self.table.store(self.row.why, beside=self.row)

    def _read(self, row: acting.Procedure) -> tuple[OperationTable, acting.Procedure]:
        table = OperationTable(self.work, self.procedure.system, self.procedure, override=self.override)
        return table, table.hold(row, self.procedure.pk)

    @property
    def _stored(self) -> dict[str, Any]:
        return self.row.model_dump(mode="json", exclude={"id"})

    def _step(self, roll: Roll | None) -> ProcedureStep:
        uid = another_id(self.work, f"{self.procedure.pk} step")
        return ProcedureStep(procedure=self.procedure, uid=uid, roll=roll)


OF_CARDS = frozenset(Sheet.model_fields)
"""The fields of a row that are none of the sheet's."""


def _steps(change: Change) -> Iterator[SheetStep]:
    """Yield the steps on a sheet that lead from how it was to how it is: a number by what was added, a list row by row."""
    for name, value in change.after.items():
        was = change.before[name]
        if value == was or name in OF_CARDS:
            continue
        if isinstance(value, dict):
            yield from _row_steps(name, was, value)
        else:
            yield Shift(name, value - was) if type(value) is int and type(was) is int else Put(name, value)


def _row_steps(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[SheetStep]:
    for gone in before.keys() - after.keys():
        yield Take(name, gone)
    for key, row in after.items():
        if (was := before.get(key)) is None:
            yield Add(name, {column: value for column, value in row.items() if column != "id"})
        else:
            yield from (Put(f"{name}/{key}/{column}", row[column]) for column in row if row[column] != was[column])


def rewind(
    work: UnitOfWork, procedure: Procedure, rules: ProcedureKind, step: ProcedureStep, beside: Sequence[ProcedureStep]
) -> None:
    """Go back to how a procedure stood before a roll of it that was voided or corrected, and go on from those that count: the
    corrected one, and those `beside` it."""
    playing = Playing(work, procedure, rules.rows.model_validate(step.before))
    line: Words = ""
    if step.roll is None or step.roll.voided_at:
        if step.roll:
            playing.row.undo_roll(playing.table, str(answer_of(step.roll).part))
        step.delete()
    else:
        beside = [step, *beside]
    for one in beside:
        if one.roll:
            line = playing.fall(one, one.roll)
            playing.follow(one)
    procedure.dropped = False
    playing.tell_again(line, beside)


def redraw(work: UnitOfWork, going_on: Iterable[Procedure]) -> None:
    """Let those of the open procedures follow what else was written, and tell them again where they are seen otherwise."""
    for procedure in going_on:
        rules = procedure_called(procedure.system, procedure.kind)
        if rules:
            Playing(work, procedure, procedure_row(rules.rows, procedure)).redraw()
