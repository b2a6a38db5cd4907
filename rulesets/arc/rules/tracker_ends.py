"""What comes of a turn, and how it ends: all that happens in one is simultaneous and lands at its end (arc.txt, V.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.rules.effects import StepResult, Write
from rolls.rules.errors import NotPossible, whole
from rolls.rules.procedures import Values
from rulesets.arc.rules import tracker_checks as checks
from rulesets.arc.rules.tracker import Event, Mind, Outcome, Status
from rulesets.arc.rules.tracker_order import ordered
from rulesets.arc.settings import SCORES

TURN_ENDS: Final = Reason("arc_turn", "the end of a turn")
MOST_OUTCOMES: Final = 40
LARGEST_SHIFT: Final = 9


def note(state: Event, values: Values) -> Event:
    """`values`: the fields of an Outcome without its number. Raises a RuleError for one that says nothing."""
    if len(state.outcomes) >= MOST_OUTCOMES:
        message = f"At most {MOST_OUTCOMES} are noted in a turn."
        raise NotPossible("words", None, allowed=f"up to {MOST_OUTCOMES}", message=message)
    shift = whole("som", values["som"] or 0, -LARGEST_SHIFT, LARGEST_SHIFT)
    becomes = Mind(values["becomes"]) if values["becomes"] else None
    if values["whom"]:
        state.found(values["whom"])
    elif shift or becomes:
        raise NotPossible("whom", "", allowed="somebody who takes part", message="Say whom it concerns.")
    if not values["words"] and not shift and not becomes:
        raise NotPossible("words", "", allowed="some words", message="Say what comes of it.")
    number = state.asked + 1
    noted = Outcome(number=number, words=values["words"], whom=values["whom"], som=shift, becomes=becomes)
    return replace(state, outcomes=(*state.outcomes, noted), asked=number, words=values["words"])


def next_turn(state: Event) -> StepResult[Event]:
    """Land what came of this turn; the surprised are aware, and all have a turn again."""
    landed, effects = _landed(state)
    fresh: dict[str, Any] = {
        "status": Status.TO_ACT,
        "words": "",
        "actions": 0,
        "moves": 0,
        "against": (),
        "begun": None,
        "skills": (),
        "checked": 0,
    }
    for participant in landed.participants:
        mind = Mind.AWARE if participant.mind is Mind.SURPRISED else participant.mind
        landed = landed.put(participant.key, mind=mind, **fresh)
    begun = replace(
        landed,
        turn=state.turn + 1,
        moves=(),
        checks=(),
        arisen=(),
        landed=state.outcomes,
        outcomes=(),
    )
    return StepResult(ordered(checks.losses(state, begun)), effects)


def _landed(state: Event) -> tuple[Event, list[Write]]:
    """Apply what came of it to those whom it concerns; the SOM of a character is written on the sheet."""
    effects: list[Write] = []
    for outcome in state.outcomes:
        if not outcome.whom:
            continue
        participant = state.found(outcome.whom)
        if outcome.becomes:
            state = state.put(participant.key, mind=outcome.becomes)
        if outcome.som and participant.character:
            effects.append(Write(character=participant.character, steps=(Shift("som", outcome.som),), why=TURN_ENDS))
        elif outcome.som:
            lowest, highest = SCORES
            state = state.put(participant.key, som=min(highest, max(lowest, (participant.som or lowest) + outcome.som)))
    return state, effects
