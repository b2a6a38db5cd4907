"""What the rules raise when they refuse: one small family, each with the field, the value and what would be allowed."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

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
        message = f"{_label(field)} must be a whole number from {allowed}, not {_shown(value)}."
        super().__init__(field, value, allowed=allowed, message=message)
        self.low = low
        self.high = high


class UnknownWord(RuleError):
    """Not one of the words this field knows."""

    def __init__(self, field: str, value: object, words: Iterable[str]) -> None:
        allowed = ", ".join(words)
        message = f"{_label(field)} must be one of {allowed}, not {_shown(value)}."
        super().__init__(field, value, allowed=allowed, message=message)


class NotPossible(RuleError):
    """A well-formed move that the rules do not allow as things stand: no offer to answer, no Willpower left, not your choice."""


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
    """The member of `words` that is written so; UnknownWord otherwise."""
    for known in words:
        if known == value:
            return known
    raise UnknownWord(field, value, words)


def _label(field: str) -> str:
    return field.replace("_", " ").capitalize()


def _shown(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "nothing"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) <= LONGEST_NUMBER_SHOWN else "a number that long"
    if isinstance(value, float):
        return str(value)
    if isinstance(value, str):
        return f"“{value if len(value) <= LONGEST_TEXT_SHOWN else value[:LONGEST_TEXT_SHOWN] + '…'}”"
    return "something else"
