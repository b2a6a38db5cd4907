"""Rolls counted together: how many succeeded and how many should have, runs, faces, results, what was spent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import sqrt
from operator import itemgetter
from typing import NamedTuple

from rolls.queries.statistics.rolled import Rolled


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

    def add(self, group: Rolled, rolls: int) -> None:
        """Count so many rolls of a group."""
        self.rolls += rolls
        if group.succeeded is None:
            return
        self.judged += rolls
        self.succeeded += rolls * group.succeeded
        if group.chance is not None:
            self.known += rolls
            self.hits += rolls * group.succeeded
            self.chance += rolls * group.chance
            self.variance += rolls * group.chance * (1 - group.chance)

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


def tally(groups: Iterable[Rolled]) -> Tally:
    """Count all rolls of these groups."""
    total = Tally()
    for group in groups:
        total.add(group, group.count)
    return total


class Run(NamedTuple):
    """The longest runs of successes and of failures."""

    best: int
    worst: int


def longest(groups: Iterable[Rolled]) -> Run:
    """Return the longest runs among these rolls, in the order in which they fell."""
    falls = sorted(
        (event, group.succeeded) for group in groups if group.succeeded is not None for event in group.events
    )
    most = {True: 0, False: 0}
    for succeeded, run in groupby(falls, itemgetter(1)):
        most[succeeded] = max(most[succeeded], sum(1 for _ in run))
    return Run(most[True], most[False])


def faces_of(groups: Iterable[Rolled]) -> dict[int, list[int]]:
    """Return how often each face fell, by the sides of the dice."""
    fallen: dict[int, list[int]] = {}
    for group in groups:
        counts = fallen.setdefault(group.sides, [0] * group.sides)
        for face in group.fallen:
            if face <= group.sides:  # until 0.2.1 a roll could have larger dice beside
                counts[face - 1] += 1
    return fallen


@dataclass(slots=True)
class Results:
    """How often each result occurred, by its code, and how often it was expected in the `foreseen` rolls, those whose odds the
    viewer may know."""

    occurred: dict[str, int] = field(default_factory=dict)
    expected: dict[str, float] = field(default_factory=dict)
    foreseen: int = 0


def results_of(groups: Iterable[Rolled]) -> dict[str, Results]:
    """Return the results by ruleset."""
    found: dict[str, Results] = {}
    for group in groups:
        if group.result:
            of = found.setdefault(group.system, Results())
            of.occurred[group.result] = of.occurred.get(group.result, 0) + group.count
            of.foreseen += group.count if group.chances else 0
            for name, chance in (group.chances or {}).items():
                of.expected[name] = of.expected.get(name, 0) + group.count * chance
    return found


def spent_in(groups: Iterable[Rolled]) -> Mapping[str, int]:
    """Return the points spent on rolls, by resource."""
    spent: dict[str, int] = {}
    for group in groups:
        for resource, points in group.spent.items():
            spent[resource] = spent.get(resource, 0) + group.count * points
    return spent
