"""What follows from a sheet by the rules: figures, and what a change of it means in play.

A ruleset has a `Figures` and a `States` for each of its sheets that needs one. They get the values of the open sheet alone, so
that nothing they say can betray a secret. Figures are never stored, but computed wherever they are shown. Events hold changed
figures and states in numbers, codes and names that people gave; the words are drawn when they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.models import Campaign
from characters.sheets.fields import Value
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class Figure:
    """`name` is a word ("movement"), or the address of the row it belongs to ("skills/4f2a"); `values` are numbers and codes."""

    name: str
    values: tuple[int | str | bool, ...]


class Figures:
    """The figures of a kind of sheet."""

    templates: Mapping[str, str] = {}
    """The templates of those figures, by their names, that are drawn rather than written: from `figure`, as `drawn` gives it."""

    def derive(self, values: Values, campaign: Campaign) -> Sequence[Figure]:
        """Return all figures that follow from these values."""
        raise NotImplementedError

    def words(self, figure: Figure) -> tuple[str, str]:
        """Return the label of a figure, "" for that of its row, and its value as people read it."""
        raise NotImplementedError

    def bar(self, figure: Figure) -> tuple[str, int, int]:
        """Return a figure as a bar in the party: its words, "" where the state says them, value and maximum; 0, 0 without
        one."""
        return "", 0, 0


@dataclass(frozen=True)
class State:
    """`code` and `values` are kept for good; `covers` names the fields and lists that its line says enough of."""

    code: str
    values: tuple[Value, ...] = ()
    covers: tuple[str, ...] = ()


class States:
    """The changes of state of characters with one kind of sheet: harm taken, a box crossed off, a character out of the scene."""

    def derive(self, before: Values, after: Values) -> Sequence[State]:
        """Return the changes of state between two sheets' values."""
        raise NotImplementedError

    def words(self, state: State) -> str:
        """Return words that follow the character's name: "is out of the scene"."""
        raise NotImplementedError
