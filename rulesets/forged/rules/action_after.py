"""A staged action once its dice have fallen: its result, its consequences, and what a set-up gives (forged.txt, Judge
the Result, Lead a group action, Set up).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Shift, Step, Take
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules import effects as outside
from rules.acts import act
from rules.effects import Begin, End, StepResult, Tick, Write
from rules.errors import NotPossible
from rules.procedures import Act, Answer, Parties, ProcedureRules, RollPart, Snapshot
from rulesets.forged.rules.action import EFFECTS, Effect, Position
from rulesets.forged.rules.action_before import with_participant
from rulesets.forged.rules.action_state import WORSE, Action, ActionStage, Benefit, Participant, by_actor
from rulesets.forged.rules.roll import Result

ACTED: Final = Reason("forged_action", gettext_lazy("an action"))
DESPERATE: Final = Reason("forged_desperate", gettext_lazy("a desperate action"), quiet=True)
"""Of the XP that the roll's card says."""
LED: Final = Reason("forged_led", gettext_lazy("leading a group action"))
BARGAIN: Final = Reason("forged_bargain", gettext_lazy("a Devil’s Bargain"))
SETUP: Final = "setup"
"""The kind of procedures that an action leads to."""


def to_roll(state: Action) -> Participant | None:
    """Return the one whose dice fall next: once all are ready, one after the other."""
    if state.stage is not ActionStage.SET or any(participant.waits for participant in state.participants):
        return None
    return next((participant for participant in state.participants if not participant.result), None)


def part_of(participant: Participant) -> RollPart:
    """Return the name of a participant's roll in the procedure; 18 characters."""
    return RollPart("roll", participant.character[:13])


def fell(state: Action, answer: Answer) -> StepResult[Action]:
    """Count one of the action's rolls: xp and gambits at once, and after the last one the result."""
    participant = next((participant for participant in state.participants if part_of(participant) == answer.part), None)
    if participant is None or participant.result:
        return StepResult(state)
    first, outcome = participant == state.participants[0], answer.outcome
    rolled = _by_quality(state, participant, outcome) if participant.cohort else outcome
    came = {"at": rolled["position"], **{name: rolled[name] for name in ("result", "effect", "ticks")}}
    state = with_participant(state, replace(participant, **came))
    effects = [*_marks(state, participant.character, outcome), *(_spent(state, outcome) if first else ())]
    if any(not participant.result for participant in state.participants):
        return StepResult(state, effects)
    judged = _judged(state)
    return StepResult(judged.state, [*effects, *judged.effects])


def _by_quality(state: Action, cohort: Participant, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a cohort's dice, which are rolled with its quality instead of an action."""
    critical = outcome["result"] == Result.CRITICAL.name.lower()
    reached = state.built(cohort, critical=critical).level
    done = outcome["result"] != Result.BAD.name.lower()
    return {
        "result": outcome["result"],
        "position": state.in_position.value,
        "effect": state.built(cohort).level.effect.value,
        "ticks": reached.ticks if done else 0,
    }


def voided(state: Action, part: RollPart) -> Action:
    """Forget a voided roll; its player has to say again that they are ready."""
    blank: dict[str, Any] = {"result": "", "at": "", "effect": "", "ticks": 0, "ready": False}
    participants = tuple(
        replace(participant, **blank) if part_of(participant) == part else participant
        for participant in state.participants
    )
    return replace(state, participants=participants, stage=ActionStage.SET, resisting="")


def _marks(state: Action, character: str, outcome: Mapping[str, Any]) -> Iterator[outside.Effect]:
    if outcome.get("xp") and state.attribute:
        yield Write(character=character, steps=(Shift(f"{state.attribute}_xp", outcome["xp"]),), why=DESPERATE)


def _spent(state: Action, outcome: Mapping[str, Any]) -> Iterator[outside.Effect]:
    """Yield what uses up the tokens, the crew's gambit, and the coin and the item of a bargain."""
    yield from (End(procedure=token.id) for token in state.tokens if not token.stays)
    change = outcome.get("gambits", 0) - state.gambit
    if change and state.crew is not None and state.crew.gambits is not None:
        yield Write(character=state.crew.character, steps=(Shift("gambits", change),), why=ACTED)
    paid: list[Step] = [Shift("coin", -state.bargain_coin)] if state.bargained and state.bargain_coin else []
    if state.bargained and state.bargain_item in state.actor.items:
        paid.append(Take("items", state.bargain_item))
    if paid:
        yield Write(character=state.actor.character, steps=tuple(paid), why=BARGAIN)


def _judged(state: Action) -> StepResult[Action]:
    effects = list(_led(state)) if state.group else []
    controlled = state.best.at == Position.CONTROLLED
    if controlled and state.result in (Result.PARTIAL, Result.BAD):
        return StepResult(replace(state, stage=ActionStage.CHOICE), effects)
    if state.menu or state.owes:
        return StepResult(replace(state, stage=ActionStage.FOLLOWS), effects)
    done = advance(replace(state, stage=ActionStage.FOLLOWS, finished=True))
    return StepResult(done.state, [*effects, *done.effects])


def _led(state: Action) -> Iterator[outside.Effect]:
    """Yield the stress of the leader: 1 for each player character on 1-3, the leader among them, and for no cohort, as far as
    there is room."""
    stress = sum(participant.came is Result.BAD for participant in state.participants if not participant.cohort)
    if stress:
        shift = Shift("stress", stress, most=state.settings.boxes)
        yield Write(character=state.actor.character, steps=(shift,), why=LED)


def advance(state: Action) -> StepResult[Action]:
    """Tick the clock, and apply a set-up, once the GM has named all consequences and they are settled."""
    if not held(state) or (state.clock_gone and state.ticks):
        return StepResult(state)
    ticks = state.ticks
    effects = [Tick(clock=state.clock, ticks=ticks)] if state.clock and ticks else []
    came_off = state.setup and not state.withdrew and state.result is not Result.BAD
    return StepResult(replace(state, ticked=ticks, stage=ActionStage.SET_UP if came_off else ActionStage.DONE), effects)


def held(state: Action) -> bool:
    """Return whether everything is settled but the action's own ticks, which wait because their clock was archived."""
    return state.stage is ActionStage.FOLLOWS and state.finished and not state.open and not state.resisting


def worse_position(character: str, name: str, to: Position) -> Begin:
    return Begin(
        kind=SETUP,
        given={"character": character, "name": name, "gives": WORSE, "to": to.value, "by": "", "setter": None},
    )


def _grants(state: Action) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if state.stage is not ActionStage.FOLLOWS or state.finished or state.withdrew or state.result is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(participant.effect)) for participant in state.participants)
    return [effect for effect in EFFECTS[1 : most + 1] if effect.value != state.granted]


