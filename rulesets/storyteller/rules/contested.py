"""A side of an attack, and the result of its roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaigns.schema import Code, Name, Uid
from languages.text import gettext as _
from rules.dice import LARGEST_POOL
from rules.errors import NotPossible, whole
from rules.procedures import Answer, called
from rulesets.storyteller.rules.roll import Result
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

LONGEST_NAME = 80
MOST_SUCCESSES = 50


def name_words() -> str:
    """Return the message for a name that is empty or too long."""
    return _("Enter a name of up to {count} characters.").format(count=LONGEST_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side: a character by its id, or (`character` None) what a GM rolls for; `name` in 1 to 80 letters.

    `traits` of a sheet, or a number of `dice` (1 to 100); with neither, the roller chooses. Difficulty 2 to 10; `kind`
    one of roll.Kind.
    """

    name: Name
    character: Uid | None = None
    traits: tuple[Code, ...] = ()
    dice: int | None = None
    difficulty: int = 6
    kind: Code = "action"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= LONGEST_NAME:
            raise NotPossible("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=name_words())
        whole("difficulty", self.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        if self.dice is not None:
            whole("dice", self.dice, 1, LARGEST_POOL)
        if self.character is None and self.dice is None:
            message = _("{name} has no sheet. Type a number of dice.").format(name=self.called)
            raise NotPossible("pool", None, allowed="a number of dice", message=message)

    @property
    def called(self) -> str:
        return called(self.name)

    @property
    def terms(self) -> dict[str, Any]:
        """Return those of the request for its roll."""
        terms: dict[str, Any] = {"difficulty": self.difficulty, "kind": self.kind, "automatic": False}
        if self.dice is not None:
            return terms | {"dice": self.dice}
        return terms | ({"traits": list(self.traits)} if self.traits else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """Holds what one roll gave: its successes, and whether it was a botch."""

    successes: int
    botch: bool = False


def rolled(answer: Answer) -> Rolled:
    """Return what a standing roll gave."""
    return Rolled(successes=answer.outcome["total"], botch=answer.outcome["result"] == Result.BOTCH)
