"""Every write to a sheet: the new value in its column or row, and an event for each change.

An operation's writes on a sheet are recorded at its end, when their meaning is known (characters/figures.py): one event has
the line that says it, and those that it covers have none. An event about a field or a row goes to the streams of those who
may see it, under one uid. Its subjects are the character and, for the history, the field (and its row), each by its address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound, existing
from campaigns.kinds import EventKind
from campaigns.models.log import Subject
from campaigns.models.undo import Written
from campaigns.services.log import UnitOfWork, last_actor
from campaigns.services.undo import caused, note, puts_back, tell_undoable
from characters.events import FIELD_CHANGED, ROW_ADDED, ROW_REMOVED
from characters.figures import State as StateChange
from characters.models import Character, SheetRow, State, character_of
from characters.models.values import VALUE_COLUMNS
from characters.reasons import LIMITED, ClaimReason, Reason, Why
from characters.rulesets import figures_of, states_between
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Number, RowGone, Rows, SheetError, Value, Visibility
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put, Shift, Step
from characters.sheets.told import title

# The character that an operation is about, as it is under the lock, for those who may do it.


@dataclass(frozen=True)
class SheetChange:
    """One write on a sheet, as its event will have it."""

    kind: EventKind
    payload: dict[str, Any]
    visibility: Visibility
    address: str
    subjects: list[Subject]

    @property
    def name(self) -> str:
        """Return the name of the field, or of the list that the row is in."""
        return self.address.partition("/")[0]


@dataclass
class SheetChanges:
    """The writes on one sheet so far, and the earlier values of its open part."""

    character: Character
    before: Values
    changes: list[SheetChange] = field(default_factory=list)


@dataclass
class SheetOperation:
    """The characters that an operation has read, and its writes on their sheets."""

    read: dict[UUID, Character] = field(default_factory=dict)
    """Characters as they are under the lock: for all of the operation the same objects."""
    written: dict[UUID, Character] = field(default_factory=dict)
    """Characters written on since their follow-up rules were last checked."""
    untold: dict[UUID, SheetChanges] = field(default_factory=dict)
    by_hand: bool = False
    """Whether somebody writes by hand: what follows from that is undone with it."""
    rows_added: Counter[tuple[UUID, str]] = field(default_factory=Counter)
    """The number of rows added by steps, by character and list, to derive their ids."""


def get_character(work: UnitOfWork, character: Character) -> Character:
    """Return a character of this campaign as it is under the lock: the same object throughout an operation. Deleted
    ones are included, since their rolls can be voided. Raises NotFound.
    """
    read = work.state(SheetOperation).read
    if character.pk not in read:
        current = existing(character_of(work.campaign, character.pk))
        remember(work, current)
    return read[character.pk]


def get_characters(work: UnitOfWork, ids: Iterable[str]) -> list[Character]:
    """Return those of these characters that are of this campaign, by name, as `get_character` does: with one query for
    all that were not read yet.
    """
    read, wanted = work.state(SheetOperation).read, {UUID(pk) for pk in ids}
    if missing := wanted - read.keys():
        characters = Character.objects.filter(campaign=work.campaign, pk__in=missing).select_related("owner__user")
        for character in characters.order_by():
            remember(work, character)
    return sorted((read[pk] for pk in wanted & read.keys()), key=lambda character: (character.name, character.pk))


def remember(work: UnitOfWork, character: Character) -> Character:
    """Have `get_character` return a character that was read otherwise under the lock, with its owner's account. Return the one
    that it returns from now on."""
    character.campaign = work.campaign
    return work.state(SheetOperation).read.setdefault(character.pk, character)


def get_writable(work: UnitOfWork, character: Character) -> Character:
    """Return the character as it is under the lock, if the member may write in it. Raises NotFound for a deleted one,
    and for a hidden NPC to all but GMs; Forbidden for somebody else's.
    """
    current = get_character(work, character)
    if not current.known_to(work.by):
        raise NotFound
    if not current.written_by(work.by):
        raise only_players(current)
    return current


def only_players(character: Character) -> Forbidden:
    """Return the error for everyone but the GMs and this character's players."""
    return Forbidden(_("Only the GM and {name}’s players can do that.").format(name=character.name))


def in_play(character: Character, field: str | None = None) -> None:
    """Raise Invalid for who has left play."""
    if character.state is State.RETIRED:
        raise Invalid(_("{name} has retired. Restore them first.").format(name=character.name), field=field)
    if character.state is State.DEAD:
        raise Invalid(_("{name} is dead. Restore them first.").format(name=character.name), field=field)


