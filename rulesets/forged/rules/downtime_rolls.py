"""The dice of a downtime: what falls next, and what comes of it on sheets and clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from characters.sheets.steps import Shift
from rolls.rules.effects import Effect, NewClock, StepResult, Write
from rolls.rules.procedures import Answer, RollPart
from rolls.rules.states import restored, stored
from rulesets.forged.rules.action import PUSH_COST
from rulesets.forged.rules.downtime import Downtime as Kind
from rulesets.forged.rules.downtime import downtime as amount_of
from rulesets.forged.rules.downtime import vice
from rulesets.forged.rules.downtime_activities import ACTIVITY, PUSHED, acquired, amount_effects, stress_effects
from rulesets.forged.rules.downtime_state import Activity, Downtime, DowntimeStage, Plan, Scoundrel, Taken, Trouble
from rulesets.forged.rules.roll import Result
from rulesets.forged.settings import Settings

ENTANGLEMENT: Final = "entanglement"
KEPT: Final = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Dice that are to fall: for which `part`, for whom (None: nobody), what they settle, how many, and what the roll keeps."""

    part: RollPart
    settles: str
    trait: int
    bonus: int = 0
    character: str | None = None
    keeps: Mapping[str, Any] = field(default_factory=dict)


def due(state: Downtime) -> Due | None:
    """Activities that were chosen, then entanglements: dice by the wanted level, read by the heat."""
    if state.stage is not DowntimeStage.ACTIVITIES:
        return None
    for scoundrel in state.those:
        if plan := scoundrel.plan:
            bonus = int(plan.friend) + int(plan.push)
            keeps = {**stored(plan), "by": scoundrel.key}
            return Due(
                part=RollPart(scoundrel.key, str(scoundrel.at)),
                settles=plan.what.value,
                trait=plan.rating,
                bonus=bonus,
                character=scoundrel.character,
                keeps=keeps,
            )
    if state.entangle and state.crew:
        part = RollPart("e", str(len(state.troubles)))
        return Due(part=part, settles=ENTANGLEMENT, trait=state.crew.wanted, keeps={"heat": state.crew.heat})
    return None


def fell(state: Downtime, answer: Answer) -> StepResult[Downtime]:
    """Goes by what the roll keeps alone, so that it may be counted anew when a roll before it is taken back."""
    result, keeps = Result[answer.outcome["result"].upper()], answer.terms["keeps"]
    if answer.terms["settles"] == ENTANGLEMENT:
        return StepResult(_entangled(state, result, keeps["heat"]))
    face = next(die["face"] for die in answer.outcome["dice"] if die["role"] == KEPT)
    plan, scoundrel = restored(Plan, keeps), state.found(keeps["by"])
    if plan.what is Activity.VICE:
        return _indulged(state, scoundrel, face)
    kind = Kind(plan.what.value)
    amount = amount_of(kind, result, tier=plan.rating if plan.what is Activity.ACQUIRE else 0)
    taken = Taken(what=plan.what, amount=amount, result=result, name=plan.name, clock=plan.clock, rating=plan.rating)
    effects: list[Effect] = stress_effects(state, scoundrel, PUSH_COST, PUSHED) if plan.push else []
    if plan.segments:
        effects.append(
            NewClock(
                clock=plan.clock, name=plan.name, segments=plan.segments, kind="project", character=scoundrel.character
            )
        )
    effects += amount_effects(state, scoundrel, taken, amount)
    if plan.what is Activity.ACQUIRE:
        taken = replace(taken, written=True)
        effects.append(acquired(scoundrel, taken))
    return StepResult(_with_taken(state, scoundrel, taken), effects)


def _entangled(state: Downtime, result: Result, heat: int) -> Downtime:
    """Where there is one entry it has come; of two the GM picks."""
    trouble = Trouble(heat=min(heat, 8), result=result)
    if len(trouble.entries.entries) == 1:
        trouble = replace(trouble, chosen=0)
    return replace(state, entangle=max(0, state.entangle - 1), troubles=(*state.troubles, trouble))


def _indulged(state: Downtime, scoundrel: Scoundrel, face: int) -> StepResult[Downtime]:
    before = min(scoundrel.known.stress, state.boxes)
    done = vice(before, face, Settings(boxes=state.boxes))
    after = _with_taken(state, scoundrel, Taken(what=Activity.VICE, amount=done.cleared))
    if done.overindulged:
        scoundrels = (replace(them, over=True) if them.key == scoundrel.key else them for them in after.those)
        after = replace(after, those=tuple(scoundrels))
    write = Write(character=scoundrel.character, steps=(Shift("stress", -done.cleared),), why=ACTIVITY)
    return StepResult(after, [write] if done.cleared else [])


def _with_taken(state: Downtime, scoundrel: Scoundrel, taken: Taken) -> Downtime:
    return state.with_(scoundrel.key, lambda now: replace(now, plan=None, taken=(*now.taken, taken)))


def voided(state: Downtime, part: RollPart) -> Downtime:
    """Without a roll that was taken back: its activity is free again; an entanglement is the GM's to roll anew, or to let be."""
    if part.name == "e":
        return replace(state, entangle=0)
    return state.with_(part.name, lambda now: replace(now, plan=None))
