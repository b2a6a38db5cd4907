"""What the procedures of these rules read and write of sheets (rules/table.py), and who rolls what in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import BaseModel, PrivateAttr

from campaigns.schema import Code, Name
from characters.sheets.fields import SheetError
from languages.text import gettext_lazy
from rules.acting import FOR_GM, OPEN, Between, Like, OneOf, Procedure, Text, Waits, act, owner
from rules.errors import RuleError
from rules.messages import Message, Words, worded
from rules.messages import gettext as _
from rules.procedures import RECOUNTED, ROLLED, SOMEONE, Asked, RollPart, named
from rules.table import Held, Refused, Row, Sheet, Table
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.damage import Body
from rulesets.storyteller.rules.roll import Kind, Result
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import SHEET
from rulesets.storyteller.terms import BETWEEN, DIFFICULTIES, LONGEST_POOL, STANDARD, StorytellerInput, typed

LONGEST_NAME: Final = 80
MOST_SUCCESSES: Final = 50


class Person(Sheet):
    """A character; an NPC that is no more than a number rolls its `pool` for anything. Its sheet is veiled from those who may not
    read it."""

    sheet: ClassVar[str] = "storyteller"

    pool: int = 0
    bashing: int = 0
    lethal: int = 0
    aggravated: int = 0
    _is_told: bool = PrivateAttr(False)

    def shown(self) -> Row | None:
        self._is_told = True
        if not self.opened:
            self.values, self.pool = Held(), 0
        if not self.shared:
            self.bashing = self.lethal = self.aggravated = 0
        return super().shown()

    @property
    def is_veiled(self) -> bool:
        """Return whether those who look may not read its sheet."""
        return self._is_told and not self.opened

    @property
    def is_whole(self) -> bool:
        """Return whether those who look may know all of its sheet."""
        return self.shared or not self._is_told

    @property
    def strength(self) -> int:
        """Return the dice that it adds to the damage of a blow."""
        return SHEET.number(self.values, "strength") + sheet.discipline(self.values, sheet.POTENCE)

    @property
    def body(self) -> Body:
        """Return what they soak with."""
        return Body(
            stamina=SHEET.number(self.values, "stamina"),
            fortitude=sheet.discipline(self.values, sheet.FORTITUDE),
            armour=SHEET.number(self.values, sheet.ARMOUR),
            mortal=SHEET.value(self.values, "being") == sheet.MORTAL,
        )

    @property
    def quick(self) -> int:
        """Return the dice of an NPC that rolls one number for anything; 0 for all others."""
        return 0 if self.is_played else self.pool


def known(procedure: Row, table: Table) -> list[Person]:
    """Return the characters in play that players know, against whom anyone may act."""
    return [one for one in table.all(Person) if one.in_play and not one.hidden]


def own(procedure: Row, table: Table) -> list[Person]:
    """Return those of them with whom whoever asks may act."""
    return [one for one in known(procedure, table) if table.by.plays(one.id)]


SOMEONE_ELSE, CHARACTER = gettext_lazy("someone else"), gettext_lazy("Character")
Own = Annotated[Person | None, OneOf(own, SOMEONE_ELSE), CHARACTER]
"""A character that the actor plays; a GM may also type a name (CalledByGm)."""
Other = Annotated[Person | None, OneOf(known, SOMEONE_ELSE), CHARACTER]
Called = Annotated[str, Text(LONGEST_NAME), gettext_lazy("Or a name")]
CalledByGm = Annotated[Called, FOR_GM]
Pool = Annotated[
    str, Text(LONGEST_POOL), Like(gettext_lazy("dexterity + crafts, or 5")), gettext_lazy("Traits or dice")
]
Goal = Annotated[int, Between(1, MOST_SUCCESSES), gettext_lazy("Successes needed")]
UsualDifficulty = Annotated[
    int | None,
    BETWEEN,
    replace(DIFFICULTIES, none=gettext_lazy("house rule")),
    FOR_GM,
    gettext_lazy("Difficulty"),
]
"""One that a GM may set in place of the usual one."""


class Side(BaseModel):
    """A character by its id, or what a GM rolls for, by its `name`.

    It rolls `traits` of its sheet, or a number of `dice`; with neither, the roller chooses. `kind` is one of roll.Kind.
    """

    name: Name = SOMEONE
    character: Code | None = None
    traits: list[Code] = []
    dice: int | None = None
    difficulty: int = STANDARD
    kind: Code = Kind.ACTION.value

    @classmethod
    def of(cls, table: Table, who: Person | None, name: str, pool: str, difficulty: int, prefix: str = "") -> Self:
        """Return a side, from what stands in the fields of a form that begin with `prefix`. Raises Refused."""
        side = cls(name=who.name if who else named(name), character=who.id if who else None)
        side.set(pool or str((who and who.quick) or ""), difficulty, prefix)
        if who is None and side.dice is None:
            message = _("{name} has no sheet. Type a number of dice.", name=side.called(table))
            raise Refused(message, f"{prefix}pool")
        return side

    def set(self, pool: str, difficulty: int, prefix: str = "") -> None:
        """Set what it rolls, as it is typed into the roll form. Raises Refused."""
        try:
            asked = StorytellerInput(difficulty=difficulty, **typed(pool)).settled()
        except (RuleError, SheetError) as error:
            raise Refused(error.message, f"{prefix}pool") from error
        self.traits, self.dice, self.difficulty, self.kind = [*asked.traits], asked.dice, difficulty, asked.kind

    @property
    def ask(self) -> StorytellerInput:
        """Return the terms of its roll."""
        return StorytellerInput(traits=tuple(self.traits), dice=self.dice, difficulty=self.difficulty, kind=self.kind)

    @property
    def roll(self) -> Words:
        """Return words such as "Dexterity + Crafts, difficulty 7"."""
        return self.ask.words

    def who(self, table: Table) -> Person | None:
        return table.find(Person, self.character)

    def called(self, table: Table) -> Words:
        """Return its name; of a character that has gone, the name that it had."""
        who = self.who(table)
        return who.name if who else _(SOMEONE) if self.name == SOMEONE else self.name

    def dice_now(self, table: Table) -> int:
        """Return the dice that it would roll now; 0 if its roller chooses, or if those who look may not know."""
        who = self.who(table)
        if who.is_veiled if who else self.traits:
            return 0
        try:
            return self.ask.on(
                who.values if who else {},
                table.settings,
                lambda kind: table.extra_dice(self.character or "", kind.value) if kind is Kind.ACTION else 0,
            ).pool.dice
        except RuleError:
            return 0

    def so_far(self, prefix: str = "") -> dict[str, Any]:
        """Return what stands in the fields for its roll."""
        return {f"{prefix}pool": self.ask.pool, f"{prefix}difficulty": self.difficulty}

    def asked(self, *part: str) -> Asked:
        """Return its roll, as it is asked for."""
        return Asked(part=RollPart(*part), terms=self.ask.terms, character=self.character)

    def waits(self, table: Table, key: str) -> Waits:
        who = self.who(table)
        return Waits(who.id, _("to roll")) if who else Waits(key, _("to roll"), self.called(table))


def check_own(table: Table, who: Person | None, prefix: str = "") -> None:
    """Refuse a player who acts with nobody of their own. Raises Refused."""
    if who is None and not table.by.is_gm:
        raise Refused(_("Choose one of your characters."), f"{prefix}character")


class StorytellerProcedure(Procedure):
    """A procedure of these rules; its state of 0.2 had the same names."""

    def turn_of(self, who: str) -> str:
        """Return the round of it in which a character takes part, as its rolls keep it; "" outside of turns."""
        return ""

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        told = cls.model_validate({name: value for name, value in state.items() if name in cls.model_fields})
        told.settle(table := Table([told], settings=Settings(**state.get("decisions", {}))))
        return table


class Rolled(BaseModel):
    """Holds what one roll gave: its successes, and whether it was a botch."""

    successes: int
    botch: bool = False

    @classmethod
    def of(cls, outcome: Mapping[str, Any]) -> Self:
        """Return what a standing roll gave."""
        return cls(successes=outcome["total"], botch=outcome["result"] == Result.BOTCH)


class Announced(StorytellerProcedure):
    """One whose terms a GM sets, and whose rolls count together: a player announces it, and may call it off until it is set."""

    lines: ClassVar[Mapping[str, str]]
    """The lines of how it was `announced`, `started`, `set` and called off (`withdraw`)."""

    announced: bool = False
    withdrawn: bool = False

    @property
    def acting(self) -> Side:
        """Return the side that acts."""
        raise NotImplementedError

    @property
    def missing(self) -> list[tuple[str, Side]]:
        """Return the sides that have to roll now, by the parts that they roll."""
        raise NotImplementedError

    def named(self, table: Table) -> dict[str, Words]:
        """Return what its lines name."""
        raise NotImplementedError

    @act(
        gettext_lazy("Call it off"),
        by=owner,
        each=lambda self, table: filter(None, [self.acting.who(table) if self.announced else None]),
    )
    def withdraw(self, table: Table, who: Person) -> Message:
        self.withdrawn = True
        return self.line(table, "withdraw")

    def waits(self, table: Table) -> Sequence[Waits]:
        if self.announced:
            return [Waits("", _("to set the terms"))]
        return [side.waits(table, part) for part, side in self.missing]

    def line(self, table: Table, what: str) -> Message:
        """Return one of its `lines`."""
        return worded(self.lines[what], **self.named(table))

    def begun(self, table: Table) -> Message:
        """Return the line of how it was announced, or started."""
        return self.line(table, "announced" if self.announced else "started")

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if self.withdrawn:
            return self.line(table, "withdraw")
        if act == OPEN:
            return self.begun(table)
        if act == "set":
            return self.line(table, act)
        stands = "" if act in (ROLLED, RECOUNTED) else self.stands(table)
        return stands or self.told_rolls(table, again=act == RECOUNTED)
