"""Reasons for a sheet's change that nobody typed: a roll, a purchase, a claim, an undo. Events keep the code.

Each app and ruleset makes its own, once; the words are drawn when an event is read.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Any, TypeAlias

from languages.text import pgettext_lazy

_words: dict[str, str] = {}


@dataclass(frozen=True)
class Reason:
    """`code` is kept for good; `words` are how people read it behind a change: lazy, since each reads it in their language, and
    found by the code (`words_of`), so that no words are kept with anything that has a reason. `quiet` if what caused the change
    says it in its own line or on its card."""

    code: str
    words: InitVar[str]
    quiet: bool = False

    def __post_init__(self, words: str) -> None:
        _words[self.code] = words


@dataclass(frozen=True)
class ClaimReason:
    """A claim that was confirmed: `claimed` is {"kind", "told"} by the scheme of the claimant's `sheet`."""

    sheet: str
    claimed: dict[str, Any]

    def payload(self) -> dict[str, Any]:
        """Return the reason as it is in events' payloads."""
        return {"sheet": self.sheet, **self.claimed}


Why: TypeAlias = "str | Reason | ClaimReason"
"""A reason: text that a person typed, or a reason known without typing."""


def words_of(code: str) -> str:
    """Return words for a reason's code; "" if it is no longer known."""
    return str(_words.get(code, ""))


TAKEN_BACK = Reason("taken_back", pgettext_lazy("why a sheet changed", "undone"))
BOUGHT = Reason("bought", pgettext_lazy("why a sheet changed", "bought"), quiet=True)
GIVEN_BACK = Reason("given_back", pgettext_lazy("why a sheet changed", "refunded"), quiet=True)
ROLL = Reason("roll", pgettext_lazy("why a sheet changed", "roll"))
ROLL_TAKEN_BACK = Reason("roll_taken_back", pgettext_lazy("why a sheet changed", "roll voided"))
ROLL_CORRECTED = Reason("roll_corrected", pgettext_lazy("why a sheet changed", "roll corrected"))
LIMITED = Reason("limited", "")
"""No more than the field that it `follows`."""
