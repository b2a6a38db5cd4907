"""The meaning of a sheet's change in play, in one line: harm taken, a box crossed off, a character out of the scene.

A ruleset has a `States` for each of its sheets that needs one. It gets the values of the open sheet alone, before an
operation and after it, so that no line can betray a secret. Events keep codes and numbers, and what people named; the
words are drawn when they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from characters.sheets.fields import Value
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class State:
    """`code` and `values` are kept for good; `covers` names the fields and lists that its line says enough of."""

    code: str
    values: tuple[Value, ...] = ()
    covers: tuple[str, ...] = ()


class States:
    """The changes of state of characters with one kind of sheet."""

    def derive(self, before: Values, after: Values) -> Sequence[State]:
        """Return the changes of state between two sheets' values."""
        raise NotImplementedError

    def words(self, state: State) -> str:
        """Return words that follow the character's name: "is out of the scene"."""
        raise NotImplementedError
