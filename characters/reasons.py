"""Why a sheet changes, where nobody typed why: a roll, a purchase, something taken back. Events keep its code.

Each app and ruleset makes its own, once; the words are drawn when an event is read.
"""

from __future__ import annotations

from dataclasses import dataclass

_words: dict[str, str] = {}


@dataclass(frozen=True)
class Reason:
    """`code` is kept for good, `words` are how people read it."""

    code: str
    words: str

    def __post_init__(self) -> None:
        _words[self.code] = self.words


def words_of(code: str) -> str:
    """How people read a reason; "" for one that nobody knows any more."""
    return _words.get(code, "")


TAKEN_BACK = Reason("taken_back", "taken back")
BOUGHT = Reason("bought", "bought")
GIVEN_BACK = Reason("given_back", "given back")
ROLL = Reason("roll", "a roll")
ROLL_TAKEN_BACK = Reason("roll_taken_back", "a roll was taken back")
LIMITED = Reason("limited", "")
"""No more than the field that it `follows`."""
