"""What a table keeps in sight of every character and marks as it plays: points, damage, injuries. Pure Python."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """`name` is that of a number, of a flag, of a choice or of rows; of `flags` it is one of its own.

    `flags` in their order are a track, of which as many are there as the number `length` says; those of a resource that is
    `chosen` have no order: which of them is marked, somebody has to say. `figure` names what is shown of it in place of its
    value (characters/figures.py); a resource that is nothing but a figure is shown, and not marked. Where the figure draws a
    track on which several numbers lie, these are `counts`, and its levels say what a press moves. Boxes are drawn as `drops`.
    Beside the names of the party stand those that everyone keeps an eye on; those that are `own` stand below the traits of the
    character at hand alone. There a `note` says what it does to somebody, in a few words.
    """

    name: str
    label: str = ""
    flags: tuple[str, ...] = ()
    length: str = ""
    chosen: bool = False
    figure: str = ""
    counts: tuple[str, ...] = ()
    drops: bool = False
    own: bool = False
    note: str = ""

    @property
    def shows(self) -> frozenset[str]:
        """The fields and rows whose values are shown with it where it stands in full."""
        return frozenset({self.name, *self.flags, *self.counts, *([self.length] if self.length else [])})
