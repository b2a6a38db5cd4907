"""Tables that GMs write and roll on, in the open or in secret (rules/roll_tables.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _

from campaigns.errors import Invalid, NotFound, existing
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork, compare_and_set, service, version
from rolls.events import TABLE_CHANGED, TABLE_ROLLED
from rolls.models import Audience, RollTable
from rolls.services.fairness import DiceRequest, Thrown, throw_dice
from rolls.services.roll_context import by_the_rules
from rolls.services.roll_making import witness_told
from rules import roll_tables as rules
from rules.dice import Dice, Faces


def tables_of(campaign: Campaign) -> dict[str, tuple[RollTable, rules.RollTable]]:
    """Return a campaign's tables as rows and as their rules read them, by the names under which they are looked for."""
    rows = RollTable.objects.filter(campaign=campaign)
    return {rules.known_as(row.name): (row, rules.read_table(row.name, row.dice, row.lines)) for row in rows}


@service(Role.GM)
def write_table(
    work: UnitOfWork, table: RollTable | None, *, name: str, dice: str, lines: str, expected: str = "", key: UUID
) -> RollTable:
    """Make a table, or rewrite one that was as `expected` (table_version). Raises Invalid for lines that can't be read, a name
    that another table has, and tables that lead back to themselves; Conflict if it was changed since.
    """
    current = _existing(work, table) if table else RollTable(id=work.key, campaign=work.campaign, made_at=work.now)
    before = written(current) if table else None
    if table:
        compare_and_set(work.campaign, _subject(current), expected=expected, current=written(current))
    there = tables_of(work.campaign)
    others = {known: read for known, (row, read) in there.items() if row.pk != current.pk}
    if rules.known_as(name) in others:
        raise Invalid(_("There’s already a table called {name}.").format(name=name), field="name")
    if len(others) >= RollTable.MOST:
        raise Invalid(_("A campaign has {most} tables at most. Delete one first.").format(most=RollTable.MOST))
    with by_the_rules():
        read = rules.read_table(name, dice, lines)
        rules.check({**others, rules.known_as(name): read})
    current.name, current.dice, current.lines = name, dice, lines
    if written(current) != before:
        current.save(force_insert=table is None)
        _tell(work, current, before=before, after=written(current))
    return current


@service(Role.GM)
def take_tables(work: UnitOfWork, tables: Sequence[RollTable], *, key: UUID) -> None:
    """Copy tables from other campaigns in which one is a GM. Raises NotFound for others, and else as `write_table` does."""
    wanted = {table.pk for table in tables}
    there = list(tables_elsewhere(work.by).filter(pk__in=wanted))
    if len(there) < len(wanted):
        raise NotFound
    for table in there:
        work.part(write_table, None, **written(table))


def tables_elsewhere(by: Membership) -> models.QuerySet[RollTable]:
    """Return the tables of other campaigns in which a person is a GM, by campaign."""
    led = Membership.objects.leading_elsewhere(by).values("campaign")
    tables = RollTable.objects.filter(campaign__in=led).select_related("campaign")
    return tables.order_by("campaign__name", "campaign", "name", "id")


@service(Role.GM)
def delete_table(work: UnitOfWork, table: RollTable, *, key: UUID) -> None:
    """Delete a table. Where others name it, its name stays as words."""
    current = _existing(work, table)
    _tell(work, current, before=written(current))
    current.delete()


@service(Role.GM, plays=True)
def roll_table(
    work: UnitOfWork, table: RollTable, *, audience: Audience = Audience.TABLE, client_seed: str = "", key: UUID
) -> Event:
    """Roll on a table and on those that its result names, for everyone or only for GMs. Return the event of the first."""
    current, there = _existing(work, table), tables_of(work.campaign)
    read = {known: table for known, (_row, table) in there.items()}
    work.card = work.key
    throws: list[tuple[UUID, Thrown]] = []

    def throw(dice: Dice) -> Faces:
        new = work.id(f"table {len(throws)}") if throws else work.key
        asked = DiceRequest(
            campaign=work.campaign.pk, actor=work.by.number, id=new, spec=dice.spec, client_seed=client_seed
        )
        throws.append((new, throw_dice(work, asked, audience)))
        return throws[-1][1]

    results = rules.roll(read[rules.known_as(current.name)], read, throw)
    stream = TABLE if audience is Audience.TABLE else GM
    events: list[Event] = []
    for result, (new, thrown) in zip(results, throws, strict=True):
        row = there[rules.known_as(result.table.name)][0]
        sides = result.table.dice.dice.die.sides
        payload = {
            "roll": str(new),
            "of": str(work.key) if events else None,
            "table": row.ref,
            "who": person(work.by),
            "audience": audience.value,
            "dice": [{"face": face, "sides": sides} for face in result.faces],
            "number": result.number,
            "text": result.text,
            "proof": thrown.proof,
            "witness": witness_told(thrown.proof, audience, work.by),
        }
        events.append(work.record(TABLE_ROLLED, payload, stream=stream, subjects=[_subject(row)]))
    return events[0]


def table_version(table: RollTable) -> str:
    """Return the `expected` of `write_table`."""
    return version(written(table))


def written(table: RollTable) -> dict[str, Any]:
    """Return what a GM wrote, as the log keeps it."""
    return {"name": table.name, "dice": table.dice, "lines": table.lines}


def _existing(work: UnitOfWork, table: RollTable) -> RollTable:
    return existing(RollTable.objects.filter(campaign=work.campaign, pk=table.pk).first())


def _subject(table: RollTable) -> Subject:
    return Subject(f"roll-table:{table.pk}", table.name)


def _tell(work: UnitOfWork, table: RollTable, **changes: dict[str, Any] | None) -> None:
    work.record(TABLE_CHANGED, {"table": table.ref, **changes}, stream=GM, subjects=[_subject(table)])
