"""A kind of procedure that is still made of functions, until it is a class of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rolls.procedures import NextRoll, ProcedureKind
from rolls.rules import function_procedures as old
from rolls.rules.acts import ActKey, Actor, AvailableAct, Target
from rolls.rules.effects import StepResult, led
from rolls.rules.procedures import Act, Answer, Asked, RollPart
from rolls.table_rules import RollInput, Terms

SAME = (
    *("label", "opened_by", "state", "schema", "forms", "news", "sees", "sees_clocks", "token", "rolls", "reads"),
    *("others_go_by_it", "prepare", "start", "waiting", "is_over", "played", "describe", "said", "shown"),
    "at_scene_end",
)
RENAMED = {"ready": "dice_needed", "settle": "apply_dice"}


@dataclass(frozen=True, kw_only=True)
class Firing:
    part: str
    ask: RollInput
    terms: Terms = field(default_factory=dict)


class FunctionProcedure(ProcedureKind[Any]):
    def __init__(self, **functions: Any) -> None:
        self.f = functions
        for name, function in functions.items():
            if name in SAME or name in RENAMED:
                setattr(self, RENAMED.get(name, name), function)

    @property
    def rereads(self) -> bool:
        return "reads" in self.f

    def is_open_to_all(self, name: str) -> bool:
        return name in self.f.get("open_to_all", ())

    def available(self, state: Any, who: Actor) -> list[AvailableAct]:
        return [AvailableAct(one.name, _target(one.whom), one.terms) for one in self.f["may"](state, who)]

    def why_not(self, state: Any, who: Actor, key: ActKey) -> str:
        words: str = (
            self.f["why_not"](state, who, old.AvailableAct(key.name, key.target)) if "why_not" in self.f else ""
        )
        return words

    def take(self, state: Any, step: Act) -> StepResult[Any]:
        act = old.Act(name=step.name, whom=step.whom, values=step.values, override=step.override, seen=step.seen)
        return led(self.f["act"](state, step.by, act))

    def button_words(self, state: Any, available: AvailableAct) -> str:
        words: str = self.f["buttons"](state, old.AvailableAct(available.name, available.whom, available.terms))
        return words

    def primary(self, state: Any, available: AvailableAct) -> bool:
        return "primary" in self.f and self.f["primary"](state, old.AvailableAct(available.name, available.whom))

    def party(self, state: Any, target: Target) -> tuple[str, str | None]:
        party: tuple[str, str | None] = self.f["party"](state, ".".join(map(str, target)))
        return party

    def requests(self, state: Any) -> Sequence[Asked]:
        asked = self.f["asks"](state) if "asks" in self.f else ()
        return [Asked(part=RollPart.parse(one.part), terms=one.terms, character=one.character) for one in asked]

    def on_answers(self, state: Any, answers: Sequence[Answer]) -> Any:
        return self.f["told"](state, [_answer(one) for one in answers]) if "told" in self.f else state

    def next_roll(self, state: Any) -> NextRoll | None:
        firing = self.f["fires"](state) if "fires" in self.f else None
        return NextRoll(part=RollPart.parse(firing.part), ask=firing.ask, terms=firing.terms) if firing else None

    def on_roll(self, state: Any, answer: Answer) -> Any:
        return self.f["fell"](state, _answer(answer)) if "fell" in self.f else state

    def on_void(self, state: Any, part: RollPart) -> Any:
        return self.f["voided"](state, _part(part)) if "voided" in self.f else state


def _target(whom: str) -> Target:
    return (whom,) if whom else ()


def _answer(answer: Answer) -> old.Answer:
    return old.Answer(part=_part(answer.part), outcome=answer.outcome, terms=answer.terms)


def _part(part: RollPart) -> str:
    return f"{part.name}-{part.of}" if part.name in ("resist", "roll") and part.of else str(part)
