"""What the rules raise when they refuse: one small family, each with the field, the value and what would be allowed.

What the state that somebody is in forbids is a `Block`: without Will no contest, immobile no action. A GM may allow it all the
same, which the log tells.

    NO_WILL = Block("no_will", "without Will")
    if not will and not act.override:
        raise BlockedByState(NO_WILL, f"{name} has no Will left. A Refreshment Scene comes first.")

Where a roll is planned, `RollContext.block(NO_WILL, message)` does both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from languages.text import gettext, gettext_lazy

Word = TypeVar("Word", bound=StrEnum)

# Longer numbers and texts are not echoed: a message is read by people, and turning 10**5000 into digits is refused by Python.
LONGEST_NUMBER_SHOWN = 10**9
LONGEST_TEXT_SHOWN = 24


class RuleError(ValueError):
    """A value or a move that the rules do not allow. Nothing has been rolled or changed.

    `field` is the name of the input at fault, `value` what was given, `allowed` the range or the words that would do, and
    `message` a sentence for the person who tried.
    """

    def __init__(self, field: str, value: object, *, allowed: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.allowed = allowed
        self.message = message


class OutOfRange(RuleError):
    """Not a whole number from `low` to `high`. Booleans, fractions, NaN and digits in quotes are no whole numbers."""

    def __init__(self, field: str, value: object, low: int, high: int) -> None:
        allowed = f"{low} to {high}"
        words = gettext("{field} must be a whole number from {low} to {high}, not {value}.")
        message = words.format(field=_label(field), low=low, high=high, value=_shown(value))
        super().__init__(field, value, allowed=allowed, message=message)
        self.low = low
        self.high = high


class UnknownWord(RuleError):
    """Not one of the words this field knows."""

    def __init__(self, field: str, value: object, words: Iterable[str]) -> None:
        allowed = ", ".join(words)
        message = gettext("{field} must be one of {words}, not {value}.").format(
            field=_label(field), words=allowed, value=_shown(value)
        )
        super().__init__(field, value, allowed=allowed, message=message)


class NotPossible(RuleError):
    """A well-formed move that the rules do not allow as things stand: no offer to answer, no points left, not your choice."""


def whole(field: str, value: object, low: int, high: int) -> int:
    """`value` if it is a whole number from `low` to `high`; OutOfRange otherwise."""
    # type() and not isinstance(): True is an int to Python, and never a rating to anybody.
    if type(value) is not int or not low <= value <= high:
        raise OutOfRange(field, value, low, high)
    return value


def yes_or_no(field: str, value: object) -> bool:
    """`value` if it is True or False; UnknownWord otherwise."""
    if not isinstance(value, bool):
        raise UnknownWord(field, value, ("yes", "no"))
    return value


def word(field: str, value: object, words: type[Word]) -> Word:
    """Return the member of `words` that is written so; UnknownWord otherwise."""
    for known in words:
        if known == value:
            return known
    raise UnknownWord(field, value, words)


LABELS = {
    "ability": gettext_lazy("Ability"),
    "actions": gettext_lazy("Actions"),
    "advantages": gettext_lazy("Advantages"),
    "attribute": gettext_lazy("Attribute"),
    "boxes": gettext_lazy("Boxes"),
    "coin": gettext_lazy("Coin"),
    "dice": gettext_lazy("Dice"),
    "difficulty": gettext_lazy("Difficulty"),
    "disadvantages": gettext_lazy("Disadvantages"),
    "effect": gettext_lazy("Effect"),
    "goal": gettext_lazy("Goal"),
    "heat": gettext_lazy("Heat"),
    "kind": gettext_lazy("Roll type"),
    "level": gettext_lazy("Level"),
    "other": gettext_lazy("Other modifiers"),
    "pool": gettext_lazy("Pool"),
    "position": gettext_lazy("Position"),
    "rating": gettext_lazy("Rating"),
    "result": gettext_lazy("Result"),
    "size": gettext_lazy("Size"),
    "stress": gettext_lazy("Stress"),
    "threshold": gettext_lazy("Threshold"),
    "tier": gettext_lazy("Tier"),
    "trait": gettext_lazy("Trait"),
    "wounds": gettext_lazy("Wounds"),
}
"""What the commonest fields are called; of others the code is written as words."""


def _label(field: str) -> str:
    return str(LABELS.get(field) or field.replace("_", " ").capitalize())


def _shown(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: gettext("yes"), False: gettext("no"), None: gettext("nothing")}[value]
    if isinstance(value, int):
        return str(value) if abs(value) <= LONGEST_NUMBER_SHOWN else gettext("a number that long")
    if isinstance(value, float):
        return str(value)
    if isinstance(value, str):
        return f"“{value if len(value) <= LONGEST_TEXT_SHOWN else value[:LONGEST_TEXT_SHOWN] + '…'}”"
    return gettext("something else")


_words: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Block:
    """`code` is kept for good; `words` follow "allowed by the GM:" when an event is read. Each ruleset makes its own, once."""

    code: str
    words: str

    def __post_init__(self) -> None:
        _words[self.code] = self.words


class BlockedByState(NotPossible):
    """Refused for what somebody is in, not for what they tried; `message` says what has to happen first."""

    def __init__(self, block: Block, message: str, *, field: str = "") -> None:
        super().__init__(field, None, allowed="what a GM allows", message=message)
        self.block = block


def block_words(code: str) -> str:
    """Return how people read it; the code itself of one that nobody knows any more."""
    return str(_words.get(code, code.replace("_", " ")))
