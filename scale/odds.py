"""What the next roll does to the Scale, and over many rolls: when the next Major Burn comes, and whether it will be Grace.

One roll is looked at delta by delta, each stepped by the rules themselves: `crossing`.

Many rolls are a chain: `next_major`. Between two rolls a Scale stands in one of a few dozen states, and a roll moves it by chance
alone: an absorbing Markov chain whose ends are the two Major Burns. It is solved exactly, by striking out one state after the
other and passing its weights on to those that led there, until only the present one is left. All weights are positive integers,
so nothing is rounded and nothing cancels. The moves are those of `scale.step`: whatever a campaign sets there holds here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from rules.dice import LARGEST_POOL
from rules.errors import OutOfRange, UnknownWord, whole
from rules.tally import Shifts
from scale.rules import scale
from scale.rules.scale import Answer, BurnKind, Reached, State, answer, step

HEAVIEST: Final = 1_000_000
MOST_SHARES: Final = 100


class Policy(StrEnum):
    """Names what the table does with Burns on offer: it banks every one, so that a second fires both, or takes it at once."""

    BANK = "bank"
    TAKE = "take"


class Share(NamedTuple):
    """One sort of action roll: how often the table makes it compared with the others (weight 1 to 1,000,000), and what
    it gives.

    `shifts` are the pairs of a tally's Shifts: (delta, ways).
    """

    weight: int
    shifts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, weight: int, shifts: Shifts) -> Share:
        return cls(weight, tuple(shifts.items()))


@dataclass(frozen=True, slots=True)
class NextMajor:
    """`ever` is the chance that a Major Burn comes at all, `grace` that it is Grace if it comes (None: it cannot come), `rolls`
    how many action rolls it takes on average (None: it may never come).
    """

    ever: Fraction
    grace: Fraction | None
    rolls: Fraction | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one roll sets off: `offers` and `majors` are the chances of a Burn on offer and of a Major Burn by its kind.

    `both` is the chance that it fires the banked Burn and its own. All of these exclude each other.
    """

    offers: Mapping[BurnKind, Fraction]
    majors: Mapping[BurnKind, Fraction]
    both: Fraction

    @property
    def offer(self) -> Fraction:
        return sum(self.offers.values(), Fraction())

    @property
    def major(self) -> Fraction:
        return sum(self.majors.values(), Fraction())

    @property
    def any(self) -> Fraction:
        """Return the chance that the roll reaches a Burn of whatever sort."""
        return self.offer + self.major + self.both


def crossing(shifts: Shifts, state: State, settings: scale.Settings = scale.DEFAULTS) -> Crossing:
    """Return the chances of what a roll with these shifts sets off, from the Scale's present State.

    Every possible delta is stepped once, since all rolls with one delta move the Scale alike. `shifts` have to be
    counted by the tally of the same settings.
    """
    total = sum(shifts.values())
    ways: Counter[tuple[Reached | None, BurnKind | None]] = Counter()
    for delta, count in shifts.items():
        moved = step(state, delta, settings)
        kind = moved.after.pending if moved.event is Reached.OFFER else moved.fires[0].kind if moved.fires else None
        ways[moved.event, kind] += count
    offers, both, majors = (
        {kind: Fraction(ways[event, kind], total) for kind in BurnKind}
        for event in (Reached.OFFER, Reached.BOTH, Reached.MAJOR)
    )
    return Crossing(MappingProxyType(offers), MappingProxyType(majors), sum(both.values(), Fraction()))


_Row: TypeAlias = dict[State | BurnKind | str, int]
# Besides the weights of its targets a row holds their sum, and the rolls spent so far, in the same unit.
_ALL: Final = "all"
_ROLLS: Final = "rolls"


