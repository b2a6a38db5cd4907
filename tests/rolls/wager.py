"""A procedure that has all that the mechanism can do, for its tests: two stake Willpower, and the first one's dice decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from campaigns.schema import CODE, NAME, UID, ListOf, Maybe
from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.procedures import Firing, ProcedureForm, ProcedureRules
from rolls.rules.bars import Bar, Barred
from rolls.rules.dice import Faces
from rolls.rules.effects import Begin, End, StepResult, Tick, Write
from rolls.rules.procedures import OPEN, Act, Actor, Answer, AvailableAct, Dice, Snapshot, Values
from rulesets.storyteller.table import RollInput

LOST = Reason("wager_lost", "a wager")
SPENT = Bar("wager_spent", "without Willpower")


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


def may(state: Wager, who: Actor) -> list[AvailableAct]:
    if state.won is not None:
        return [AvailableAct("pay"), AvailableAct("again"), AvailableAct("toss")] if not state.settled else []
    own = [
        AvailableAct("ready", side)
        for side in ("a", "b")
        if side not in state.ready and who.plays(getattr(state, side))
    ]
    return [*own, AvailableAct("cheer")]


def act(state: Wager, who: Actor, act: Act) -> Wager | StepResult[Wager]:
    if act.name == "cheer":
        return replace(state, cheers=state.cheers + 1)
    if act.name == "toss":
        return replace(state, tosses=True)
    if act.name == "again":
        return replace(state, again=True)
    if act.name == "ready":
        if not state.will and not act.override:
            raise Barred(SPENT, "Corvina has no Willpower left.")
        return replace(state, ready=(*state.ready, act.whom))
    write = Write(character=state.b, steps=(Shift("willpower_now", -2),), why=LOST)
    tick = [Tick(clock=state.clock, ticks=2)] if state.clock else []
    return StepResult(replace(state, settled=True), (write, *tick, Begin(kind="mark", given={"name": "Shamed"})))


def reads(state: Wager, seen: Snapshot) -> Wager:
    if state.won is not None:
        return state
    dice = seen.sheets[state.a].values.get("perception", 0) if state.a in seen.sheets else 0
    will = seen.sheets[state.b].values.get("willpower_now", 3) if state.b in seen.sheets else 0
    changed = (dice, will) != (state.dice, state.will)
    return replace(state, dice=dice, will=will, ready=() if changed else state.ready)


def fires(state: Wager) -> Firing | None:
    if not state.again and (state.won is not None or len(state.ready) < 2):
        return None
    terms = {"difficulty": 6, "kind": "action", "automatic": False, "dice": state.dice}
    return Firing(part="dice", ask=RollInput(character=UUID(state.a), dice=state.dice), terms=terms)


def fell(state: Wager, answer: Answer) -> StepResult[Wager]:
    """Whoever wins rises at once."""
    won = answer.outcome["result"] == "success"
    write = Write(character=state.a, steps=(Shift("willpower_now", 1),), why=LOST)
    return StepResult(replace(state, won=won, again=False), (write,) if won else ())


def ready(state: Wager) -> Dice | None:
    return Dice(count=state.dice) if state.tosses else None


def settle(state: Wager, faces: Faces) -> Wager:
    """A toss reads its dice, and leads to a roll of as many."""
    for _ in range(state.dice):
        next(faces)
    return replace(state, tosses=False, again=True)


def _party(state: Any, whom: str) -> tuple[str, str | None]:
    return whom.upper(), getattr(state, whom)


def _nothing(state: Any, buttons: Sequence[Any]) -> Values:
    return {}


def _begun(given: Values) -> Wager:
    return Wager(**{name: str(value) for name, value in given.items() if value})


WAGER = ProcedureRules(
    label="Wager",
    state=Wager,
    schema={
        "a": UID,
        "b": UID,
        "clock": Maybe(UID),
        "cheers": int,
        "dice": int,
        "will": int,
        "ready": ListOf(CODE),
        "won": Maybe(bool),
        "again": bool,
        "tosses": bool,
        "settled": bool,
        "closed": bool,
    },
    forms={OPEN: ProcedureForm},
    start=_begun,
    may=may,
    act=act,
    waiting=lambda state: [(side, "to be ready") for side in ("a", "b") if side not in state.ready],
    is_over=lambda state: state.settled or state.closed,
    played=lambda state: [state.a, state.b],
    describe=_nothing,
    buttons=lambda state, offer: offer.name,
    said=lambda state, name, whom: "" if name == "cheer" else f"wager: {name}",
    party=_party,
    reads=reads,
    at_scene_end=lambda state: replace(state, closed=True),
    fires=fires,
    ready=ready,
    settle=settle,
    fell=fell,
    voided=lambda state, part: replace(state, ready=()),
)

MARK = ProcedureRules(
    label="Mark",
    state=Mark,
    schema={"name": NAME, "gone": bool},
    start=lambda given: Mark(name=given["name"]),
    may=lambda state, who: [AvailableAct("rub")] if who.is_gm else [],
    act=lambda state, who, act: StepResult(
        replace(state, gone=True), [End(procedure=act.values["other"])] if act.values else ()
    ),
    waiting=lambda state: [],
    is_over=lambda state: state.gone,
    played=lambda state: [],
    describe=_nothing,
    buttons=lambda state, offer: offer.name,
    said=lambda state, name, whom: f"mark: {name}",
    party=lambda state, whom: ("", None),
    token=True,
)
