"""An extended action: rolls that are made one after the other, and whose successes add up. The text has none: our decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import OPEN, Between, OneOf, Waits, act, anyone
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import RECOUNTED, Answer, Asked, Button
from rules.table import Table
from rulesets.storyteller.rows import (
    MOST_SUCCESSES,
    Called,
    Difficulty,
    Person,
    Pool,
    Rolled,
    Side,
    StorytellerProcedure,
    check_own,
    own,
)

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

Goal = Annotated[int, Between(1, MOST_SUCCESSES), gettext_lazy("Successes needed")]
Most = Annotated[int | None, Between(1, MOST_ROLLS), gettext_lazy("Maximum rolls")]
Botch = Annotated[OnBotch, OneOf(lambda procedure, table: ON_BOTCH.items()), gettext_lazy("On a botch")]


class Extended(StorytellerProcedure):
    """One side gathers `goal` successes in at most so many rolls (`most`, None for any number). A GM sets what a player has
    announced, who may call it off."""

    label = gettext_lazy("Extended action")
    against = ("character", "")

    side: Side = Side()
    goal: int = 5
    most: int | None = None
    on_botch: OnBotch = OnBotch.ENDS
    announced: bool = False
    withdrawn: bool = False
    rolls: list[Rolled] = []

    @act(label, by=anyone)
    def open(
        self,
        table: Table,
        *,
        goal: Goal,
        character: Annotated[Person | None, OneOf(own), gettext_lazy("Character")] = None,
        name: Called = "",
        pool: Pool = "",
        difficulty: Difficulty = 6,
        most: Most = None,
        on_botch: Botch = OnBotch.ENDS,
    ) -> Words:
        check_own(table, character)
        self.side = Side.of(table, character, name, pool, difficulty)
        self.goal, self.most, self.on_botch = goal, most, on_botch
        self.announced = not table.by.is_gm
        return self._begun(table)

    @act(
        gettext_lazy("Set terms…"),
        says=gettext_lazy("{name}’s extended action was set: {roll}; {successes}."),
        when=lambda self, table: self.announced,
    )
    def set(
        self,
        table: Table,
        *,
        goal: Goal,
        pool: Pool = "",
        difficulty: Difficulty = 6,
        most: Most = None,
        on_botch: Botch = OnBotch.ENDS,
    ) -> Mapping[str, Words]:
        self.side.set(pool, difficulty)
        self.goal, self.most, self.on_botch = goal, most, on_botch
        self.announced = False
        return self._named(table)

    @act(
        gettext_lazy("Call it off"),
        says=gettext_lazy("{name} called off the extended action."),
        by=lambda self, who: who.plays(self.side.character),
        when=lambda self, table: self.announced,
    )
    def withdraw(self, table: Table) -> Mapping[str, Words]:
        self.withdrawn = True
        return self._named(table)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        return {**super().so_far(act, table), **self.side.so_far()}

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
        return [self.side.asked(PART)] if self.stage is Stage.UNDER_WAY else []

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        self.rolls = [Rolled.of(answer.outcome) for answer in answers]

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        recounted = gettext_lazy("{name}’s extended action was recounted: {state}.")
        sentence = recounted if again else gettext_lazy("{name}’s extended action: {state}.")
        line = worded(sentence, name=self.side.called(table), state=self._stands())
        return joined(" ", (line, worded(ENDS[self.stage]))) if self.stage in ENDS else line

    def waits(self, table: Table) -> Sequence[Waits]:
        if self.stage is Stage.ANNOUNCED:
            return [Waits("", _("to set the terms"))]
        return [self.side.waits(table, PART)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=worded(self.label),
            title=joined(": ", (self.side.called(table), self.side.roll)),
            faces=[self.side.character] if self.side.character else (),
            notes=[*self._notes()],
            progress=None if self.announced else (self.gathered, self.goal),
            acts=buttons,
        )

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act == OPEN and not self.withdrawn:
            return self._begun(table)
        said = self.acts.get("withdraw" if self.withdrawn else act)
        return worded(said.says, **self._named(table)) if said else self.told_rolls(table, again=act == RECOUNTED)

    def _begun(self, table: Table) -> Message:
        if self.announced:
            sentence = gettext_lazy("{name} announced an extended action: {roll}; {successes}.")
        else:
            sentence = gettext_lazy("{name} started an extended action: {roll}; {successes}.")
        return worded(sentence, **self._named(table))

    def _named(self, table: Table) -> dict[str, Words]:
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
