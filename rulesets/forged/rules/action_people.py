"""Who is at the table of a staged action, by their sheets: player characters, and the crew with its cohorts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player character at the table, as its sheet is now; `out` of play, or with `full` stress, they do nothing.

    `harm` is how many there are of level 1, 2 and 3, `hurts` what they are called at each, `armor` the boxes that are not marked.
    """

    character: str
    name: str
    out: bool = False
    full: bool = False
    stress: int = 0
    harm: tuple[int, ...] = (0, 0, 0)
    hurts: tuple[str, ...] = ("", "", "")
    armor: tuple[str, ...] = ()

    @property
    def able(self) -> bool:
        return not self.out and not self.full

    @property
    def rows(self) -> dict[int, int]:
        """The harm as rules/harm.py counts it."""
        return dict(enumerate(self.harm, start=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """A gang or an expert of the crew, which rolls its quality in a group action (forged.txt, Lead a group action). `key` is the
    id of its row. By its state it has less effect (weakened), a die less (impaired), or does nothing (broken; public rules)."""

    key: str
    name: str
    quality: int = 0
    state: str = "fine"

    @property
    def able(self) -> bool:
        return self.state != "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The crew's sheet; `gambits` count where the campaign plays with them (older states have None for none)."""

    character: str
    name: str
    heat: int = 0
    wanted: int = 0
    gambits: int | None = None
    cohorts: tuple[Cohort, ...] = ()
