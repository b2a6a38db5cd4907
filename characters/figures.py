"""Figures derived from a sheet by the rules: never stored, but computed wherever they are shown.

A ruleset has a `Figures` for each of its sheets that needs one. It gets the values of the open sheet alone, so that no
figure can betray a secret. Events hold changed figures in numbers and codes; the words are drawn when they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.models import Campaign
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

    def brief(self, figure: Figure) -> tuple[str, int, int]:
        """Return a short form of a figure: a word or "", and a bar with its value and maximum, as in ("Hurt −1", 2, 7),
        or 0, 0.
        """
        return "", 0, 0
