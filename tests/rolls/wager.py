"""A procedure that has all that the mechanism can do, for its tests: two stake Willpower, and the first one's dice decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from uuid import UUID

from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.procedures import NextRoll, ProcedureForm, ProcedureKind
from rules.acts import AvailableAct, Target, act, player_of
from rules.dice import Dice, Faces
from rules.effects import Begin, StepResult, Tick, Write
from rules.errors import Block, BlockedByState
from rules.procedures import OPEN, Act, Answer, Button, RollPart, Snapshot, Values
from rulesets.storyteller.table.ask import StorytellerInput

LOST = Reason("wager_lost", "a wager")
SPENT = Block("wager_spent", "without Willpower")


@dataclass(frozen=True, kw_only=True)
class Wager:
    """`dice` and `will` are read from the sheets of `a` and `b`; `won` is None until the dice have fallen."""

    a: str
    b: str
    clock: str | None = None
    cheers: int = 0
    dice: int = 0
    will: int = 1
    ready: tuple[str, ...] = ()
    won: bool | None = None
    again: bool = False
    tosses: bool = False
    settled: bool = False
    closed: bool = False


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Something that lies on the table until it is used."""

    name: str
    gone: bool = False


def _unready(state: Wager) -> list[str]:
    return [side for side in ("a", "b") if state.won is None and side not in state.ready]


def _waits(state: Wager) -> bool:
    return state.won is None


def _is_won(state: Wager) -> bool:
    return state.won is not None and not state.settled


class WagerProcedure(ProcedureKind[Wager]):
    label = "Wager"
    state = Wager
    forms: ClassVar = {OPEN: ProcedureForm}

    def start(self, given: Values) -> Wager:
        return Wager(**{name: str(value) for name, value in given.items() if value})

    @act(by=player_of(lambda state, side: getattr(state, side)), each=_unready, tried=False)
    def ready(self, state: Wager, step: Act, side: str) -> Wager:
        if not state.will and not step.override:
            raise BlockedByState(SPENT, "Corvina has no Willpower left.")
        return replace(state, ready=(*state.ready, side))

    @act(by=lambda state, who: True, when=_waits)
    def cheer(self, state: Wager, step: Act) -> Wager:
        return replace(state, cheers=state.cheers + 1)

    @act(by=lambda state, who: True, when=_is_won)
    def pay(self, state: Wager, step: Act) -> StepResult[Wager]:
        write = Write(character=state.b, steps=(Shift("willpower_now", -2),), why=LOST)
        tick = [Tick(clock=state.clock, ticks=2)] if state.clock else []
        return StepResult(replace(state, settled=True), (write, *tick, Begin(kind="mark", given={"name": "Shamed"})))

    @act("again", by=lambda state, who: True, when=_is_won)
    def roll_again(self, state: Wager, step: Act) -> Wager:
        return replace(state, again=True)

    @act(by=lambda state, who: True, when=_is_won)
    def toss(self, state: Wager, step: Act) -> Wager:
        return replace(state, tosses=True)

    def waiting(self, state: Wager) -> list[tuple[str, str]]:
        return [(side, "to be ready") for side in ("a", "b") if side not in state.ready]

    def is_over(self, state: Wager) -> bool:
        return state.settled or state.closed

    def played(self, state: Wager) -> list[str]:
        return [state.a, state.b]

    def party(self, state: Wager, target: Target) -> tuple[str, str | None]:
        return target[0].upper(), getattr(state, target[0])

    def describe(self, state: Wager, buttons: Sequence[Button]) -> Values:
        return {}

    def button_words(self, state: Wager, available: AvailableAct) -> str:
        return available.name

    def said(self, state: Wager, name: str, whom: str) -> str:
        return "" if name == "cheer" else f"wager: {name}"

    def reads(self, state: Wager, seen: Snapshot) -> Wager:
        if state.won is not None:
            return state
        dice = seen.sheets[state.a].values.get("perception", 0) if state.a in seen.sheets else 0
        will = seen.sheets[state.b].values.get("willpower_now", 3) if state.b in seen.sheets else 0
        changed = (dice, will) != (state.dice, state.will)
        return replace(state, dice=dice, will=will, ready=() if changed else state.ready)

    def at_scene_end(self, state: Wager) -> Wager:
        return replace(state, closed=True)

    def next_roll(self, state: Wager) -> NextRoll | None:
        if not state.again and (state.won is not None or len(state.ready) < 2):
            return None
        terms = {"difficulty": 6, "kind": "action", "automatic": False, "dice": state.dice}
        return NextRoll(
            part=RollPart("dice"), ask=StorytellerInput(character=UUID(state.a), dice=state.dice), terms=terms
        )

    def on_roll(self, state: Wager, answer: Answer) -> StepResult[Wager]:
        """Raise the winner's Willpower at once."""
        won = answer.outcome["result"] == "success"
        write = Write(character=state.a, steps=(Shift("willpower_now", 1),), why=LOST)
        return StepResult(replace(state, won=won, again=False), (write,) if won else ())

    def on_void(self, state: Wager, part: RollPart) -> Wager:
        return replace(state, ready=())

    def dice_needed(self, state: Wager) -> Dice | None:
        return Dice(count=state.dice) if state.tosses else None

    def apply_dice(self, state: Wager, faces: Faces) -> Wager:
        """Read the toss's dice, which lead to a roll of as many."""
        for _ in range(state.dice):
            next(faces)
        return replace(state, tosses=False, again=True)


class MarkProcedure(ProcedureKind[Mark]):
    label = "Mark"
    state = Mark
    token = True

    def start(self, given: Values) -> Mark:
        return Mark(name=given["name"])

    @act(when=lambda state: not state.gone)
    def rub(self, state: Mark, step: Act) -> Mark:
        return replace(state, gone=True)

    def is_over(self, state: Mark) -> bool:
        return state.gone

    def describe(self, state: Mark, buttons: Sequence[Button]) -> Values:
        return {}

    def button_words(self, state: Mark, available: AvailableAct) -> str:
        return available.name

    def said(self, state: Mark, name: str, whom: str) -> str:
        return f"mark: {name}"


WAGER, MARK = WagerProcedure(), MarkProcedure()
