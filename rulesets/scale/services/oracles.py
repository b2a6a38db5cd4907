"""The oracle tables of a campaign: what stands on each face of a d10.

A row is made when the GM first rewrites a table. Of the entries that a table starts with the log keeps nothing but the face: they
are ours, and drawn when an event is read (rulesets/scale/words.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Campaign, Role
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.services.compare_and_set import compare_and_set, version
from campaigns.services.log import UnitOfWork, service
from rulesets.scale.events import ORACLE_CHANGED
from rulesets.scale.models import OracleTable
from rulesets.scale.rules.oracles import ENTRIES, STARTED_WITH, Entry
from rulesets.scale.words import TABLES


def tables_of(campaign: Campaign) -> dict[str, tuple[Entry, ...]]:
    """Every table's ten entries, for the faces 1 to 10, by the tables' names: the GM's, else those it started with."""
    rewritten = {table.name: table.entries for table in OracleTable.objects.filter(campaign=campaign)}
    return {
        name: tuple(Entry(**entry) for entry in rewritten[name]) if name in rewritten else ours
        for name, ours in STARTED_WITH.items()
    }


def entries_version(entries: Sequence[Entry]) -> str:
    """For the `expected` of the two operations below."""
    return version({"entries": _plain(entries)})


@service(Role.GM)
def change_oracle(
    work: UnitOfWork, name: str, entries: Sequence[Entry], *, expected: str, key: UUID
) -> OracleTable | None:
    """Rewrite a table; `expected` is the version of the entries that the form showed.

    Raises Conflict, whose `current` is {"entries": [...]}, and Invalid for anything but ten entries.
    """
    if len(entries) != ENTRIES:
        raise Invalid(f"An oracle table has {ENTRIES} entries.")
    now = _checked(work, name, expected)
    if _plain(now) == _plain(entries):
        return OracleTable.objects.filter(campaign=work.campaign, name=name).first()
    row, _ = OracleTable.objects.update_or_create(
        campaign=work.campaign, name=name, defaults={"entries": _plain(entries)}
    )
    _tell(work, name, now, entries)
    return row


@service(Role.GM)
def reset_oracle(work: UnitOfWork, name: str, *, expected: str, key: UUID) -> None:
    """Put back the entries a table started with; as `change_oracle`."""
    now = _checked(work, name, expected)
    if OracleTable.objects.filter(campaign=work.campaign, name=name).delete()[0]:
        _tell(work, name, now, STARTED_WITH[name], reset=True)


def _checked(work: UnitOfWork, name: str, expected: str) -> tuple[Entry, ...]:
    """Return what stands in the table now. Raises Conflict where somebody saw something else."""
    now = tables_of(work.campaign)[name]
    compare_and_set(work.campaign, _subject_of(name), expected=expected, current={"entries": _plain(now)})
    return now


def _plain(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _tell(work: UnitOfWork, name: str, before: Sequence[Entry], after: Sequence[Entry], *, reset: bool = False) -> None:
    changes = [
        {"face": face, "before": _told(name, face, old), "after": _told(name, face, new)}
        for face, (old, new) in enumerate(zip(before, after, strict=True), 1)
        if old != new
    ]
    work.record(
        ORACLE_CHANGED, {"oracle": name, "changes": changes, "reset": reset}, stream=GM, subjects=[_subject_of(name)]
    )


def _told(name: str, face: int, entry: Entry) -> dict[str, Any] | None:
    """None for the one that the table started with."""
    return None if entry == STARTED_WITH[name][face - 1] else asdict(entry)


def _subject_of(name: str) -> Subject:
    return Subject(f"oracle:{name}", TABLES[name])
