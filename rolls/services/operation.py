"""The data of one operation on rolls and procedures: kept in its UnitOfWork, and gone with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from rolls.models import Procedure


@dataclass
class RollOperation:
    """An operation's throws, reads and changes; the changes are processed before the commit (settings.BEFORE_COMMIT)."""

    throws: int = 0
    ids_made: Counter[str] = field(default_factory=Counter)
    """The number of ids that procedures have asked for, by purpose."""
    procedure_states: dict[UUID, Any] = field(default_factory=dict)
    """The states of procedures as they are stored, made of JSON once."""
    ended: list[Procedure] = field(default_factory=list)
    """Procedures that have ended in this operation."""
    changed_sheets: set[str] = field(default_factory=set)
    changed_systems: set[str] = field(default_factory=set)
    """Rulesets of which a token was removed, or a procedure changed that others depend on."""
    clocks_changed: bool = False
    changed_players: dict[str, None] = field(default_factory=dict)
    """Characters who are played by others from now on, in the order in which that was said."""