@dataclass(frozen=True)
class ChangeReason:
    """Why a sheet changes; `by_hand` if someone edits it, rather than by a roll; `undoes` is the cause of what
    is undone, `follows` the address of the field that it follows; `quiet` if another event's line says it.
    """

    why: Why = ""
    by_hand: bool = False
    undoes: str = ""
    follows: str = ""
    quiet: bool = False

    def payload(self) -> dict[str, Any]:
        return {
            "why": self.why if isinstance(self.why, str) else "",
            "cause": self.why.code if isinstance(self.why, Reason) else "",
            "claimed": self.why.payload() if isinstance(self.why, ClaimReason) else None,
            "by_hand": self.by_hand,
            "undoes": self.undoes,
            "follows": self.follows,
            "quiet": self.quiet or (isinstance(self.why, Reason) and self.why.quiet),
        }


def by_hand(work: UnitOfWork) -> AbstractContextManager[None]:
    """Keep what is written inside, and what follows from it by the rules, as one change of who acts, who may undo it."""
    work.state(SheetOperation).by_hand = True
    return caused(work, work.key, by=work.by)


def write(
    work: UnitOfWork, character: Character, address: str, value: Value, cause: ChangeReason, *, counts: bool = False
) -> None:
    """Put a value into a sheet, lower what may not exceed it, and record each field that changed. What `counts` is undone by the
    difference, and noted even if that is 0. Raises SheetError."""
    before, figures = character.value(address), figures_of(character)
    if value == before:
        if counts:
            note(work, f"sheet:{character.pk}", address, before=[before], after=[before], added=0)
        return
    _begin(work, character)
    if character.field(address) is DISPOSITION:
        character.disposition = int(value)
        changed = [(address, before)]
    else:
        changed = _put(character, address, value)
    if character.place(address).rows is None:
        character.save(update_fields=VALUE_COLUMNS)
    else:
        save_rows(character)
    for name, was in changed:
        why = cause if name == address else ChangeReason(LIMITED, follows=address)
        _tell_field(work, character, name, was, why, _new_figures(character, figures))
    for name, was in reversed(changed):  # undone in the other order: what was lowered finds its room again
        now = character.value(name)
        added = character.number(name) - int(was) if counts or name != address else None
        note(work, f"sheet:{character.pk}", name, before=[was], after=[now], added=added)


def write_row(
    work: UnitOfWork,
    character: Character,
    rows: Rows,
    row_id: str,
    given: dict[str, Any],
    cause: ChangeReason,
    at: int | None = None,
) -> None:
    """Put a row more into a sheet. Raises SheetError."""
    figures = figures_of(character)
    _begin(work, character)
    character.hold(character.rules.add_row(character.values, rows.name, row_id, given, at))
    save_rows(character)
    row = character.rules.row(character.values, rows.name, row_id)
    payload = {"row": character.told_row(rows, row_id), "at": row["at"], "title": row[rows.title]}
    payload["figures"] = _new_figures(character, figures)
    _tell_row(work, character, ROW_ADDED, rows, row_id, payload | cause.payload())
    note(work, f"sheet:{character.pk}", row_address(rows.name, row_id), after=[row])


def erase_row(work: UnitOfWork, character: Character, rows: Rows, row_id: str, cause: ChangeReason) -> None:
    """Remove a row from a sheet; the event keeps its values. Raises RowGone."""
    row, figures = character.rules.row(character.values, rows.name, row_id), figures_of(character)
    _begin(work, character)
    character.hold(character.rules.remove_row(character.values, rows.name, row_id))
    save_rows(character)
    held = {column.name: row[column.name] for column in rows.columns}
    payload = {"row": {"id": row_id, "values": held}, "at": row["at"], "title": row[rows.title]}
    payload["figures"] = _new_figures(character, figures)
    _tell_row(work, character, ROW_REMOVED, rows, row_id, payload | cause.payload())
    note(work, f"sheet:{character.pk}", row_address(rows.name, row_id), before=[row])


def sheet_written(work: UnitOfWork, character: Character) -> None:
    """Have it looked for what follows from this sheet by the rules, at the latest before the commit."""
    work.state(SheetOperation).written[character.pk] = character


def take_written(work: UnitOfWork, system: str) -> list[Character]:
    """Return the characters of a system whose sheets were written since the last call for it."""
    written = work.state(SheetOperation).written
    return [written.pop(pk) for pk in [pk for pk, one in written.items() if one.system == system]]


def row_address(rows: str, row_id: str) -> str:
    """Return the address of a row, by which its history is found."""
    return f"{rows}/{row_id}"


