"""A procedure whose acts amend a roll: one that was there before, one that it asks for, or one that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from uuid import UUID

from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.procedures import NextRoll, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct, Target, act
from rules.effects import Amend, StepResult, Write
from rules.procedures import OPEN, Act, Answer, Asked, Button, RollPart, Values
from rulesets.storyteller.table.ask import StorytellerInput

PUSHED = Reason("pushed", "pushed")
TERMS = {"difficulty": 6, "kind": "action", "automatic": False, "dice": 3}


@dataclass(frozen=True, kw_only=True)
class Pushing:
    """`who` rolls, in this `way`: "" for a `roll` that was there before, else "asked" or "made"."""

    who: str
    way: str = ""
    roll: str = ""
    result: str = ""
    pushed: int = 0
    over: bool = False


def _has_fallen(state: Pushing) -> bool:
    return bool(state.roll) and not state.over


def _roll_of(state: Pushing) -> tuple[str, ...]:
    return (state.roll,)


class PushingProcedure(ProcedureKind[Pushing]):
    label = "Push"
    state = Pushing
    forms: ClassVar = {OPEN: ProcedureForm}

    def start(self, given: Values) -> Pushing:
        return Pushing(**{name: str(value) for name, value in given.items()})

    @act(by=lambda state, who: True, when=_has_fallen, terms=_roll_of)
    def push(self, state: Pushing, step: Act) -> StepResult[Pushing]:
        """Reroll the first die for a point of Willpower."""
        spent = Write(character=state.who, steps=(Shift("willpower_now", -1),), why=PUSHED)
        return self._amended(state, spent, again=(0,))

    @act(by=lambda state, who: True, when=_has_fallen, terms=_roll_of)
    def all_again(self, state: Pushing, step: Act) -> StepResult[Pushing]:
        return self._amended(state, again=(2, 0, 1))

    @act(by=lambda state, who: True, when=_has_fallen, terms=_roll_of)
    def ease(self, state: Pushing, step: Act) -> StepResult[Pushing]:
        return self._amended(state, changes={"difficulty": 4})

    @act(by=lambda state, who: True, when=_has_fallen, terms=_roll_of)
    def wrong(self, state: Pushing, step: Act) -> StepResult[Pushing]:
        """There is no such die."""
        return self._amended(state, again=(9,))

    @act(by=lambda state, who: True, when=_has_fallen, terms=_roll_of)
    def cheat(self, state: Pushing, step: Act) -> StepResult[Pushing]:
        """Correct a roll in a way that its rules do not allow."""
        return self._amended(state, changes={"dice": 9})

    def _amended(self, state: Pushing, *effects: Write, **how: object) -> StepResult[Pushing]:
        amend = Amend(roll=state.roll, why=PUSHED, **how)
        return StepResult(replace(state, pushed=state.pushed + 1), (*effects, amend))

    @act(by=lambda state, who: True)
    def end(self, state: Pushing, step: Act) -> Pushing:
        return replace(state, over=True)

    def requests(self, state: Pushing) -> Sequence[Asked]:
        if state.way != "asked" or state.roll:
            return []
        return [Asked(part=RollPart("only"), terms=TERMS, character=state.who)]

    def on_answers(self, state: Pushing, answers: Sequence[Answer]) -> Pushing:
        if state.way != "asked":
            return state
        answer = answers[0] if answers else None
        return replace(state, roll=answer.roll if answer else "", result=answer.outcome["result"] if answer else "")

    def next_roll(self, state: Pushing) -> NextRoll | None:
        if state.way != "made" or state.roll:
            return None
        ask = StorytellerInput(character=UUID(state.who), dice=3)
        return NextRoll(part=RollPart("only"), ask=ask, terms=TERMS)

    def on_roll(self, state: Pushing, answer: Answer) -> StepResult[Pushing]:
        """Give a point of Willpower for a success."""
        given = Write(character=state.who, steps=(Shift("willpower_now", 1),), why=PUSHED)
        after = replace(state, roll=answer.roll, result=answer.outcome["result"])
        return StepResult(after, (given,) if after.result == "success" else ())

    def on_void(self, state: Pushing, part: RollPart) -> Pushing:
        return replace(state, over=True)

    def is_over(self, state: Pushing) -> bool:
        return state.over

    def played(self, state: Pushing) -> list[str]:
        return [state.who]

    def party(self, state: Pushing, target: Target) -> tuple[str, str | None]:
        return "Silas", state.who

    def button_words(self, state: Pushing, available: AvailableAct) -> str:
        return available.name

    def describe(self, state: Pushing, buttons: Sequence[Button]) -> Values:
        return {"staged": Staged(above="Push", acts=buttons)}

    def said(self, state: Pushing, name: str, whom: str) -> str:
        return f"pushing: {name}"


PUSHING = PushingProcedure()
