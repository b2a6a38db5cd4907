"""What a forged roll is asked with, and where its form is at fault when the rules refuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from campaigns.errors import Invalid
from rolls import table_rules as base
from rolls.services.rule_errors import by_the_rules
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting

NAME = "forged"
LONGEST_WORDS = 120


class Kind(StrEnum):
    """The three rolls of these rules that need nothing but dice and a sheet."""

    ACTION = "action"
    RESISTANCE = "resistance"
    FORTUNE = "fortune"


class Push(StrEnum):
    """What somebody pushes themselves for, 2 stress each (forged.txt, Push Yourself)."""

    NOTHING = ""
    DIE = "die"
    EFFECT = "effect"
    BOTH = "both"


@dataclass(frozen=True, kw_only=True)
class RollInput(base.RollInput):
    """One of the three kinds of rolls; what belongs to the others is not looked at.

    Action: the name of an `action` of the sheet, or a typed `rating` (0 to 4) with or without a name; `position` and `effect` as
    the GM has said; `helper` is the character who assists, `bargain` says in words what a Devil's Bargain costs. `harm1` and
    `harm2`: a harm of that level applies; moderate harm of the sheet does so to its actions, unless the roll is `unhurt`.
    `ability`: levels of effect that special abilities add, 0 to 10.
    Resistance: an `attribute` of the sheet, or a typed `rating`; the `consequence` in words, and what the GM has said it does.
    Fortune: `trait`, `advantages` and `disadvantages` in dice, 0 to 100 each. One that a procedure makes `settles` something
    of its own (settled.py), and keeps what that goes by.
    """

    system: ClassVar[str] = NAME

    kind: str = Kind.ACTION.value
    rating: int | None = None

    action: str = ""
    position: str = Position.RISKY.value
    effect: str = Effect.STANDARD.value
    helper: UUID | None = None
    push: str = Push.NOTHING.value
    incapacitated: bool = False
    bargain: str = ""
    gambit: bool = False
    trade: str = ""
    setup: bool = False
    ability: int = 0
    harm1: bool = False
    harm2: bool = False
    unhurt: bool = False

    attribute: str = Attribute.PROWESS.value
    consequence: str = ""
    resisting: str = Resisting.REDUCES.value

    trait: int = 1
    advantages: int = 0
    disadvantages: int = 0
    settles: str = ""
    keeps: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def refused_at(**fields: str) -> Iterator[None]:
    """Inside, what the rules and the sheets refuse is Invalid at a field of the form; `fields` maps their names to its own."""
    try:
        with by_the_rules():
            yield
    except Invalid as error:
        raise Invalid(error.message, field=fields.get(error.field or "", error.field)) from error


def short_words(words: str, field: str) -> str:
    """Words of up to 120 characters. Raises Invalid."""
    if len(words) > LONGEST_WORDS:
        raise Invalid(f"Say it in at most {LONGEST_WORDS} characters.", field=field)
    return words.strip()
