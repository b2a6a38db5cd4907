"""An extended action: rolls that are made one after the other, and whose successes add up. The text has none: our decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from languages.text import gettext as _
from rules.acts import act, player_of
from rules.errors import whole, word
from rules.procedures import Act, Answer, Asked, Parties, ProcedureRules, RollPart
from rulesets.storyteller.rules.contested import MOST_ROLLS, MOST_SUCCESSES, Rolled, Side, rolled

PART: Final = RollPart("roll")
SET, WITHDRAW = "set", "withdraw"


class OnBotch(StrEnum):
    """What a botch does to the whole action."""

    ENDS = "ends"
    LOSES = "loses"


class ExtendedStage(StrEnum):
    ANNOUNCED = "announced"
    """Announced by a player; a GM has yet to set it."""
    UNDER_WAY = "under_way"
    DONE = "done"
    FAILED = "failed"
    """Ended by a botch."""
    RAN_OUT = "ran_out"
    """Ended because its rolls are used up."""
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extended:
    """An action of one side: `goal` successes (1 to 50) in at most so many rolls (`most`, 1 to 20, None for any number)."""

    side: Side
    goal: int
    most: int | None = None
    on_botch: OnBotch = OnBotch.ENDS
    announced: bool = False
    withdrawn: bool = False
    rolls: tuple[Rolled, ...] = ()

    def __post_init__(self) -> None:
        whole("goal", self.goal, 1, MOST_SUCCESSES)
        if self.most is not None:
            whole("most", self.most, 1, MOST_ROLLS)
        word("on_botch", self.on_botch, OnBotch)

    def _counted(self) -> Iterator[tuple[int, ExtendedStage]]:
        """Yield, after each roll, the successes gathered and the stage. Rolls after the end do not count."""
        gathered = 0
        for number, roll in enumerate(self.rolls, start=1):
            gathered = 0 if roll.botch and self.on_botch is OnBotch.LOSES else gathered + roll.successes
            if roll.botch and self.on_botch is OnBotch.ENDS:
                stage = ExtendedStage.FAILED
            elif gathered >= self.goal:
                stage = ExtendedStage.DONE
            else:
                stage = ExtendedStage.RAN_OUT if number == self.most else ExtendedStage.UNDER_WAY
            yield gathered, stage
            if stage is not ExtendedStage.UNDER_WAY:
                return

    @property
    def made(self) -> int:
        """Return how many rolls count."""
        return len(list(self._counted()))

    @property
    def gathered(self) -> int:
        return next(reversed([gathered for gathered, stage in self._counted()]), 0)

    @property
    def stage(self) -> ExtendedStage:
        if self.withdrawn:
            return ExtendedStage.WITHDRAWN
        if self.announced:
            return ExtendedStage.ANNOUNCED
        return next(reversed([stage for gathered, stage in self._counted()]), ExtendedStage.UNDER_WAY)


def _is_announced(state: Extended) -> bool:
    return state.stage is ExtendedStage.ANNOUNCED


class ExtendedRules(ProcedureRules[Extended]):
    """A GM sets what a player has announced, who may take it back."""

    state = Extended

    @act(SET, when=_is_announced, asks=True)
    def set_terms(self, state: Extended, step: Act) -> Extended:
        values = dict(step.values)
        side = replace(state.side, **values.pop("pool"))
        return replace(state, side=side, **values, announced=False)

    @act(WITHDRAW, by=player_of(lambda state: state.side.character), when=_is_announced)
    def withdraw(self, state: Extended, step: Act) -> Extended:
        return replace(state, withdrawn=True)

    def waiting(self, state: Extended) -> Sequence[tuple[str, str]]:
        if _is_announced(state):
            return [("", _("to set the terms"))]
        return [(PART.name, _("to roll"))] if state.stage is ExtendedStage.UNDER_WAY else []

    def requests(self, state: Extended) -> Sequence[Asked]:
        """Return the request that stays open for all its rolls."""
        if state.stage is not ExtendedStage.UNDER_WAY:
            return ()
        return [Asked(part=PART, terms=state.side.terms, character=state.side.character)]

    def on_answers(self, state: Extended, answers: Sequence[Answer]) -> Extended:
        return replace(state, rolls=tuple(map(rolled, answers)))

    def is_over(self, state: Extended) -> bool:
        return state.stage not in (ExtendedStage.ANNOUNCED, ExtendedStage.UNDER_WAY)

    def parties(self, state: Extended) -> Parties:
        return {PART.name: (state.side.name, state.side.character)}