def _new_figures(character: Character, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [figure for figure in figures_of(character) if figure not in before]


def _put(character: Character, address: str, value: Value) -> list[tuple[str, Value]]:
    """Set a value. Return the fields that changed by it, each with its old value."""
    leaning = [field.name for field in character.rules.capped_by(address)]
    was = {name: character.value(name) for name in (address, *leaning)}
    character.hold(character.rules.put(character.values, address, value))
    return [(name, before) for name, before in was.items() if character.value(name) != before]


def _tell_field(
    work: UnitOfWork,
    character: Character,
    address: str,
    before: Value,
    cause: ChangeReason,
    figures: list[dict[str, Any]],
) -> None:
    place, cell = character.place(address), character.told(address)
    payload = {
        "character": character.ref,
        "sheet": character.rules.name,
        "cell": cell,
        # The field that is drawn with as many marks as this one counts, as far as the same people see it.
        "also": [character.told(capped.name) for capped in character.rules.capped_by(address)],
        "before": before,
        "after": cell["value"],
        # They follow from the open sheet, which not all see who see a card, nor all fields that change.
        "figures": figures if place.visibility is Visibility.SHEET else [],
        **cause.payload(),
    }
    subjects = [character.subject, character.field_subject(address)]
    if place.rows is not None:
        subjects.append(character.field_subject(row_address(place.rows.name, place.row)))
    _record(work, character, FIELD_CHANGED, payload, place.visibility, address, subjects)


def _tell_row(
    work: UnitOfWork, character: Character, kind: EventKind, rows: Rows, row_id: str, row_payload: dict[str, Any]
) -> None:
    payload = {"character": character.ref, "sheet": character.rules.name, "rows": rows.name, **row_payload}
    address = row_address(rows.name, row_id)
    subjects = [
        character.subject,
        character.field_subject(rows.name),
        character.field_subject(address),
    ]
    _record(work, character, kind, payload, rows.visibility, address, subjects)


def _record(
    work: UnitOfWork,
    character: Character,
    kind: EventKind,
    payload: dict[str, Any],
    visibility: Visibility,
    address: str,
    subjects: list[Subject],
) -> None:
    _begin(work, character).changes.append(SheetChange(kind, payload, visibility, address, subjects))


def _begin(work: UnitOfWork, character: Character) -> SheetChanges:
    """Remember the sheet's values before anything is written there."""
    sheet_written(work, character)
    untold = work.state(SheetOperation).untold
    if character.pk not in untold:
        untold[character.pk] = SheetChanges(character, character.sheet)
    return untold[character.pk]


def tell_sheets(work: UnitOfWork) -> bool:
    """Record the changes of sheets once all are made (settings.BEFORE_COMMIT)."""
    operation = work.state(SheetOperation)
    untold, operation.untold = operation.untold, {}
    for changes in untold.values():
        _tell(work, changes)
    return bool(untold)


def _tell(work: UnitOfWork, written: SheetChanges) -> None:
    character = written.character
    states = states_between(character.rules.name, written.before, character.sheet)
    covered = {name for state in states for name in state.covers}
    told = None
    spoken = [change for change in written.changes if change.visibility is Visibility.SHEET and change.name in covered]
    for change in written.changes:
        says = states if change in spoken[-1:] else ()
        quiet = change.payload["quiet"] or change in spoken[:-1]
        payload = {**change.payload, "states": _told(says), "quiet": quiet}
        for stream in character.streams(change.visibility):
            discriminator = f"{character.pk} {change.address}"
            event = work.record(
                change.kind, payload, stream=stream, subjects=change.subjects, discriminator=discriminator
            )
            told = told if quiet else event.uid
    if told and any(change.payload["by_hand"] for change in written.changes):
        tell_undoable(work, work.key, f"sheet:{character.pk}", told)


def _told(states: Sequence[StateChange]) -> list[dict[str, Any]]:
    return [{"code": state.code, "values": list(state.values)} for state in states]


COMPARED = ("position", "visibility", "values")


def save_rows(character: Character) -> None:
    """Store the rows that a character holds: new ones, those that changed, and none that are gone. Raises Conflict where a row is
    not as it was read any more, as its version says; nothing is to be kept then."""
    stored = {_place(row): row for row in character.stored_rows}
    rows, added = [], []
    for held in character.held_rows():
        row = stored.pop(_place(held), None)
        if row is None:
            added.append(held)
        elif changes := {name: getattr(held, name) for name in COMPARED if getattr(held, name) != getattr(row, name)}:
            _change(row, changes)
        rows.append(row or held)
    for row in stored.values():
        _compared(_as_read(row).delete()[0])
    SheetRow.objects.bulk_create(added)
    character.stored_rows = rows


def _place(row: SheetRow) -> tuple[int | None, str, str]:
    return row.owner_id, row.group, row.uid


def _change(row: SheetRow, changes: dict[str, object]) -> None:
    _compared(_as_read(row).update(**changes, version=row.version + 1))
    for name, value in changes.items():
        setattr(row, name, value)
    row.version += 1


def _as_read(row: SheetRow) -> QuerySet[SheetRow]:
    return SheetRow.objects.filter(pk=row.pk, version=row.version)


def _compared(changed: int) -> None:
    if not changed:
        raise Conflict(_("Someone changed this row first."))


# Several writes on a sheet in one operation, and undoing them.


def take_steps(
    work: UnitOfWork,
    character: Character,
    steps: Sequence[Step],
    *,
    why: Why,
    follows: bool = False,
    quiet: bool = False,
) -> None:
    """Write each step on the sheet of a character as it is under the lock.

    What `follows` from what the operation wrote by hand is undone with that. They are `quiet` where another event's line says
    them. Raises Invalid for impossible values, Conflict for a row that is gone.
    """
    hand = by_hand(work) if follows and work.state(SheetOperation).by_hand else nullcontext()
    with refusing(character), hand:
        for step in steps:
            _step(work, character, step, ChangeReason(why, quiet=quiet))


def _step(work: UnitOfWork, character: Character, step: Step, cause: ChangeReason) -> None:
    if isinstance(step, Put):
        wanted = character.clean_value(step.address, step.to)
        write(work, character, step.address, wanted, cause, counts=step.counts)
    elif isinstance(step, Shift):
        before = character.number(step.address)
        most = before + step.by if step.most is None else min(before + step.by, max(before, step.most))
        write(work, character, step.address, _as_far_as_it_goes(character, step.address, most), cause, counts=True)
    elif isinstance(step, Add):
        added = work.state(SheetOperation).rows_added
        added[character.pk, step.rows] += 1
        row_id = work.id(f"{character.pk} {step.rows} step {added[character.pk, step.rows]}").hex
        write_row(work, character, character.rules.rows_called(step.rows), row_id, dict(step.given), cause)
    else:
        erase_row(work, character, character.rules.rows_called(step.rows), step.row_id, cause)


def _as_far_as_it_goes(character: Character, address: str, wanted: int) -> int:
    """Return a number within what its field can hold. Raises Invalid for a field that holds no number."""
    field = character.field(address)
    if not isinstance(field, Number):
        raise Invalid(_("{field} is not a number.").format(field=character.label(address)), field=address)
    most = min(field.maximum, character.number(field.ceiling)) if field.ceiling else field.maximum
    return max(field.minimum, min(most, wanted))


@puts_back("sheet")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Why) -> None:
    character, cause = get_character(work, Character(pk=pk)), ChangeReason(why, undoes=str(written.cause))
    with refusing(character):
        if written.path.count("/") == 1:
            _put_row_back(work, character, written, cause)
        elif written.path != DISPOSITION.name or character.is_npc:  # it may belong to a player by now
            _put_field_back(work, character, written, cause)


