"""An extended action: rolls that are made one after the other, and whose successes add up. The text has none: our decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import Between, Like, OneOf, act, anyone
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Answer, Asked, Button
from rules.table import Table
from rulesets.storyteller.rows import (
    Announced,
    CalledByGm,
    Goal,
    Own,
    Pool,
    Rolled,
    Side,
    check_own,
)
from rulesets.storyteller.terms import STANDARD, Difficulty

MOST_ROLLS: Final = 20
PART: Final = "roll"


class OnBotch(StrEnum):
    """What a botch does to the whole action."""

    ENDS = "ends"
    LOSES = "loses"


ON_BOTCH: Final = {
    OnBotch.ENDS: gettext_lazy("the action fails"),
    OnBotch.LOSES: gettext_lazy("all successes so far are lost"),
}
BOTCH_NOTES: Final = {
    OnBotch.ENDS: gettext_lazy("A botch ends the action."),
    OnBotch.LOSES: gettext_lazy("A botch loses all successes so far."),
}


class Stage(StrEnum):
    ANNOUNCED = "announced"
    """Announced by a player; a GM has yet to set it."""
    UNDER_WAY = "under_way"
    DONE = "done"
    FAILED = "failed"
    """Ended by a botch."""
    RAN_OUT = "ran_out"
    """Ended because its rolls are used up."""
    WITHDRAWN = "withdrawn"


ENDS: Final = {
    Stage.DONE: gettext_lazy("The action succeeded."),
    Stage.FAILED: gettext_lazy("A botch ended the action."),
    Stage.RAN_OUT: gettext_lazy("No rolls were left."),
}

Most = Annotated[int | None, Between(1, MOST_ROLLS), Like(gettext_lazy("any")), gettext_lazy("Maximum rolls")]
Botch = Annotated[OnBotch, OneOf.of(ON_BOTCH), gettext_lazy("On a botch")]


class Extended(Announced):
    """One side gathers `goal` successes in at most so many rolls (`most`, None for any number)."""

    label = gettext_lazy("Extended action")
    against = ("character", "")
    lines = {
        "announced": gettext_lazy("{name} announced an extended action: {roll}; {successes}."),
        "started": gettext_lazy("{name} started an extended action: {roll}; {successes}."),
        "set": gettext_lazy("{name}’s extended action was set: {roll}; {successes}."),
        "withdraw": gettext_lazy("{name} called off the extended action."),
    }

    side: Side = Side()
    goal: int = 5
    most: int | None = None
    on_botch: OnBotch = OnBotch.ENDS
    rolls: list[Rolled] = []

    @act(label, by=anyone)
    def open(
        self,
        table: Table,
        *,
        character: Own = None,
        name: CalledByGm = "",
        pool: Pool = "",
        difficulty: Difficulty = STANDARD,
        goal: Goal,
        most: Most = None,
        on_botch: Botch = OnBotch.ENDS,
    ) -> Words:
        check_own(table, character)
        self.side = Side.of(table, character, name, pool, difficulty)
        self.goal, self.most, self.on_botch, self.announced = goal, most, on_botch, not table.by.is_gm
        return self.begun(table)

    @act(gettext_lazy("Set terms…"), when=lambda self, table: self.announced)
    def set(
        self,
        table: Table,
        *,
        pool: Pool = "",
        difficulty: Difficulty = STANDARD,
        goal: Goal,
        most: Most = None,
        on_botch: Botch = OnBotch.ENDS,
    ) -> Words:
        self.side.set(pool, difficulty)
        self.goal, self.most, self.on_botch, self.announced = goal, most, on_botch, False
        return self.line(table, "set")

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        return {**super().so_far(act, table), **self.side.so_far()}

    @property
    def acting(self) -> Side:
        return self.side

    @property
    def missing(self) -> list[tuple[str, Side]]:
        return [(PART, self.side)] if self.stage is Stage.UNDER_WAY else []

    def settle(self, table: Table) -> None:
        self.over = self.stage not in (Stage.ANNOUNCED, Stage.UNDER_WAY)

    def _counted(self) -> Iterator[tuple[int, Stage]]:
        """Yield, after each roll, the successes gathered and the stage. Rolls after the end do not count."""
        gathered = 0
        for number, roll in enumerate(self.rolls, start=1):
            gathered = 0 if roll.botch and self.on_botch is OnBotch.LOSES else gathered + roll.successes
            if roll.botch and self.on_botch is OnBotch.ENDS:
                stage = Stage.FAILED
            elif gathered >= self.goal:
                stage = Stage.DONE
            else:
                stage = Stage.RAN_OUT if number == self.most else Stage.UNDER_WAY
            yield gathered, stage
            if stage is not Stage.UNDER_WAY:
                return

    @property
    def made(self) -> int:
        """Return how many rolls count."""
        return len([*self._counted()])

    @property
    def gathered(self) -> int:
        return [0, *(gathered for gathered, _stage in self._counted())][-1]

    @property
    def stage(self) -> Stage:
        if self.withdrawn:
            return Stage.WITHDRAWN
        if self.announced:
            return Stage.ANNOUNCED
        return [Stage.UNDER_WAY, *(stage for _gathered, stage in self._counted())][-1]

    def requests(self, table: Table) -> Sequence[Asked]:
        """Return the request that stays open for all its rolls."""
        return [side.asked(part) for part, side in self.missing]

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        self.rolls = [Rolled.of(answer.outcome) for answer in answers]

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        recounted = gettext_lazy("{name}’s extended action was recounted: {state}.")
        sentence = recounted if again else gettext_lazy("{name}’s extended action: {state}.")
        line = worded(sentence, name=self.side.called(table), state=self._stands())
        return joined(" ", (line, worded(ENDS[self.stage]))) if self.stage in ENDS else line

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=worded(self.label),
            title=joined(": ", (self.side.called(table), self.side.roll)),
            faces=[self.side.character] if self.side.character else (),
            notes=[*self._notes()],
            progress=None if self.announced else (self.gathered, self.goal),
            acts=sorted(buttons, key=lambda button: button.name == "withdraw"),
        )

    def named(self, table: Table) -> dict[str, Words]:
        return {"name": self.side.called(table), "roll": self.side.roll, "successes": self._length()}

    def _length(self) -> Message:
        goal = ngettext("{count} success", "{count} successes", self.goal)
        if self.most is None:
            return goal
        return ngettext(
            "{successes} in at most {count} roll", "{successes} in at most {count} rolls", self.most, successes=goal
        )

    def _stands(self) -> Message:
        """Return words such as "7 of 12 successes, 3 rolls"."""
        successes = ngettext(
            "{gathered} of {count} success", "{gathered} of {count} successes", self.goal, gathered=self.gathered
        )
        return ngettext("{successes}, {count} roll", "{successes}, {count} rolls", self.made, successes=successes)

    def _notes(self) -> Iterator[Words]:
        if self.announced:
            yield _("{successes}. Waiting for the GM to set the terms.", successes=self._length())
            return
        yield self._stands()
        if self.most:
            yield ngettext("At most {count} roll.", "At most {count} rolls.", self.most)
        yield worded(BOTCH_NOTES[self.on_botch])
