"""The moves of a character, and the one being rolled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from characters.models import Character
from languages.letters import fold
from rolls.moves import Move, Moves
from rolls.registry import RULESETS
from rolls.table_rules import RollInput, Terms

A = TypeVar("A", bound=RollInput)


def moves_for(character: Character) -> list[Move]:
    """Return the moves that a character has."""
    moves = _declared(character.system)
    return moves.of(character) if moves else []


def bound(character: Character | None, ask: A) -> tuple[A, Terms]:
    """Return the input with the number that its move rolls, and the terms that keep the move; {} without a move.

    Raises Invalid for a move that the character does not have, and for a number other than the move's.
    """
    moves = _declared(ask.system)
    if moves is None or not ask.move:
        return ask, {}
    if character is None or character.system != ask.system:
        raise Invalid(_("Choose a character to make this move."), field="move")
    move = next((move for move in moves_for(character) if move.id == ask.move), None)
    if move is None:
        raise Invalid(_("{name} does not have this move. Choose another.").format(name=character.name), field="move")
    number = getattr(ask, moves.slot)
    label = character.rules.field(move.rolls).label
    if number and _folded(number) not in (_folded(move.rolls), _folded(label)):
        raise Invalid(
            _("{move} rolls {number}. Choose that, or no move.").format(move=move.name, number=label), field=moves.slot
        )
    changes: dict[str, Any] = {moves.slot: move.rolls}
    return replace(ask, **changes), moves.kept(move)


def _declared(system: str) -> Moves | None:
    ruleset = RULESETS.get(system)
    return ruleset.moves if ruleset else None


def _folded(name: str) -> list[str]:
    return fold(name.replace("_", " ")).split()
