"""Who keeps their nerve in a turn of the arc rules, and how often one acts (arc.txt, V.1, V.5, V.7).

The State of Mind, SOM, runs from 1 (panicked) to 10 (exalted).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from languages.text import gettext_lazy
from rules.dice import D10, LARGEST_POOL
from rules.errors import whole
from rulesets.arc.settings import DEFAULTS, SCORES, Settings

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
