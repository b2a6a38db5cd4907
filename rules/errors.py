"""The errors of the rules: one small family, each with the field, the value and the allowed values.

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

    `field` is the name of the wrong input, `value` its value, `allowed` the allowed range or words, and `message` a
    sentence for the person who tried.
    """

    def __init__(self, field: str, value: object, *, allowed: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.allowed = allowed
        self.message = message

    def said_of(self, label: str) -> str:
        """Return the message for a form in which the field at fault has this label."""
        return self.message


class OutOfRange(RuleError):
    """Not a whole number from `low` to `high`. Booleans, fractions, NaN and digits in quotes are no whole numbers."""

    def __init__(self, field: str, value: object, low: int, high: int) -> None:
        self.value = value
        self.low = low
        self.high = high
        super().__init__(field, value, allowed=f"{low} to {high}", message=self.said_of(_label(field)))

    def said_of(self, label: str) -> str:
        words = gettext("{field} must be a whole number from {low} to {high}, not {value}.")
        return words.format(field=label, low=self.low, high=self.high, value=_shown(self.value))


class UnknownWord(RuleError):
    """Not one of the words this field knows."""

    def __init__(self, field: str, value: object, words: Iterable[str]) -> None:
        self.value = value
        self.allowed = ", ".join(words)
        super().__init__(field, value, allowed=self.allowed, message=self.said_of(_label(field)))

    def said_of(self, label: str) -> str:
        words = gettext("{field} must be one of {words}, not {value}.")
        return words.format(field=label, words=self.allowed, value=_shown(self.value))


class NotPossible(RuleError):
    """A well-formed move that the rules do not allow now: no offer to answer, no points left, not your choice."""


def whole(field: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number from `low` to `high`. Raises OutOfRange otherwise."""
    # type() and not isinstance(): True is an int to Python, and never a rating to anybody.
    if type(value) is not int or not low <= value <= high:
        raise OutOfRange(field, value, low, high)
    return value


def yes_or_no(field: str, value: object) -> bool:
    """Return `value` if it is True or False. Raises UnknownWord otherwise."""
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
    "armor": gettext_lazy("Armour"),
    "attribute": gettext_lazy("Attribute"),
    "boxes": gettext_lazy("Boxes"),
    "build": gettext_lazy("Build"),
    "burden": gettext_lazy("Burden"),
    "change": gettext_lazy("Change"),
    "claims": gettext_lazy("Claims"),
    "coin": gettext_lazy("Coin"),
    "control": gettext_lazy("Control"),
    "cost": gettext_lazy("Cost"),
    "dice": gettext_lazy("Dice"),
    "difficulty": gettext_lazy("Difficulty"),
    "disadvantages": gettext_lazy("Disadvantages"),
    "dots": gettext_lazy("Dots"),
    "effect": gettext_lazy("Effect"),
    "empathy": gettext_lazy("Empathy"),
    "es": gettext_lazy("Skill score"),
    "exposure": gettext_lazy("Exposure"),
    "extra": gettext_lazy("Extra dice"),
    "extra_dice": gettext_lazy("Extra dice"),
    "faces": gettext_lazy("Dice"),
    "goal": gettext_lazy("Goal"),
    "harm": gettext_lazy("Harm"),
    "healing": gettext_lazy("Healing clock"),
    "heat": gettext_lazy("Heat"),
    "kind": gettext_lazy("Roll type"),
    "ks": gettext_lazy("Known Stat"),
    "level": gettext_lazy("Level"),
    "marked": gettext_lazy("Marked boxes"),
    "marks": gettext_lazy("Marked boxes"),
    "mind": gettext_lazy("State of mind"),
    "modifier": gettext_lazy("Modifier"),
    "on_botch": gettext_lazy("On a botch"),
    "on_tie": gettext_lazy("On a tie"),
    "opponent": gettext_lazy("Opponent"),
    "other": gettext_lazy("Other modifiers"),
    "perception": gettext_lazy("Perception"),
    "points": gettext_lazy("Points"),
    "pool": gettext_lazy("Pool"),
    "position": gettext_lazy("Position"),
    "rating": gettext_lazy("Rating"),
    "resisting": gettext_lazy("Answer to the consequence"),
    "result": gettext_lazy("Result"),
    "rolls": gettext_lazy("Rolls"),
    "segments": gettext_lazy("Segments"),
    "shifts": gettext_lazy("Changes"),
    "sides": gettext_lazy("Sides of a die"),
    "size": gettext_lazy("Size"),
    "skill": gettext_lazy("Skill"),
    "som": gettext_lazy("State of mind"),
    "special": gettext_lazy("Special ability"),
    "stat": gettext_lazy("Stat"),
    "storylines": gettext_lazy("Storylines"),
    "stress": gettext_lazy("Stress"),
    "successes": gettext_lazy("Successes"),
    "target_tier": gettext_lazy("Target’s Tier"),
    "threshold": gettext_lazy("Threshold"),
    "ticks": gettext_lazy("Ticks"),
    "tier": gettext_lazy("Tier"),
    "track": gettext_lazy("Track"),
    "trade": gettext_lazy("Trade"),
    "trait": gettext_lazy("Trait"),
    "traits": gettext_lazy("Traits"),
    "trauma": gettext_lazy("Trauma"),
    "until": gettext_lazy("Ends"),
    "us": gettext_lazy("Unknown Stat"),
    "wanted": gettext_lazy("Wanted level"),
    "weight": gettext_lazy("Weight"),
    "will": gettext_lazy("Will"),
    "willpower": gettext_lazy("Willpower"),
    "wounds": gettext_lazy("Wounds"),
    "xp": gettext_lazy("XP"),
}
"""The labels of the commonest fields; for others the code is written as words."""


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
    """Refused because of a character's state, not because of the act itself; `message` says what has to happen first."""

    def __init__(self, block: Block, message: str, *, field: str = "") -> None:
        super().__init__(field, None, allowed="what a GM allows", message=message)
        self.block = block


def block_words(code: str) -> str:
    """Return the words for a block's code; the code itself if it is no longer known."""
    return str(_words.get(code, code.replace("_", " ")))
