"""An opposed action: two sides roll, and more successes win; once, or until one is far enough ahead. The text has none: our
decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final

from pydantic import BaseModel

from languages.text import gettext_lazy, pgettext_lazy
from rolls.odds import Part, bar_said
from rolls.stage import Mark, Staged
from rolls.stage import Side as StageSide
from rules.acting import Like, OneOf, Under, act, anyone
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Answer, Asked, Button
from rules.table import Refused, Table
from rulesets.storyteller.odds import MOST_DICE, net
from rulesets.storyteller.rows import (
    Announced,
    Called,
    CalledByGm,
    Goal,
    Other,
    Own,
    Pool,
    Rolled,
    Side,
    check_own,
)
from rulesets.storyteller.terms import STANDARD, Difficulty

SIDES: Final = ("a", "b")
"""The side that acts and the side that resists."""


class OnTie(StrEnum):
    DEFENDER = "defender"
    AGAIN = "again"


class Until(StrEnum):
    """Names what decides it."""

    ONCE = "once"
    FIRST = "first"
    """The side that first has `goal` successes in all wins."""
    MARGIN = "margin"
    """The side that is first `goal` successes ahead wins."""


ON_TIE: Final = {
    OnTie.DEFENDER: gettext_lazy("the resisting side wins"),
    OnTie.AGAIN: gettext_lazy("both roll again"),
}
TIE_NOTES: Final = {
    OnTie.DEFENDER: gettext_lazy("The resisting side wins a tie."),
    OnTie.AGAIN: gettext_lazy("On a tie, both roll again."),
}
UNTIL: Final = {
    Until.ONCE: gettext_lazy("one roll each"),
    Until.FIRST: gettext_lazy("first to a number of successes"),
    Until.MARGIN: gettext_lazy("first to be a number of successes ahead"),
}

Tie = Annotated[OnTie, OneOf.of(ON_TIE), gettext_lazy("On a tie")]
Decided = Annotated[Until, OneOf.of(UNTIL), Under(""), gettext_lazy("Decided by")]
Roll = Annotated[Pool, Like(gettext_lazy("wits + subterfuge, or 5")), pgettext_lazy("noun", "Roll")]


class Exchange(BaseModel):
    """One roll of each side, as far as they have rolled; successes are compared once both have."""

    a: Rolled | None = None
    b: Rolled | None = None

    @property
    def is_whole(self) -> bool:
        return self.a is not None and self.b is not None


def acting_side(procedure: Opposed, table: Table) -> Words:
    return procedure.a.called(table) if procedure.announced else gettext_lazy("Acting side")


def resisting_side(procedure: Opposed, table: Table) -> Words:
    return procedure.b.called(table) if procedure.announced else gettext_lazy("Resisting side")


class Opposed(Announced):
    """`a` acts and `b` resists. `goal` counts where it is not decided at `once`."""

    label = gettext_lazy("Opposed action")
    against = ("a_character", "b_character")
    lines = {
        "announced": gettext_lazy("{name} announced an opposed action: {roll}, against {other} ({other_roll})."),
        "started": gettext_lazy("{name} started an opposed action: {roll}, against {other} ({other_roll})."),
        "set": gettext_lazy("{name}’s opposed action was set: {roll}, against {other} ({other_roll})."),
        "withdraw": gettext_lazy("{name} called off the opposed action against {other}."),
    }

    a: Side = Side()
    b: Side = Side()
    on_tie: OnTie = OnTie.DEFENDER
    until: Until = Until.ONCE
    goal: int = 5
    exchanges: list[Exchange] = []

    @act(label, by=anyone)
    def open(
        self,
        table: Table,
        *,
        a_character: Annotated[Own, Under(acting_side)] = None,
        a_name: CalledByGm = "",
        a_pool: Roll = "",
        a_difficulty: Difficulty = STANDARD,
        b_character: Annotated[Other, Under(resisting_side)] = None,
        b_name: Called = "",
        b_pool: Roll = "",
        b_difficulty: Difficulty = STANDARD,
        until: Decided = Until.ONCE,
        goal: Goal = 5,
        on_tie: Tie = OnTie.DEFENDER,
    ) -> Words:
        check_own(table, a_character, "a_")
        self.a = Side.of(table, a_character, a_name, a_pool, a_difficulty, "a_")
        self.b = Side.of(table, b_character, b_name, b_pool, b_difficulty, "b_")
        if a_character and a_character is b_character:
            raise Refused(_("{name} can’t be on both sides.", name=a_character.name), "b_character")
        self.on_tie, self.until, self.goal, self.announced = on_tie, until, goal, not table.by.is_gm
        return self.begun(table)

    @act(gettext_lazy("Set terms…"), when=lambda self, table: self.announced)
    def set(
        self,
        table: Table,
        *,
        a_pool: Annotated[Roll, Under(acting_side)] = "",
        a_difficulty: Difficulty = STANDARD,
        b_pool: Annotated[Roll, Under(resisting_side)] = "",
        b_difficulty: Difficulty = STANDARD,
        until: Decided = Until.ONCE,
        goal: Goal = 5,
        on_tie: Tie = OnTie.DEFENDER,
    ) -> Words:
        self.a.set(a_pool, a_difficulty, "a_")
        self.b.set(b_pool, b_difficulty, "b_")
        self.on_tie, self.until, self.goal, self.announced = on_tie, until, goal, False
        return self.line(table, "set")

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        return {**super().so_far(act, table), **self.a.so_far("a_"), **self.b.so_far("b_")}

    @property
    def acting(self) -> Side:
        return self.a

    def settle(self, table: Table) -> None:
        self.over = self.withdrawn or self.decided is not None

    def total(self, side: str, exchanges: int | None = None) -> int:
        """Return the successes of a side in its exchanges that are whole, or the first of these."""
        return sum(getattr(exchange, side).successes for exchange in self.exchanges[:exchanges] if exchange.is_whole)

    @property
    def decided(self) -> tuple[str, int, int] | None:
        """Return (who wins, "a" or "b", by how many successes, after how many exchanges); None while it goes on."""
        for number, exchange in enumerate(self.exchanges, start=1):
            if not exchange.is_whole:
                return None
            a, b = (self.total(side, number) for side in SIDES)
            if self._reached(a, b) and (a != b or self.on_tie is OnTie.DEFENDER):
                return ("a" if a > b else "b"), abs(a - b), number
        return None

    def _reached(self, a: int, b: int) -> bool:
        """Return whether these successes decide; a tie does not if one side has to be ahead."""
        if self.until is Until.ONCE:
            return True
        return max(a, b) >= self.goal if self.until is Until.FIRST else abs(a - b) >= self.goal

    @property
    def now(self) -> Exchange:
        """Return the current, incomplete exchange."""
        return self.exchanges[self.number - 1] if self.number <= len(self.exchanges) else Exchange()

    @property
    def number(self) -> int:
        """Return the number of the exchange that is rolled now, from 1 up."""
        open_ones = (number for number, exchange in enumerate(self.exchanges, start=1) if not exchange.is_whole)
        return next(open_ones, len(self.exchanges) + 1)

    @property
    def missing(self) -> list[tuple[str, Side]]:
        if self.decided or self.announced or self.withdrawn:
            return []
        return [(name, getattr(self, name)) for name in SIDES if getattr(self.now, name) is None]

    def requests(self, table: Table) -> Sequence[Asked]:
        """Return the roll of each side in this exchange."""
        return [side.asked(name, str(self.number)) for name, side in self.missing]

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        """Keep the exchanges in order; one with a voided roll waits for it, and so do those after it."""
        exchanges: dict[int, Exchange] = {}
        for answer in answers:
            setattr(exchanges.setdefault(int(answer.part.of), Exchange()), answer.part.name, Rolled.of(answer.outcome))
        self.exchanges = [exchanges.get(number, Exchange()) for number in range(1, max(exchanges, default=0) + 1)]

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        words = (
            gettext_lazy("Opposed action recounted: {score}.") if again else gettext_lazy("Opposed action: {score}.")
        )
        missing = joined(", ", (side.called(table) for _name, side in self.missing))
        still = _("Still to roll: {names}.", names=missing) if missing else ""
        return self._told(table, words, still)

    def stands(self, table: Table) -> Words:
        return self._told(table, gettext_lazy("Opposed action: {score}."))

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=worded(self.label),
            notes=[self._decided_by()],
            sides=[self._staged(table, name) for name in SIDES],
            odds=self.odds(table),
            acts=sorted(buttons, key=lambda button: button.name == "withdraw"),
        )

    def odds(self, table: Table) -> Mapping[str, Any] | None:
        """Return the exact odds of the current exchange; None if the reader may not know one of its pools."""
        if self.over:
            return None
        dice = [side.dice_now(table) for side in (self.a, self.b)]
        a, b = (self._chances(name, count) for name, count in zip(SIDES, dice, strict=True))
        if a is None or b is None:
            return None
        more = {"a": Fraction(), "equal": Fraction(), "b": Fraction()}
        for own_, chance in a.items():
            for other, against in b.items():
                more["a" if own_ > other else "b" if other > own_ else "equal"] += chance * against
        parts = [
            Part("good", _("{name} ahead", name=self.a.called(table)), more["a"]),
            Part("fair", _("tie"), more["equal"]),
            Part("bad", _("{name} ahead", name=self.b.called(table)), more["b"]),
        ]
        return bar_said(parts, dice=dice[0], lines=[_("this roll")])

    def _chances(self, name: str, dice: int) -> Mapping[int, Fraction] | None:
        """Return the chance of each number of successes: one that has been rolled is certain."""
        if fallen := getattr(self.now, name):
            return {fallen.successes: Fraction(1)}
        return net(dice, getattr(self, name).difficulty) if 0 < dice <= MOST_DICE else None

    def named(self, table: Table) -> dict[str, Words]:
        called = {"name": self.a.called(table), "other": self.b.called(table)}
        return {**called, "roll": self.a.roll, "other_roll": self.b.roll}

    def line(self, table: Table, what: str) -> Message:
        line = super().line(table, what)
        return joined(" ", (line, self._decided_by())) if what in ("started", "set") else line

    def _decided_by(self) -> Message:
        """Return sentences such as "First to 5 successes. On a tie, both roll again."."""
        match self.until:
            case Until.ONCE:
                sentence = _("One roll each.")
            case Until.FIRST:
                sentence = ngettext("First to {count} success.", "First to {count} successes.", self.goal)
            case Until.MARGIN:
                sentence = ngettext(
                    "First to be {count} success ahead.", "First to be {count} successes ahead.", self.goal
                )
        return joined(" ", (sentence, worded(TIE_NOTES[self.on_tie])))

    def _told(self, table: Table, words: str, still: Words = "") -> Words:
        sentences = (worded(words, score=self._score(table)), self._won(table), still)
        return joined(" ", filter(None, sentences))

    def _score(self, table: Table) -> Words:
        """Return words such as "Silas 3, Vesper 2"; as long as one has not rolled yet, what the other has."""
        scored = [*self._so_far()]
        if self.decided is not None:
            scored = [(getattr(self, name), self.total(name, self.decided[2])) for name in SIDES]
        each = joined(", ", (joined(" ", (side.called(table), str(total))) for side, total in scored))
        return each or _("no one has rolled yet")

    def _so_far(self) -> Iterator[tuple[Side, int]]:
        """Yield each side that has rolled, with all its successes, those of the exchange that is not whole yet among them."""
        for name in SIDES:
            now = getattr(self.now, name)
            if now is not None or self.number > 1:
                yield getattr(self, name), self.total(name) + (now.successes if now else 0)

    def _won(self, table: Table) -> Words:
        """Return a sentence such as "Silas won by 1."; "" before it is decided."""
        if self.decided is None:
            return ""
        winner, margin = self.decided[:2]
        name = getattr(self, winner).called(table)
        return _("{name} won by {count}.", name=name, count=margin) if margin else _("{name} won the tie.", name=name)

    def _staged(self, table: Table, name: str) -> StageSide:
        side, now = getattr(self, name), getattr(self.now, name)
        marks = [Mark(_("total: {count}", count=self.total(name)))] if self.number > 1 else []
        marks += [Mark(_("rolled {count}", count=now.successes))] if now else []
        return StageSide(name=side.called(table), character=side.character or "", words=side.roll, marks=marks)
