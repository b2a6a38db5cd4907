"""The oracle tables of a campaign: what stands on each face of a d10.

This app does not know which tables a game has, nor what they say at first: callers hand over the entries they start with.
A row is made when the GM first rewrites a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Campaign, Role
from campaigns.models.streams import GM
from campaigns.references import About
from campaigns.services.compare_and_set import compare_and_set, version
from campaigns.services.log import UnitOfWork, service
from rulesets.scale.events import ORACLE_CHANGED
from rulesets.scale.models import OracleTable

FACES = 10


class Told(Protocol):
    """Anything that reads like an Entry, such as the defaults of the rules."""

    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def shift(self) -> bool: ...


@dataclass(frozen=True)
class Entry:
    """What stands on one face. `shift` asks for a second die."""

    title: str
    text: str
    shift: bool = False


def tables_of(campaign: Campaign, defaults: dict[str, Sequence[Told]]) -> dict[str, tuple[Entry, ...]]:
    """Every table's ten entries, for the faces 1 to 10, by the tables' names: the GM's, else those of `defaults`."""
    rewritten = {table.name: table for table in OracleTable.objects.filter(campaign=campaign)}
    return {name: _entries(rewritten.get(name), entries) for name, entries in defaults.items()}


def entries_version(entries: Sequence[Told]) -> str:
    """For the `seen` of the two operations below."""
    return version({"entries": _plain(entries)})


@service(Role.GM)
def change_oracle(
    work: UnitOfWork,
    name: str,
    entries: Sequence[Entry],
    *,
    called: str,
    defaults: Sequence[Told],
    expected: str,
    key: UUID,
) -> OracleTable | None:
    """Rewrite a table. `called` is its name in words; `seen` the version of the entries that the form showed.

    Raises Conflict, whose `current` is {"entries": [...]}, and Invalid for anything but ten entries.
    """
    if len(entries) != FACES:
        raise Invalid(f"An oracle table has {FACES} entries.")
    now = tables_of(work.campaign, {name: defaults})[name]
    compare_and_set(work.campaign, _about(name, called), expected=expected, current={"entries": _plain(now)})
    if _plain(now) == _plain(entries):
        return OracleTable.objects.filter(campaign=work.campaign, name=name).first()
    row, _ = OracleTable.objects.update_or_create(
        campaign=work.campaign, name=name, defaults={"entries": _plain(entries)}
    )
    _tell(work, name, called, _changes(now, entries))
    return row


@service(Role.GM)
def reset_oracle(
    work: UnitOfWork, name: str, *, called: str, defaults: Sequence[Told], expected: str, key: UUID
) -> None:
    """Put back the entries a table started with; as `change_oracle`."""
    now = tables_of(work.campaign, {name: defaults})[name]
    compare_and_set(work.campaign, _about(name, called), expected=expected, current={"entries": _plain(now)})
    if OracleTable.objects.filter(campaign=work.campaign, name=name).delete()[0]:
        _tell(work, name, called, _changes(now, defaults), reset=True)


def _entries(work: OracleTable | None, defaults: Sequence[Told]) -> tuple[Entry, ...]:
    if work:
        return tuple(Entry(**entry) for entry in work.entries)
    return tuple(Entry(entry.title, entry.text, entry.shift) for entry in defaults)


def _plain(entries: Sequence[Told]) -> list[dict[str, Any]]:
    return [asdict(Entry(entry.title, entry.text, entry.shift)) for entry in entries]


def _changes(before: Sequence[Told], after: Sequence[Told]) -> list[dict[str, Any]]:
    pairs = zip(_plain(before), _plain(after), strict=True)
    return [{"face": face, "before": old, "after": new} for face, (old, new) in enumerate(pairs, 1) if old != new]


def _tell(work: UnitOfWork, name: str, called: str, changes: list[dict[str, Any]], *, reset: bool = False) -> None:
    payload = {"oracle": name, "called": called, "changes": changes, "reset": reset}
    work.record(ORACLE_CHANGED, payload, stream=GM, about=[_about(name, called)])


def _about(name: str, called: str) -> About:
    return About(f"oracle:{name}", called)
