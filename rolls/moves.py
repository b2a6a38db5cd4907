"""Moves: named buttons that roll a number of the sheet, with a consequence for each result.

A game's own moves are in its code (`Moves.own`): a roll keeps their code, and the words are looked up when it is read.
Others are rows of the sheet (`Moves.rows`), written by people: a roll keeps them as they were then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from characters.models import Character
from languages.letters import same

MOVE: Final = "move_made"
"""Among the terms of a roll: its move, as in `Moves.kept`."""
COLUMNS: Final = ("name", "rolls", "when")
"""The columns of a move's row besides what happens by result."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """Something to press that has a `name`. It `rolls` a number of the sheet, named by its field.

    `id` is a code of up to 36 small letters, digits and underscores, kept for good. `when` says when it is made, `results` what
    happens, by the ruleset's names for results; these words may be lazy. A `playbook` limits it to the characters whose sheet
    names that.
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
    of the sheet that names a character's playbook, for games that have playbooks. `rows` is a list of the sheet whose rows are
    moves (characters/sheets/common.py, `move_rows`).
    """

    slot: str
    numbers: tuple[str, ...]
    own: tuple[Move, ...] = ()
    playbook: str = ""
    rows: str = ""

    def find(self, id: str) -> Move | None:
        """Return the game's own move of this id; None for a row of a sheet, and for one that the game has no more."""
        return next((move for move in self.own if move.id == id), None)

    def fields(self, move: Move) -> dict[str, str]:
        """Return the values of the roll form that a press on a move fills in."""
        return {"move": move.id, self.slot: move.rolls}

    def kept(self, move: Move) -> dict[str, Any]:
        """Return the terms in which a roll keeps its move: one of the game by its code, a row as it is now."""
        written = {} if self.find(move.id) else {"name": move.name, "results": dict(move.results)}
        return {MOVE: {"id": move.id} | written}

    def of(self, character: Character) -> list[Move]:
        """Return the moves that a character has: those of the game, then those that are written on the sheet."""
        return [*(move for move in self.own if self.is_open(move, character)), *self._written(character)]

    def _written(self, character: Character) -> Iterator[Move]:
        for row in character.rules.rows(character.values, self.rows) if self.rows else ():
            others = {name: text for name, text in row.items() if name not in ("id", "at", *COLUMNS) and text}
            address = f"{self.rows}/{row['id']}"
            yield Move(id=address, name=row["name"], rolls=row["rolls"], when=row["when"], results=others)

    def is_open(self, move: Move, character: Character) -> bool:
        """Return whether a character has a move: it belongs to everyone, or to their playbook."""
        theirs = str(character.value(self.playbook)) if self.playbook else ""
        return not move.playbook or same(move.playbook, theirs)


def told(terms: Mapping[str, Any], result: str) -> dict[str, Any]:
    """Return the move of a roll as its event keeps it, from the roll's terms and result; {} without a move."""
    made = terms.get(MOVE)
    if made is None:
        return {}
    written = {"name": made["name"], "says": made["results"].get(result, "")} if "name" in made else {}
    return {"move": {"id": made["id"]} | written}


def described(moves: Moves | None, made: Mapping[str, Any], result: str) -> dict[str, str]:
    """Return a move from a payload with its `name` and what it `says` about the result; by its code if the game has it
    no longer.
    """
    if "name" in made:
        return {"id": made["id"], "name": made["name"], "says": made["says"]}
    move = moves.find(made["id"]) if moves else None
    if move is None:
        return {"id": made["id"], "name": made["id"].replace("_", " ").capitalize(), "says": ""}
    return {"id": move.id, "name": str(move.name), "says": str(move.results.get(result, ""))}
