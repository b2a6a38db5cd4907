"""Rolls counted together: how many succeeded and how many should have, runs, what was spent, what add-ons count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

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
    best: int = 0
    worst: int = 0
    run: int = 0
    spent: Counter[str] = field(default_factory=Counter)
    counted: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def add(self, roll: Rolled) -> None:
        """Count one more roll; they have to come in the order in which they fell."""
        self.rolls += 1
        if roll.succeeded is not None:
            self._judge(roll.succeeded, roll.chance)
        if roll.spent:
            self.spent.update(roll.spent)
        for name, value in roll.counted.items():
            self.counted[name].append(value)

    def _judge(self, succeeded: bool, chance: float | None) -> None:
        self.judged += 1
        # A run is counted upwards while it succeeds, and downwards while it fails.
        if succeeded:
            self.succeeded += 1
            self.run = self.run + 1 if self.run > 0 else 1
            if self.run > self.best:
                self.best = self.run
        else:
            self.run = self.run - 1 if self.run < 0 else -1
            if -self.run > self.worst:
                self.worst = -self.run
        if chance is not None:
            self.known += 1
            self.hits += succeeded
            self.chance += chance
            self.variance += chance * (1 - chance)

    @property
    def spread(self) -> float:
        """One standard deviation of the successes, in rolls."""
        return sqrt(self.variance)

    @property
    def share(self) -> float:
        """How many of those that could succeed did, 0 to 1."""
        return self.succeeded / self.judged if self.judged else 0.0

    @property
    def expected_share(self) -> float:
        return self.chance / self.known if self.known else 0.0


def tallied(rolls: Iterable[Rolled], keys: Callable[[Rolled], Iterable[Any]]) -> Mapping[Any, Tally]:
    """By every key that a roll has."""
    found: dict[Any, Tally] = {}
    for roll in rolls:
        for key in keys(roll):
            if key not in found:
                found[key] = Tally()
            found[key].add(roll)
    return found


def faces_of(rolls: Iterable[Rolled]) -> Mapping[int, list[int]]:
    """How often each face fell, by the number of sides of the die."""
    counted: dict[int, Counter[int]] = defaultdict(Counter)
    for roll in rolls:
        counted[roll.sides].update(roll.faces)
    return {sides: [counted[sides][face] for face in range(1, sides + 1)] for sides in sorted(counted)}
