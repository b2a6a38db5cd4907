"""What one operation knows of characters: kept in its UnitOfWork, and gone with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from campaigns.kinds import EventKind
from campaigns.models.log import Subject
from characters.models import Character
from characters.sheets.fields import Visibility
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class SheetChange:
    """One thing that was written on a sheet, as its event will tell it."""

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
    """What was written on one sheet so far, and what stood on its open part before."""

    character: Character
    before: Values
    changes: list[SheetChange] = field(default_factory=list)


@dataclass
class SheetOperation:
    """The characters that an operation has read, and what it has written on their sheets."""

    read: dict[UUID, Character] = field(default_factory=dict)
    """Characters as they are under the lock: for all of the operation the same objects."""
    written: dict[UUID, Character] = field(default_factory=dict)
    """Those written on since it was last looked what follows by the rules."""
    untold: dict[UUID, SheetChanges] = field(default_factory=dict)
    rows_added: Counter[tuple[UUID, str]] = field(default_factory=Counter)
    """How many rows were added by steps, by character and list: each gets an id of its own."""
