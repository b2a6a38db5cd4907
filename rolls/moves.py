"""Moves: what is pressed to be rolled, with a name, the number of the sheet that it rolls, and what happens by its result.

A roll keeps the code of its move, for which the words are looked up when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from characters.models import Character

MOVE: Final = "move_made"
"""Among the terms of a roll: the move that it was, as `Moves.kept` has it."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """Something to press that has a `name`. It `rolls` a number of the sheet, named by its field.

    `id` is a code of up to 36 small letters, digits and underscores, kept for good. `when` says when it is made, `results` what
    happens, by the ruleset's names for results. A `playbook` limits it to the characters whose sheet names that.
    """

    id: str
    name: str
    rolls: str
    when: str = ""
    results: Mapping[str, str] = field(default_factory=dict)
    playbook: str = ""


@dataclass(frozen=True, kw_only=True)
class Moves:
    """The moves of a game.

    `slot` is the field of the roll form into which the number goes that a move rolls, one of `numbers`. `playbook` is the field
    of the sheet that names a character's playbook, for games that have playbooks.
    """

    slot: str
    numbers: tuple[str, ...]
    own: tuple[Move, ...] = ()
    playbook: str = ""

    def find(self, id: str) -> Move | None:
        """Return the move of this id; None for one that the game has no more."""
        return next((move for move in self.own if move.id == id), None)

    def fields(self, move: Move) -> dict[str, str]:
        """Return what a press on a move puts into the roll form."""
        return {"move": move.id, self.slot: move.rolls}

    def kept(self, move: Move) -> dict[str, Any]:
        """Return the terms in which a roll keeps its move."""
        return {MOVE: {"id": move.id}}

    def is_open(self, move: Move, character: Character) -> bool:
        """Return whether a character has a move: it is everyone's, or of their playbook."""
        theirs = str(character.value(self.playbook)) if self.playbook else ""
        return not move.playbook or move.playbook.casefold() == theirs.strip().casefold()


def told(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return what events tell of the move that a roll was, by its terms; {} where it was none."""
    made = terms.get(MOVE)
    return {"move": {"id": made["id"]}} if made else {}


def described(moves: Moves | None, made: Mapping[str, Any], result: str) -> dict[str, str]:
    """Return a move that was told with its `name` and what it `says` of the result; by its code where the game has it no more."""
    move = moves.find(made["id"]) if moves else None
    if move is None:
        return {"id": made["id"], "name": made["id"].replace("_", " ").capitalize(), "says": ""}
    return {"id": move.id, "name": move.name, "says": move.results.get(result, "")}