def next_major(
    state: State,
    mixture: Iterable[Share],
    policy: Policy,
    settings: scale.Settings = scale.DEFAULTS,
) -> NextMajor:
    """Return what comes next if a table keeps rolling as in `mixture` (1 to 100 shares) and handles offers by `policy`.

    Banked Burns are not spent on the way. Raises RuleError for weights out of range and shares without shifts.
    """
    shares = tuple(mixture)
    if not 1 <= len(shares) <= MOST_SHARES:
        raise OutOfRange("mixture", len(shares), 1, MOST_SHARES)
    for share in shares:
        whole("weight", share.weight, 1, HEAVIEST)
        if not share.shifts or any(ways < 1 for _, ways in share.shifts):
            raise OutOfRange("shifts", len(share.shifts), 1, LARGEST_POOL)
    if not isinstance(policy, Policy):
        raise UnknownWord("policy", policy, Policy)
    start = replace(_settled(state, policy), die_modifier=0, free_activations=0)
    return _next_major(start, shares, policy, settings)


@lru_cache(maxsize=256)
def _next_major(
    start: State,
    shares: tuple[Share, ...],
    policy: Policy,
    settings: scale.Settings,
) -> NextMajor:
    rows = _chain(start, _deltas(shares), policy, settings)
    endless = rows.keys() - _ending(rows)
    for state in endless:
        del rows[state]
    for row in rows.values():
        for state in endless & row.keys():
            del row[state]
    if start in endless:
        return NextMajor(Fraction(0), None, None)
    last = _solve(start, rows)
    grace, trouble = (Fraction(last.get(kind, 0), last[_ALL]) for kind in BurnKind)
    ever = grace + trouble
    return NextMajor(ever, grace / ever, None if endless else Fraction(last[_ROLLS], last[_ALL]))


def _deltas(shares: tuple[Share, ...]) -> dict[int, int]:
    """Return the weight of every delta over all shares, in lowest terms."""
    totals = [sum(ways for _, ways in share.shifts) for share in shares]
    unit = lcm(*totals)
    weights: dict[int, int] = {}
    for share, total in zip(shares, totals, strict=True):
        for delta, ways in share.shifts:
            weights[delta] = weights.get(delta, 0) + share.weight * (unit // total) * ways
    common = gcd(*weights.values())
    return {delta: weight // common for delta, weight in weights.items()}


def _chain(start: State, deltas: dict[int, int], policy: Policy, settings: scale.Settings) -> dict[State, _Row]:
    """Return every state that can be reached from `start`, with the weights of where one roll leads."""
    everything = sum(deltas.values())
    rows: dict[State, _Row] = {}
    open_states = [start]
    while open_states:
        state = open_states.pop()
        if state in rows:
            continue
        row = rows[state] = {_ALL: everything, _ROLLS: everything}
        for delta, weight in deltas.items():
            moved = step(state, delta, settings)
            target = moved.fires[0].kind if moved.event is Reached.MAJOR else _settled(moved.after, policy)
            row[target] = row.get(target, 0) + weight
        open_states.extend(target for target in row if isinstance(target, State))
    return rows


def _settled(state: State, policy: Policy) -> State:
    if state.pending is None:
        return state
    return answer(state, Answer.BANK if policy is Policy.BANK else Answer.ACCEPT).after


def _ending(rows: dict[State, _Row]) -> set[State]:
    """Return the states from which a Major Burn can still be reached."""
    ending: set[State] = set()
    goes_on = True
    while goes_on:
        hopes: set[object] = {*ending, *BurnKind}
        more = {state for state, row in rows.items() if state not in ending and not hopes.isdisjoint(row)}
        ending |= more
        goes_on = bool(more)
    return ending


def _solve(start: State, rows: dict[State, _Row]) -> _Row:
    """Strike out every state but `start`; its row then leads to the ends alone. Banked states go first: they are sparse."""
    left = sorted(rows.keys() - {start}, key=lambda state: (state.banked is None, state.banked or "", state.scale))
    for state in left:
        gone = rows.pop(state)
        staying = gone.pop(state, 0)
        leaving = gone.pop(_ALL) - staying
        for other, row in rows.items():
            if weight := row.pop(state, 0):
                rows[other] = _passed_on(row, weight, gone, leaving)
    last = rows[start]
    last[_ALL] -= last.pop(start, 0)
    return last


def _passed_on(row: _Row, weight: int, gone: _Row, leaving: int) -> _Row:
    merged = {target: value * leaving for target, value in row.items()}
    for target, value in gone.items():
        merged[target] = merged.get(target, 0) + weight * value
    common = gcd(*merged.values())
    return {target: value // common for target, value in merged.items()}
