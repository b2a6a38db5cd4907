"""Why a sheet changes, where nobody typed why: a roll, a purchase, a claim, something taken back. Events keep its code.

Each app and ruleset makes its own, once; the words are drawn when an event is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

_words: dict[str, str] = {}


@dataclass(frozen=True)
class Reason:
    """`code` is kept for good, `words` are how people read it."""

    code: str
    words: str

    def __post_init__(self) -> None:
        _words[self.code] = self.words


@dataclass(frozen=True)
class ClaimReason:
    """A claim that was confirmed: `claimed` is {"kind", "told"} as the scheme of the claimant's `sheet` has it."""

    sheet: str
    claimed: dict[str, Any]

    def payload(self) -> dict[str, Any]:
        """As events tell of it."""
        return {"sheet": self.sheet, **self.claimed}


Why: TypeAlias = "str | Reason | ClaimReason"
"""What somebody typed, or what nobody had to."""


def words_of(code: str) -> str:
    """Return how people read a reason; "" for one that nobody knows any more."""
    return str(_words.get(code, ""))


TAKEN_BACK = Reason("taken_back", "taken back")
BOUGHT = Reason("bought", "bought")
GIVEN_BACK = Reason("given_back", "given back")
ROLL = Reason("roll", "a roll")
ROLL_TAKEN_BACK = Reason("roll_taken_back", "a roll was taken back")
ROLL_CORRECTED = Reason("roll_corrected", "a roll was corrected")
LIMITED = Reason("limited", "")
"""No more than the field that it `follows`."""
