"""A turn of the arc rules: who keeps their nerve, who declares when, and how often one acts (arc.txt, V.1, V.5 to V.7).

    order = declaration_order([Declarant("Mo", som=5, empathy=4, perception=3), Declarant("Iva", som=3, empathy=6, perception=6)])
    [declarant.name for declarant in order.declare]  # Iva, Mo

A turn is 6 seconds; what happens in it is simultaneous and lands at its end. The State of Mind, SOM, runs from 1 (panicked) to 10
(exalted).

The order is made anew from the same keys whenever it is asked for, so that a changed SOM or a newcomer simply falls into place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final, TypeAlias

from languages.text import gettext, gettext_lazy
from rolls.rules.dice import D10, LARGEST_POOL
from rolls.rules.errors import NotPossible, OutOfRange, RuleError, whole, yes_or_no
from rulesets.arc.settings import DEFAULTS, SCORES, Settings

MOST_DECLARANTS: Final = 100
LONGEST_NAME: Final = 200

COMBAT_OCCASIONS: Final = (
    gettext_lazy("ambushed"),
    gettext_lazy("the first ally falls"),
    gettext_lazy("more than half of the allies die"),
    gettext_lazy("cornered"),
    gettext_lazy("attacked by two or more enemies"),
)
OTHER_OCCASIONS: Final = (
    gettext_lazy("has to act in a hurry"),
    gettext_lazy("is threatened, with words or violence"),
    gettext_lazy("witnesses something strongly against their Morality"),
    gettext_lazy("has to act against their Morality"),
)
"""When the GM may ask for a Reaction check; neither list is meant to be complete (arc.txt, V.5)."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A Reaction check: the SOM (1 to 10) and the face of the d10."""

    som: int
    face: int

    def __post_init__(self) -> None:
        whole("som", self.som, *SCORES)
        D10.face(self.face)

    @property
    def success(self) -> bool:
        """Return whether the face is no higher than the SOM: with 10 always, with 1 only on a 1 (arc.txt, V.5)."""
        return self.face <= self.som


def actions_in_turn(es_scores: Sequence[int], settings: Settings = DEFAULTS) -> int:
    """Return how often one may act in a turn with these ES, 1 to 100 of them from 1 to 10 (arc.txt, V.7).

    A single ES has the number of actions of its score; of several the smallest number counts. 0 where a campaign has no action
    for a score that low. OutOfRange for a score that cannot be, or for none.
    """
    whole("actions", len(es_scores), 1, LARGEST_POOL)
    allowed = [sum(whole("es", es, *SCORES) >= needed for needed in settings.actions_from) for es in es_scores]
    return min(allowed) if settings.smallest_allowance_counts else max(allowed)


@dataclass(frozen=True, slots=True)
class Declarant:
    """A participant as the order of declaration needs them: a unique name, SOM, Empathy and Perception from 1 to 10.

    `rolls` are the d10 rolled against equals: the first, and one more for every tie since. They are kept for the whole
    event. `aware` is off for the surprised and the unconscious, `lost_turn` on after a failed Reaction check; both miss
    this turn's declarations, but may go on with what they were doing or drop it.
    """

    name: str
    som: int
    empathy: int
    perception: int
    rolls: tuple[int, ...] = ()
    aware: bool = True
    lost_turn: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= LONGEST_NAME:
            message = gettext("A name has 1 to {most} letters.").format(most=LONGEST_NAME)
            raise RuleError("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=message)
        for field in ("som", "empathy", "perception"):
            whole(field, getattr(self, field), *SCORES)
        if not isinstance(self.rolls, tuple) or len(self.rolls) > LARGEST_POOL:
            raise OutOfRange("rolls", self.rolls, 0, LARGEST_POOL)
        for face in self.rolls:
            D10.face(face)
        yes_or_no("aware", self.aware)
        yes_or_no("lost_turn", self.lost_turn)

    @property
    def declares(self) -> bool:
        return self.aware and not self.lost_turn


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a turn: who declares, first to last, and who waits for the next turn.

    `roll_again` are those who must roll a d10 to settle the order, in groups of equals: (("A", "B"), ("C", "D")),
    sorted as `declare` is. A newcomer who must still roll as others did is a group of one.
    """

    declare: tuple[Declarant, ...]
    roll_again: tuple[tuple[Declarant, ...], ...]
    waiting: tuple[Declarant, ...]


_Key: TypeAlias = tuple[tuple[int, int, int], tuple[int, ...], str]


def declaration_order(declarants: Iterable[Declarant], settings: Settings = DEFAULTS) -> Order:
    """Return the order: ascending by SOM, Empathy, Perception, then d10 (arc.txt, V.6), and by name where dice are still to be
    rolled.

    It is a total order: it does not depend on the order in which the declarants come. Up to 100 of them (OutOfRange); two of
    one name are NotPossible.
    """
    everybody = sorted(islice(declarants, MOST_DECLARANTS + 1), key=_key)
    whole("declarants", len(everybody), 0, MOST_DECLARANTS)
    if len({declarant.name for declarant in everybody}) < len(everybody):
        raise NotPossible(
            "name", None, allowed="different names", message=gettext("Two people have the same name. Rename one.")
        )
    declare = tuple(declarant for declarant in everybody if declarant.declares)
    return Order(
        declare=declare,
        roll_again=_equals(declarant for declarant in declare if _must_roll(declarant, declare, settings)),
        waiting=tuple(declarant for declarant in everybody if not declarant.declares),
    )


def _key(declarant: Declarant) -> _Key:
    return _scores(declarant), declarant.rolls, declarant.name


def _scores(declarant: Declarant) -> tuple[int, int, int]:
    return declarant.som, declarant.empathy, declarant.perception


def _equals(ordered: Iterable[Declarant]) -> tuple[tuple[Declarant, ...], ...]:
    """Return groups of adjacent declarants with the same scores and the same dice."""
    groups = groupby(ordered, key=lambda declarant: (_scores(declarant), declarant.rolls))
    return tuple(tuple(group) for _, group in groups)


def _must_roll(declarant: Declarant, declare: tuple[Declarant, ...], settings: Settings) -> bool:
    """Return whether a participant with the same scores has the same dice so far. One with fewer dice catches up alone."""
    if declarant.rolls and not settings.equal_dice_roll_again:
        return False
    dice = len(declarant.rolls)
    return any(
        other is not declarant and _scores(other) == _scores(declarant) and other.rolls[:dice] == declarant.rolls
        for other in declare
    )
