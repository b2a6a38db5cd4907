"""Adjustments for and against a check, as people type them: "higher ground +1, rain -1, asleep +2", or one number for
all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.text import signed
from rules.errors import RuleError
from rulesets.arc.rules.check import HUGE, LARGEST_OTHER, LARGEST_SPECIAL, MOOD_WORDS, Chip, counted

LONGEST: Final = 600
SIGNS: Final = {"−": "-", "–": "-", "+": "+", "-": "-"}  # as phones and texts write minus
NUMBER: Final = re.compile(r"([+−–-]?)\s*(\d{1,9})")
NAMED: Final = re.compile(r"(.+?)\s*([+−–-])\s*(\d{1,3})")


@dataclass(frozen=True)
class Typed:
    """The total of the typed adjustments, and the named ones."""

    total: int = 0
    chips: tuple[Chip, ...] = ()


class ChipsField(LineField):
    """Gives a `Typed`. A bare number is all other adjustments at once; a named one of more than 2 is a special rule's."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": LONGEST, "required": False, **kwargs})

    def clean(self, value: Any) -> Typed:
        text = super().clean(value).strip()
        if not text:
            return Typed()
        if number := NUMBER.fullmatch(text):
            total = _number(number[1], number[2])
            if abs(total) > LARGEST_OTHER:
                raise forms.ValidationError(
                    _("Other adjustments go from −{most} to +{most}.").format(most=LARGEST_OTHER)
                )
            return Typed(total)
        try:
            chips = tuple(_chip(word.strip()) for word in text.split(",") if word.strip())
            return Typed(counted(chips), chips)
        except RuleError as error:
            raise forms.ValidationError(error.message) from error


def _chip(text: str) -> Chip:
    named = NAMED.fullmatch(text)
    if named is None:
        message = _("Enter a number, or words with their values, for example: higher ground +1, rain -1.")
        raise RuleError("other", text, allowed="words with a number", message=message)
    value = _number(named[2], named[3])
    if abs(value) > LARGEST_SPECIAL:
        message = _("A special rule adds or subtracts at most {most}.").format(most=LARGEST_SPECIAL)
        raise RuleError("other", value, allowed=f"-{LARGEST_SPECIAL} to {LARGEST_SPECIAL}", message=message)
    return Chip(word=named[1].strip(), value=value, special=abs(value) > HUGE)


def _number(sign: str, digits: str) -> int:
    return -int(digits) if SIGNS.get(sign) == "-" else int(digits)


def typed_words(chips: Iterable[dict[str, Any]]) -> str:
    """Return chips as `ChipsField` takes them, of what terms keep of them; the difference in size adds itself."""
    named = ((chip.get("word") or MOOD_WORDS.get(chip.get("code", "")), chip["value"]) for chip in chips)
    return ", ".join(f"{words} {signed(value)}" for words, value in named if words)
