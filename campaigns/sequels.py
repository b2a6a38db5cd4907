"""What follows from an event in its own transaction, done by apps that this one knows nothing of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from campaigns.services.log import Table

Sequel: TypeAlias = "Callable[[Table], None]"

_sequels: dict[str, Sequel] = {}


def register(sequels: Mapping[str, Sequel]) -> None:
    """After an event of this kind is recorded, do this. One sequel a kind; called by an app when it is ready."""
    _sequels.update(sequels)


def follow_up(kind: str, table: Table) -> None:
    """Do what follows from an event of this kind, if anything does."""
    if sequel := _sequels.get(kind):
        sequel(table)
