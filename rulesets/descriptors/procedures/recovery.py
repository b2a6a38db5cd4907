"""Recovery: its bearer or others make rolls against an Injury, each against its own dice as they are then (descriptors.txt, "You
make a Recovery roll against an Injury")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final
from uuid import UUID

from pydantic import BaseModel

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import OneOf, Roll, Waits, act, anyone
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.descriptors.procedures.pools import Filling, Side, reads
from rulesets.descriptors.rows import Chip, Hero, chips_of, everyone, known_of
from rulesets.descriptors.rules.contest import GAIN
from rulesets.descriptors.sheet import INJURIES
from rulesets.descriptors.table import odds_bar
from rulesets.descriptors.terms import DescriptorsInput, Pool, rated

KEYS: Final = "abcdefgh"
"""The ids of those who help."""


class Ended(StrEnum):
    NOT_YET = ""
    MENDED = "mended"
    """The Injury is gone by these rolls."""
    TRIED = "tried"
    """All have rolled, or left it."""
    GONE = "gone"
    """The Injury went otherwise, or who bears it left play."""


class Injury(BaseModel):
    """The row `row` of the sheet of `character`, who is `bearer`; its name and its dice, 0 once it is gone."""

    character: Code = ""
    bearer: Name = ""
    row: Code = ""
    name: Name = ""
    dice: int = 0

    @property
    def id(self) -> str:
        return f"{self.character}/{self.row}"

    @property
    def words(self) -> Words:
        return rated(self.name, self.dice) if self.dice else self.name


class Rolled(BaseModel):
    """A recovery roll that was made: whose (`side`), how many `successes` (0: the Injury withstood), the dice that are `left`."""

    side: Code
    successes: int
    left: int


def injuries(procedure: Recovery, table: Table) -> Iterator[tuple[Injury, Words]]:
    """Yield the Injuries on sheets that the actor may read, and those that everyone knows."""
    for hero in everyone(procedure, table):
        chips = chips_of(hero, INJURIES.name) if reads(table, hero) else known_of(table, hero)
        for source, name, dice in chips:
            _hero, rows, row = source.split("/")
            if rows == INJURIES.name:
                injury = Injury(character=hero.id, bearer=hero.name, row=row, name=name, dice=dice)
                yield injury, joined(": ", (hero.name, injury.words))


class Recovery(Filling):
    """Each of the `sides` is one who helps, and rolls once, when they are ready; `rolled` are those rolls in their order."""

    label = gettext_lazy("Recovery")
    why = Reason("recovery", gettext_lazy("a recovery roll"))
    TOGETHER: ClassVar[bool] = False

    injury: Injury = Injury()
    rolled: list[Rolled] = []
    ended: Ended = Ended.NOT_YET

    @property
    def trying(self) -> list[Side]:
        """Return the sides that have not rolled yet."""
        done = {roll.side for roll in self.rolled}
        return [side for side in self.sides if side.id not in done]

    @property
    def filled(self) -> list[Side]:
        return [] if self.over else self.trying

    @property
    def opposed(self) -> str:
        return f"{self.injury.character}/{INJURIES.name}/{self.injury.row}"

    def seen_by(self, side: Side) -> tuple[Any, ...]:
        """Return the pool, and the dice that the Injury has, against which who is ready rolls."""
        return (*super().seen_by(side), self.injury.dice)

    @act(label, by=anyone)
    def open(
        self,
        table: Table,
        *,
        injury: Annotated[
            Injury,
            OneOf(
                injuries,
                nothing=gettext_lazy(
                    "You don’t know of any Injury. Its bearer can start the recovery and choose who helps."
                ),
            ),
            gettext_lazy("Injury"),
        ],
        helpers: Annotated[list[Hero], OneOf(everyone), gettext_lazy("Who rolls against it, once each")] = [],  # noqa: B006  # nobody writes it
        override: bool = False,
    ) -> Message:
        those = list({one.id: one for one in helpers}.values())
        if not 1 <= len(those) <= len(KEYS):
            words = _("Choose who rolls against the Injury: 1 to {count} people.", count=len(KEYS))
            raise Refused(words, "helpers")
        row = table.get(Hero, injury.character).injuries[injury.row]
        self.injury = injury.model_copy(update={"name": row.name, "dice": row.dice})
        self.sides = [Side(id=key, name=one.name, character=one.id) for key, one in zip(KEYS, those, strict=False)]
        table.override |= override and table.by.is_gm
        for side in self.sides:
            self.let_in(table, side)
        return self._opened()

    @act(
        gettext_lazy("Leave out"),
        says=gettext_lazy("{helper} no longer rolls against {name}’s {injury}."),
        by=lambda self, who, side: who.plays(side.character) or who.plays(self.injury.character),
        each=lambda self, table: self.filled,
    )
    def leave(self, table: Table, side: Side) -> Mapping[str, Words]:
        self.sides = [one for one in self.sides if one.id != side.id]
        self._end_if_done()
        return {"helper": side.name, **self._named}

    def next_roll(self, table: Table) -> Roll | None:
        side = next((side for side in self.filled if side.ready), None)
        if side is None or side.character is None:
            return None
        injury = self.injury
        ask = DescriptorsInput(
            character=UUID(side.character),
            pools=(side, Pool(unnamed=injury.dice)),
            versus=f"{injury.name} ({injury.bearer})",
            recovery=True,
        )
        return Roll(part=side.id, ask=ask)

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Take one die off the Injury for each success. A lost roll and a stalemate do nothing, except that the bearer
        gains Will if the campaign decided so.
        """
        won, injury = outcome["winner"] == "a", self.injury
        successes = min(injury.dice, outcome["successes"]) if won else 0
        injury.dice -= successes
        self.rolled.append(Rolled(side=part, successes=successes, left=injury.dice))
        bearer = table.get(Hero, injury.character)
        if not won and table.settings.recovery_pays_bearer and bearer.fund(table.settings).will is not None:
            bearer.will += GAIN
        elif injury.dice and (row := bearer.injuries.get(injury.row)):
            row.dice = injury.dice
        elif not injury.dice:
            bearer.injuries.pop(injury.row, None)
        self._end_if_done()
        return self._rolled_line()

    def undo_roll(self, table: Table, part: str) -> None:
        """Return to the pool of who rolled: they have to be ready again."""
        for side in self.sides:
            side.ready = side.ready and side.id != part

    def settle(self, table: Table) -> None:
        """Correct the pools that are not rolled yet; an Injury that is gone ends it."""
        if self.over:
            return
        super().settle(table)
        bearer = table.find(Hero, self.injury.character)
        if bearer is None or not bearer.plays or self.injury.row not in bearer.injuries:
            self.ended, self.over = Ended.GONE, True
            table.told = [self._gone()]

    def more_changed(self, table: Table) -> list[str]:
        bearer, injury = table.find(Hero, self.injury.character), self.injury
        row = bearer.injuries.get(injury.row) if bearer and bearer.plays else None
        if bearer is None or row is None:
            return []
        changed = row.dice != injury.dice
        injury.bearer, injury.name, injury.dice = bearer.name, row.name, row.dice
        return [row.name] if changed else []

    def _end_if_done(self) -> None:
        if self.injury.dice == 0:
            self.ended = Ended.MENDED
        elif not self.trying:
            self.ended = Ended.TRIED
        self.over = self.ended is not Ended.NOT_YET

    # What is seen

    @property
    def _named(self) -> dict[str, Words]:
        return {"name": self.injury.bearer, "injury": self.injury.words}

    def stands(self, table: Table) -> Message:
        return _("Recovery of {name} from {injury}.", **self._named)

    def waits(self, table: Table) -> Sequence[Waits]:
        return [one for side in self.filled for one in self.waits_of(side)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        injury = self.injury
        sides = [
            self.staged_side(
                side,
                buttons,
                odds_bar(side.dice, injury.dice, table.settings, names=(side.label, _("the Injury"))),
            )
            for side in self.trying
        ]
        return Staged(
            above=worded(self.label),
            title=joined(": ", (injury.bearer, injury.words)),
            notes=[*self.news, *map(self._rolled_words, self.rolled)],
            sides=sides,
        )

    def _rolled_words(self, roll: Rolled) -> Message:
        name = next((side.name for side in self.sides if side.id == roll.side), "")
        if not roll.successes:
            return _("{name}: the Injury stays as it is.", name=name)
        if roll.left:
            return ngettext(
                "{name}: {count} success, {dice}D left.",
                "{name}: {count} successes, {dice}D left.",
                roll.successes,
                name=name,
                dice=roll.left,
            )
        return ngettext(
            "{name}: {count} success, the Injury is gone.",
            "{name}: {count} successes, the Injury is gone.",
            roll.successes,
            name=name,
        )

    def _opened(self) -> Message:
        started = _(
            "{name} started to recover from {injury}. Rolling: {helpers}.",
            **self._named,
            helpers=joined(", ", (side.name for side in self.sides)),
        )
        return joined(" ", [started, *self.those_let_in])

    def _rolled_line(self) -> Message:
        injury = self.injury
        return _(
            "{name} recovers from “{injury}”. {rolled}",
            name=injury.bearer,
            injury=injury.name,
            rolled=self._rolled_words(self.rolled[-1]),
        )

    def _gone(self) -> Message:
        return _("{name}’s recovery from “{injury}” is over.", name=self.injury.bearer, injury=self.injury.name)

    def told(self) -> Iterator[Chip]:
        yield from super().told()
        yield Chip(self.opposed, self.injury.name, self.injury.dice)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        ended = state.get("ended", Ended.NOT_YET)
        own = {name: state[name] for name in ("injury", "rolled") if name in state}
        return cls.from_before(state, **own, ended=ended, over=ended != Ended.NOT_YET)

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        match act:
            case "open":
                return self._opened()
            case "rolled" if self.rolled:
                return self._rolled_line()
            case "reread" if self.ended is Ended.GONE:
                return self._gone()
            case "leave":
                return self.acts[act].line(self, table, {"helper": whom, **self._named})
        return super().line_before(table, act, whom)