def _followed(state: Action) -> bool:
    """Return whether somebody can follow a set-up."""
    others = [person for person in state.people if not person.out and person.character != state.actor.character]
    return state.stage is ActionStage.SET_UP and bool(others)


class AfterTheDice(ProcedureRules[Action]):
    """The acting player's decisions, and what the GM grants."""

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.CHOICE)
    def press_on(self, state: Action, step: Act) -> StepResult[Action]:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        if state.result is Result.PARTIAL:
            return StepResult(replace(state, stage=ActionStage.FOLLOWS))
        risky = worse_position(state.actor.character, state.actor.name, Position.RISKY)
        return StepResult(replace(state, stage=ActionStage.DONE), (risky,))

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.CHOICE)
    def fall_back(self, state: Action, step: Act) -> Action:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        return replace(state, stage=ActionStage.FOLLOWS if state.owes else ActionStage.DONE, withdrew=True)

    @act(each=_grants)
    def grant(self, state: Action, step: Act, effect: Effect) -> Action:
        return replace(state, granted=effect.value)

    @act(by=by_actor, when=_followed, asks=True)
    def set_up(self, state: Action, step: Act) -> StepResult[Action]:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        given = {"character": None, "name": "", "gives": Benefit(step.values["gives"]).value, "to": ""}
        token = Begin(kind=SETUP, given=given | {"by": state.actor.name, "setter": state.actor.character})
        return StepResult(replace(state, stage=ActionStage.DONE), [token])

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.SET_UP)
    def nobody_follows(self, state: Action, step: Act) -> Action:
        return replace(state, stage=ActionStage.DONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A benefit or a worse position for a later action: for whom (`character`, `name`; None for whoever follows), what it
    `gives` (a Benefit, or `worse` with the position `to`), and whose set-up it is from.
    """

    character: Uid | None
    name: Name
    gives: Code
    to: Code = ""
    by: Name = ""
    setter: Uid | None = None
    gone: bool = False

    def __post_init__(self) -> None:
        if self.gives not in (*Benefit, WORSE) or (self.gives == WORSE) != (self.to in tuple(Position)):
            message = _("Choose effect, a better position or a worse one.")
            raise NotPossible("gives", self.gives, allowed="a benefit, or a position", message=message)

    def serves(self, character: str) -> bool:
        """Return whether it counts for this character's action; nobody follows up on their own set-up."""
        return self.setter != character if self.character is None else self.character == character


class CarriedRules(ProcedureRules[Carried]):
    """A GM says that the moment for it is past."""

    state = Carried

    @act(when=lambda state: not state.gone)
    def drop(self, state: Carried, step: Act) -> Carried:
        return replace(state, gone=True)

    def reads(self, state: Carried, seen: Snapshot) -> Carried:
        """Drop it for someone who has left play."""
        return replace(state, gone=state.gone or state.character not in (None, *seen.sheets))

    def at_scene_end(self, state: Carried) -> Carried:
        return replace(state, gone=True)

    def is_over(self, state: Carried) -> bool:
        return state.gone

    def parties(self, state: Carried) -> Parties:
        return {state.character: (state.name, state.character)} if state.character else {}
