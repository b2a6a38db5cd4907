"""Two people: one bearer goes ahead and another follows. Both roll, and whoever has light may share oil with whoever has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar

from afterburn import procedures as play
from afterburn.procedures import Answer, Asked, Between, OneOf, RollPart, Table, Words, act, anyone, joined, owner
from afterburn.procedures import gettext as _
from afterburn.ruleset import Code
from afterburn.sheets import Reason
from afterburn_lanterns.rules import HIGHEST, Light
from afterburn_lanterns.sheet import SHEET


class Bearer(play.Sheet):
    """What is read and written of a lantern-bearer's sheet."""

    sheet: ClassVar[str] = SHEET.name

    oil: int = 0


def known(together: Together, table: Table) -> list[Bearer]:
    return [who for who in table.all(Bearer) if who.in_play and not who.hidden]


def own(together: Together, table: Table) -> list[Bearer]:
    return [who for who in known(together, table) if table.by.plays(who.id)]


def givers(together: Together, table: Table) -> Iterator[tuple[Bearer, Bearer]]:
    """Yield who has light and oil while the other is in the dark, and the other."""
    bearers = together.pair(table)
    for giver, taker in zip(bearers, reversed(bearers), strict=True):
        lit = together.lights.get(giver.id, Light.DARK) is not Light.DARK
        if lit and giver.oil and together.lights.get(taker.id) is Light.DARK and not together.shared:
            yield giver, taker


class Together(play.Procedure):
    label = "Go together"
    why = Reason("lanterns_shared", "oil that was shared")
    against = ("own", "other")

    bearers: list[Code] = []
    wind: int = 0
    lights: dict[Code, Light] = {}
    shared: bool = False

    @act(label, says="{own} and {other} went into the dark, wind {wind}.", by=anyone)
    def open(
        self,
        table: Table,
        *,
        own: Annotated[Bearer, OneOf(own), "Who goes ahead"],
        other: Annotated[Bearer, OneOf(known), "Who follows"],
        wind: Annotated[int, Between(0, HIGHEST), "Wind"] = 0,
    ) -> None:
        if own is other:
            raise play.Refused("Choose one of yours, and somebody else.", "other")
        self.bearers, self.wind = [own.id, other.id], wind

    @act("Share oil with {taker}", says="{giver} shared oil.", by=owner, each=givers)
    def share(self, table: Table, giver: Bearer, taker: Bearer) -> None:
        giver.oil -= 1
        taker.oil += 1
        self.shared = True

    @act(
        "Go on",
        says="{names} went on.",
        by=lambda self, who: who.plays(self.bearers[0]),
        when=lambda self, table: len(self.lights) == 2,
    )
    def go_on(self, table: Table) -> Mapping[str, Words]:
        self.over = True
        return {"names": joined(" and ", (who.name for who in self.pair(table)))}

    def pair(self, table: Table) -> list[Bearer]:
        """Return the two; one who has left is missing."""
        return [who for one in self.bearers if (who := table.find(Bearer, one))]

    def requests(self, table: Table) -> Sequence[Asked]:
        """Return a roll of each who has not rolled."""
        return [
            Asked(part=RollPart("light", str(place)), terms={"wind": self.wind}, character=who)
            for place, who in enumerate(self.bearers)
            if who not in self.lights and not self.over
        ]

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        self.lights = {self.bearers[int(one.part.of)]: Light(one.outcome["result"]) for one in answers}

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        each = [_("{name}: {light}", name=who.name, light=self.light(who)) for who in self.pair(table)]
        return joined("", (joined(", ", each), "."))

    def waits(self, table: Table) -> Sequence[play.Waits]:
        rolls = [play.Waits(who, "to roll") for who in self.bearers if who not in self.lights]
        return rolls or [play.Waits(self.bearers[0], "to go on")]

    def light(self, who: Bearer) -> str:
        return self.lights.get(who.id, "yet to roll")

    def card(self, table: Table, buttons: Sequence[play.Button]) -> play.Staged:
        sides = [
            play.Side(name=who.name, character=who.id, words=self.light(who), marks=[play.Mark(f"oil for {who.oil}")])
            for who in self.pair(table)
        ]
        return play.Staged(above=self.label, notes=[f"Wind {self.wind}."], sides=sides, acts=buttons)
