"""What a ruleset says of its rolls to an add-on that counts their dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rolls.rules.tally import FallenDie, Shifts, Tally
from rolls.settings import RollSettings

BOTH: Final = "both"
"""Said by terms of two sides that play for the same table: whoever counts the dice of all who do counts both, and others take it
out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """What a result of an add-on gives a character, for better or worse.

    `code` says what, `name` and `words` stand on the sheet. `face` is that of the d10 that it takes, 0 where it takes none.
    """

    code: str
    name: str
    words: str = ""
    face: int = 0


class Countable:
    """What lets an add-on count the dice of action rolls by a Tally of its own."""

    usual: Mapping[str, Any]
    """Terms of some roll, as `shifts` takes them."""

    def no_action(self, kind: str) -> str:
        """Return in a few words what a kind of roll is that is no action roll, "" for one that is."""
        return ""

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        """Return the dice that a card tells of, judged anew by what it says was asked."""
        raise NotImplementedError

    def shifts(self, terms: dict[str, Any], tally: Tally) -> Shifts:
        """Return how likely each sum is for the terms of a roll."""
        raise NotImplementedError

    def wanted(self, settings: RollSettings) -> bool:
        """Return whether a campaign has its dice counted; most rulesets leave that to the add-on."""
        return True

    def gives(self, gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
        """Return the steps on a sheet with these values by which it takes a gift: none where there is nothing to be done, None
        where it has no place for that."""
        return None
