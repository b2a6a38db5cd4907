"""Who rolls what in an extended or opposed action, and what one roll gave."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel

from campaigns.schema import Code, Name
from characters.sheets.fields import SheetError
from languages.text import gettext_lazy
from rules.acting import Between, Text, Waits
from rules.dice import LARGEST_POOL
from rules.errors import RuleError, whole
from rules.messages import Words
from rules.messages import gettext as _
from rules.procedures import SOMEONE, Answer, Asked, RollPart, named
from rules.table import Refused, Table
from rulesets.storyteller import sheet
from rulesets.storyteller.rows import LONGEST_NAME, Person
from rulesets.storyteller.rules.roll import Kind, Result, wound_penalty
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY
from rulesets.storyteller.table.ask import OWN_KINDS, asked_pool, asked_said

MOST_SUCCESSES: Final = 50
LONGEST_POOL: Final = 120

Called = Annotated[str, Text(LONGEST_NAME), gettext_lazy("Or a name")]
Pool = Annotated[str, Text(LONGEST_POOL), gettext_lazy("Traits or dice")]
Difficulty = Annotated[int, Between(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY), gettext_lazy("Difficulty")]


class Side(BaseModel):
    """A character by its id, or what a GM rolls for, by its `name`.

    It rolls `traits` of its sheet, or a number of `dice`; with neither, the roller chooses. `kind` is one of roll.Kind.
    """

    name: Name = SOMEONE
    character: Code | None = None
    traits: list[Code] = []
    dice: int | None = None
    difficulty: int = 6
    kind: Code = Kind.ACTION.value

    @property
    def terms(self) -> dict[str, Any]:
        """Return those of the request for its roll."""
        terms: dict[str, Any] = {"difficulty": self.difficulty, "kind": self.kind, "automatic": False}
        if self.dice is not None:
            return terms | {"dice": self.dice}
        return terms | ({"traits": self.traits} if self.traits else {})

    @property
    def roll(self) -> Words:
        """Return words such as "Dexterity + Crafts, difficulty 7"."""
        return asked_said(self.terms)

    def who(self, table: Table) -> Person | None:
        return table.find(Person, self.character) if self.character else None

    def called(self, table: Table) -> Words:
        """Return its name; of a character that has gone, the name that it had."""
        who = self.who(table)
        return who.name if who else _(SOMEONE) if self.name == SOMEONE else self.name

    def dice_now(self, table: Table) -> int:
        """Return the dice that it would roll now; 0 if its roller chooses, or if those who look may not know."""
        who, is_action = self.who(table), self.kind == Kind.ACTION
        more = table.extra_dice(self.character or "", Kind.ACTION.value) if is_action else 0
        if (who is None and self.dice is None) or (who and who.is_veiled):
            return 0
        if self.dice is not None or who is None:
            return max(1, (self.dice or 0) + more)
        if not self.traits:
            return 0
        wounds = wound_penalty(sheet.wounded(who.values), table.settings.wound_penalties) if is_action else 0
        dots = sheet.pool(who.values, self.traits).dice
        return max(1, dots + more - wounds) if dots else 0

    def so_far(self, prefix: str = "") -> dict[str, Any]:
        """Return what stands in the fields for its roll."""
        return {f"{prefix}pool": asked_pool(self.terms), f"{prefix}difficulty": self.difficulty}

    def asked(self, *part: str) -> Asked:
        """Return its roll, as it is asked for."""
        return Asked(part=RollPart(*part), terms=self.terms, character=self.character)

    def waits(self, table: Table, key: str) -> Waits:
        who = self.who(table)
        return Waits(who.id, _("to roll")) if who else Waits(key, _("to roll"), self.called(table))


def side(table: Table, who: Person | None, name: str, pool: str, difficulty: int, prefix: str = "") -> Side:
    """Return a side, from what stands in the fields of a form that begin with `prefix`. Raises Refused."""
    rolled = read_pool(pool or str((who and who.quick) or ""), difficulty, prefix)
    made = Side(name=who.name if who else named(name), character=who.id if who else None, **rolled)
    if who is None and made.dice is None:
        message = _("{name} has no sheet. Type a number of dice.", name=made.called(table))
        raise Refused(message, f"{prefix}pool")
    return made


def check_own(table: Table, who: Person | None, prefix: str = "") -> None:
    """Refuse a player who acts with nobody of their own. Raises Refused."""
    if who is None and not table.by.is_gm:
        raise Refused(_("Choose one of your characters."), f"{prefix}character")


def read_pool(pool: str, difficulty: int, prefix: str = "") -> dict[str, Any]:
    """Return a side's fields for a pool as typed into the roll form. Raises Refused."""
    try:
        if pool.isdecimal():
            dice = whole("dice", int(pool[:9]), 1, LARGEST_POOL)
            return {"dice": dice, "traits": [], "difficulty": difficulty, "kind": Kind.ACTION.value}
        traits = [trait.name for trait in sheet.pool({}, pool.split("+")).traits] if pool else []
    except (RuleError, SheetError) as error:
        raise Refused(error.message, f"{prefix}pool") from error
    kinds = {OWN_KINDS.get(sheet.SHEET.group_of(trait), Kind.ACTION) for trait in traits}
    kind = kinds.pop() if len(kinds) == 1 else Kind.ACTION
    return {"dice": None, "traits": traits, "difficulty": difficulty, "kind": kind.value}


class Rolled(BaseModel):
    """Holds what one roll gave: its successes, and whether it was a botch."""

    successes: int
    botch: bool = False


def rolled(answer: Answer) -> Rolled:
    """Return what a standing roll gave."""
    return Rolled(successes=answer.outcome["total"], botch=answer.outcome["result"] == Result.BOTCH)
