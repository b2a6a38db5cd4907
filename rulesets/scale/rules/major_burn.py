"""A Major Burn asks the oracles: which story, and what befalls it (scale.txt, Major Burn)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rolls.rules.dice import D10, Faces, draw
from rolls.rules.errors import OutOfRange, UnknownWord
from rulesets.scale.rules.oracles import DEFAULT_TABLES, Entry, Tables
from rulesets.scale.rules.scale import BurnKind

STORY_SLOTS: Final = 9
"""Storylines an oracle can hold; its tenth entry is always something new."""


@dataclass(frozen=True, slots=True)
class Consulted:
    """One d10 on one oracle: the face, and what stands there."""

    face: int
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorBurn:
    """All that the dice said, in the order in which they fell.

    `story_face` is the d10 of the Story Oracle, `story` the storyline it named and `slot` its place (1 to 9). Where it met an
    empty place or the tenth, both are empty and `reason` says what the new story grows from. `second` is there when the `result`
    is a Shift.
    """

    kind: BurnKind
    story_face: int
    slot: int | None
    story: str | None
    reason: Consulted | None
    result: Consulted
    second: Consulted | None


def major_burn(
    kind: BurnKind, storylines: Sequence[str | None], faces: Faces, tables: Tables = DEFAULT_TABLES
) -> MajorBurn:
    """Draw two to four d10s: story, reason (if the story is new), Grace or Trouble, and the second result of a Shift.

    `storylines` are up to nine open ones by slot; None is an empty slot.
    """
    if not isinstance(kind, BurnKind):
        raise UnknownWord("kind", kind, BurnKind)
    if len(storylines) > STORY_SLOTS:
        raise OutOfRange("storylines", len(storylines), 0, STORY_SLOTS)
    (story_face,) = draw(1, D10, faces)
    story = storylines[story_face - 1] if story_face <= len(storylines) else None
    reason = None if story else _consult(tables.reason, faces)
    result = _consult(tables.of(kind), faces)
    second = _consult(tables.shift_of(kind), faces) if result.entry.shift else None
    return MajorBurn(
        kind=kind,
        story_face=story_face,
        slot=story_face if story else None,
        story=story,
        reason=reason,
        result=result,
        second=second,
    )


def _consult(table: Sequence[Entry], faces: Faces) -> Consulted:
    (face,) = draw(1, D10, faces)
    return Consulted(face, table[face - 1])
