"""Rolls counted together: how many succeeded and how many should have, runs, faces, what was spent, what add-ons count.

What is counted goes into JSON and back without a change, so that counting can go on where it ended (snapshots.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Any, Final, NamedTuple

from rolls.queries.statistics.rolled import Judged, Rolled

SESSIONS: Final = 40
"""The most sessions to tell apart: the last ones in which dice were rolled."""


class Cell(NamedTuple):
    """The properties by which rolls are counted. `character` is an id as text, or "". A roll of two traits counts for both."""

    player: int
    character: str
    system: str
    traits: tuple[str, ...]
    by_hand: bool


class Choice(NamedTuple):
    """Rolls of one player, as far as they fit the filters: "" where one does not matter."""

    player: int
    character: str = ""
    system: str = ""
    trait: str = ""


@dataclass(slots=True)
class Tally:
    """`judged` rolls could succeed; of these `known` have a chance that the viewer may know, and `hits` of them succeeded."""

    rolls: int = 0
    judged: int = 0
    succeeded: int = 0
    known: int = 0
    hits: int = 0
    chance: float = 0.0
    variance: float = 0.0

    def add(self, roll: Judged | Rolled) -> None:
        self.rolls += 1
        if roll.succeeded is None:
            return
        self.judged += 1
        self.succeeded += roll.succeeded
        if roll.chance is not None:
            self.known += 1
            self.hits += roll.succeeded
            self.chance += roll.chance
            self.variance += roll.chance * (1 - roll.chance)

    def include(self, other: Tally) -> None:
        self.rolls += other.rolls
        self.judged += other.judged
        self.succeeded += other.succeeded
        self.known += other.known
        self.hits += other.hits
        self.chance += other.chance
        self.variance += other.variance

    @property
    def spread(self) -> float:
        """Return one standard deviation of the number of successes."""
        return sqrt(self.variance)

    @property
    def share(self) -> float:
        """Return how many of those that could succeed did, 0 to 1."""
        return self.succeeded / self.judged if self.judged else 0.0

    @property
    def expected_share(self) -> float:
        return self.chance / self.known if self.known else 0.0

    def stored(self) -> list[Any]:
        return [self.rolls, self.judged, self.succeeded, self.known, self.hits, self.chance, self.variance]


@dataclass(slots=True)
class Sums:
    """All counts of rolls besides their success: `spent` by resource, `counted` by add-on, `faces` by sides; `results`
    by ruleset and code, how often each occurred, and how often it was expected in those rolls of which that is known
    (`foreseen`, by ruleset).
    """

    tally: Tally = field(default_factory=Tally)
    spent: dict[str, int] = field(default_factory=dict)
    counted: dict[str, list[float]] = field(default_factory=dict)
    faces: dict[int, list[int]] = field(default_factory=dict)
    results: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    foreseen: dict[str, int] = field(default_factory=dict)

    def add(self, roll: Rolled) -> None:
        self.tally.add(roll)
        for resource, points in roll.spent.items():
            self.spent[resource] = self.spent.get(resource, 0) + points
        for name, numbers in roll.counted.items():
            self.counted[name] = _summed(self.counted.get(name), numbers)
        counts = self.faces.setdefault(roll.sides, [0] * roll.sides)
        for face in roll.fallen:
            if face <= len(counts):  # in 0.2.0 a roll could have larger dice beside
                counts[face - 1] += 1
        if roll.result:
            self._count_result(roll.system, roll.result, roll.chances)

    def _count_result(self, system: str, result: str, chances: Mapping[str, float] | None) -> None:
        of = self.results.setdefault(system, {})
        of.setdefault(result, [0, 0])[0] += 1
        if chances:
            self.foreseen[system] = self.foreseen.get(system, 0) + 1
            for name, chance in chances.items():
                of.setdefault(name, [0, 0])[1] += chance

    def include(self, other: Sums) -> None:
        self.tally.include(other.tally)
        for resource, points in other.spent.items():
            self.spent[resource] = self.spent.get(resource, 0) + points
        for name, numbers in other.counted.items():
            self.counted[name] = _summed(self.counted.get(name), numbers)
        for sides, fallen in other.faces.items():
            self.faces[sides] = [
                int(sum(both)) for both in zip(self.faces.get(sides, [0] * sides), fallen, strict=True)
            ]
        for system, results in other.results.items():
            of = self.results.setdefault(system, {})
            for name, numbers in results.items():
                of[name] = _summed(of.get(name), numbers)
        for system, rolls in other.foreseen.items():
            self.foreseen[system] = self.foreseen.get(system, 0) + rolls

    def stored(self) -> list[Any]:
        fallen = [[*face] for face in self._fallen()]
        results = {system: {name: list(numbers) for name, numbers in of.items()} for system, of in self.results.items()}
        return [self.tally.stored(), dict(self.spent), dict(self.counted), fallen, results, dict(self.foreseen)]

    def _fallen(self) -> Iterator[tuple[int, list[int]]]:
        return ((sides, list(fallen)) for sides, fallen in sorted(self.faces.items()))

    @classmethod
    def of(cls, stored: Sequence[Any]) -> Sums:
        tally, spent, counted, faces, results, foreseen = stored
        return cls(Tally(*tally), spent, counted, dict(faces), results, foreseen)


@dataclass(slots=True)
class Run:
    """The longest runs of successes and of failures; `now` counts upwards while it goes well, downwards while it does not."""

    best: int = 0
    worst: int = 0
    now: int = 0

    def add(self, succeeded: bool) -> None:
        if succeeded:
            self.now = self.now + 1 if self.now > 0 else 1
            self.best = max(self.best, self.now)
        else:
            self.now = self.now - 1 if self.now < 0 else -1
            self.worst = max(self.worst, -self.now)


@dataclass
class Counted:
    """Rolls counted in the order in which they fell; its size does not grow with their number."""

    cells: dict[Cell, Sums] = field(default_factory=dict)
    sessions: dict[int, dict[Cell, Tally]] = field(default_factory=dict)
    runs: dict[Choice, Run] = field(default_factory=dict)

    def add(self, roll: Rolled) -> None:
        character = str(roll.character) if roll.character else ""
        cell = Cell(roll.player, character, roll.system, roll.traits, roll.by_hand)
        _at(self.cells, cell, Sums).add(roll)
        if roll.session:
            _at(_at(self.sessions, roll.session, dict), cell, Tally).add(roll)
            if len(self.sessions) > SESSIONS:
                del self.sessions[min(self.sessions)]
        if roll.succeeded is not None and not roll.by_hand:
            for choice in _choices(cell):
                _at(self.runs, choice, Run).add(roll.succeeded)

    def stored(self) -> dict[str, Any]:
        """Return the counts in JSON's own types; the order of entries is kept."""
        return {
            "cells": [[*cell, sums.stored()] for cell, sums in self.cells.items()],
            "sessions": [
                [number, [[*cell, tally.stored()] for cell, tally in cells.items()]]
                for number, cells in self.sessions.items()
            ],
            "runs": [[*choice, run.best, run.worst, run.now] for choice, run in self.runs.items()],
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Counted:
        return cls(
            {_cell(row): Sums.of(row[5]) for row in stored["cells"]},
            {number: {_cell(row): Tally(*row[5]) for row in rows} for number, rows in stored["sessions"]},
            {Choice(*row[:4]): Run(*row[4:]) for row in stored["runs"]},
        )


def _cell(row: Sequence[Any]) -> Cell:
    player, character, system, traits, by_hand, _ = row
    return Cell(player, character, system, tuple(traits), by_hand)


def _choices(cell: Cell) -> Iterator[Choice]:
    """Yield all filters that rolls of a cell can fit."""
    characters = {cell.character: None, "": None}
    traits = (*cell.traits, "")
    return (Choice(cell.player, *chosen) for chosen in product(characters, (cell.system, ""), traits))


def _at(among: dict[Any, Any], key: Any, kind: Callable[[], Any]) -> Any:
    if key not in among:
        among[key] = kind()
    return among[key]


def _summed(before: Sequence[float] | None, more: Sequence[float]) -> list[float]:
    return [earlier + other for earlier, other in zip(before, more, strict=True)] if before else list(more)


def together(among: Iterable[Sums]) -> Sums:
    total = Sums()
    for sums in among:
        total.include(sums)
    return total