def _put_row_back(work: UnitOfWork, character: Character, written: Written, cause: ChangeReason) -> None:
    group, row_id = written.path.split("/")
    rows = character.rules.rows_called(group)
    for row in written.after:
        if character.rules.row(character.values, group, row_id) != row:
            raise changed_since(character, written)
        erase_row(work, character, rows, row_id, cause)
    for row in written.before:
        columns = {name: value for name, value in row.items() if name not in ("id", "at")}
        write_row(work, character, rows, row_id, columns, cause, at=row["at"])


def _put_field_back(work: UnitOfWork, character: Character, written: Written, cause: ChangeReason) -> None:
    address, (to,) = written.path, written.before
    if written.added is not None:
        to = _as_far_as_it_goes(character, address, character.number(address) - written.added)
    elif character.value(address) not in (*written.before, *written.after):
        raise changed_since(character, written)
    write(work, character, address, character.clean_value(address, to), cause)


def changed_since(character: Character, written: Written) -> Conflict:
    """Return the error for what somebody has written over since: with the value as it is now and who wrote it."""
    address, current = written.path, None
    if address.count("/") == 1:
        rows = character.rules.rows_called(address.split("/")[0])
        what = f"“{title(rows, [*written.after, *written.before][0][rows.title])}”"
    else:
        what, current = character.label(address), character.value(address)
    by = last_actor(character.campaign, character.field_subject(address).key)
    if by:
        message = _("{who} has changed {what} since, so this can’t be undone.").format(who=by, what=what)
    else:
        message = _("{what} has changed since, so this can’t be undone.").format(what=what)
    return Conflict(message, field=address, current=current, by=by)


@contextmanager
def refusing(character: Character) -> Iterator[None]:
    """Raise a SheetError inside as Invalid, and one about a row that is gone as Conflict."""
    try:
        yield
    except RowGone:
        raise Conflict(_("This is no longer on {name}’s sheet.").format(name=character.name)) from None
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
