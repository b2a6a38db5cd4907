"""A procedure that has all that the mechanism can do, for its tests: two stake Willpower, and the first one's dice decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from campaigns.schema import Code, Name
from characters.reasons import Reason
from rolls.forms.asked import played
from rolls.stage import Staged
from rules.acting import Procedure, Roll, Waits, act, anyone, digest, nobody, owner
from rules.errors import Block
from rules.messages import Words
from rules.procedures import Button
from rules.table import Clock, Sheet, Table
from rulesets.storyteller.terms import StorytellerInput

LOST = Reason("wager_lost", "a wager")
SPENT = Block("wager_spent", "without Willpower")


class Bettor(Sheet):
    sheet = "storyteller"

    perception: int = 0
    willpower_now: int = 0


def unready(wager: Wager, table: Table) -> list[Bettor]:
    if wager.won is not None:
        return []
    return [who for who in wager.bettors(table) if who.id not in wager.agreed]


def is_won(wager: Wager, table: Table) -> bool:
    return wager.won is not None


class Wager(Procedure):
    """`won` is None until the dice have fallen; `seen` are the sheets by which those who `agreed` did."""

    label = "Wager"
    why = LOST

    a: Code = ""
    b: Code = ""
    clock: Code = ""
    agreed: list[Code] = []
    seen: str = ""
    cheers: int = 0
    won: bool | None = None
    again: bool = False

    @act(label, says="wager: open")
    def open(
        self,
        table: Table,
        *,
        a: Annotated[Bettor, "One"],
        b: Annotated[Bettor, "Other"],
        clock: Annotated[Clock | None, "Clock"] = None,
        **costs: int,
    ) -> None:
        self.a, self.b, self.clock = a.id, b.id, clock.id if clock else ""
        a.willpower_now -= costs.get("costs", 0)

    @act("ready", says="wager: ready", by=owner, each=unready, tried=False)
    def ready(self, table: Table, who: Bettor) -> None:
        if not table.get(Bettor, self.b).willpower_now:
            table.forbid(SPENT, "Corvina has no Willpower left.")
        self.agreed.append(who.id)
        self.seen = self.terms(table)

    @act("cheer", by=anyone, when=lambda wager, table: wager.won is None)
    def cheer(self, table: Table) -> None:
        self.cheers += 1

    @act("pay", says="wager: pay", by=anyone, when=is_won)
    def pay(self, table: Table) -> None:
        table.get(Bettor, self.b).willpower_now -= 2
        if self.clock:
            table.get(Clock, self.clock).filled += 2
        table.begin(Mark, name="Shamed")
        self.over = True

    @act("roll again", says="wager: roll again", by=anyone, when=is_won)
    def roll_again(self, table: Table) -> None:
        self.again = True

    @act("toss", says="wager: toss", by=anyone, when=is_won)
    def toss(self, table: Table) -> None:
        """Throw dice, which lead to a roll of as many."""
        self.again = bool(table.throw(table.get(Bettor, self.a).perception))

    def bettors(self, table: Table) -> list[Bettor]:
        return [who for one in (self.a, self.b) if (who := table.find(Bettor, one))]

    def terms(self, table: Table) -> str:
        return digest([(who.perception, who.willpower_now) for who in self.bettors(table)])

    def settle(self, table: Table) -> None:
        if self.won is None and self.agreed and self.seen != self.terms(table):
            self.agreed = []

    def scene_ended(self, table: Table) -> Words:
        self.over = True
        return ""

    def next_roll(self, table: Table) -> Roll | None:
        if not self.again and (self.won is not None or len(self.agreed) < 2):
            return None
        dice = table.get(Bettor, self.a).perception
        terms = {"difficulty": 6, "kind": "action", "automatic": False, "dice": dice}
        return Roll(part="dice", ask=StorytellerInput(character=UUID(self.a), dice=dice), terms=terms)

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Raise the winner's Willpower at once."""
        self.won, self.again = outcome["result"] == "success", False
        table.get(Bettor, self.a).willpower_now += self.won
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        self.agreed = []

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits(who.id, "to be ready") for who in unready(self, table)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(acts=buttons)


class Mark(Procedure):
    """Something that lies on the table until it is used."""

    label = "Mark"
    token = True

    name: Name = ""

    @act(label, says="mark: open", by=nobody)
    def open(self, table: Table, *, name: str) -> None:
        self.name = name

    @act("rub", says="mark: rub")
    def rub(self, table: Table) -> None:
        self.over = True

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(acts=buttons)


WAGER, MARK = played("storyteller", Wager), played("storyteller", Mark)
