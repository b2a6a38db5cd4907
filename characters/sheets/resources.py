"""What a table keeps in sight of every character and marks as it plays: points, damage, injuries. Pure Python."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """`name` is that of a number or of rows; of `flags` it is one of its own.

    `flags` in their order are a track, of which as many are there as the number `length` says; those of a resource that is
    `chosen` have no order: which of them is marked, somebody has to say. `figure` names what is shown of it in place of its
    value (characters/figures.py); a resource that is nothing but a figure is shown, and not marked.
    """

    name: str
    label: str = ""
    flags: tuple[str, ...] = ()
    length: str = ""
    chosen: bool = False
    figure: str = ""
