"""The outcomes of a turn, which land at its end (arc.txt, V.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Shift
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.effects import StepResult, Write
from rules.errors import NotPossible, whole
from rules.procedures import Values
from rulesets.arc.rules import tracker_checks as checks
from rulesets.arc.rules.tracker import Event, Mind, Outcome, Status, ordered
from rulesets.arc.settings import SCORES

TURN_ENDS: Final = Reason("arc_turn", gettext_lazy("the end of a turn"))
MOST_OUTCOMES: Final = 40
LARGEST_SHIFT: Final = 9


def note(state: Event, values: Values) -> Event:
    """Note an outcome. `values` are the fields of an Outcome without its number. Raises a RuleError for one that says nothing."""
    if len(state.outcomes) >= MOST_OUTCOMES:
        message = _("At most {most} outcomes can be noted in a turn.").format(most=MOST_OUTCOMES)
        raise NotPossible("words", None, allowed=f"up to {MOST_OUTCOMES}", message=message)
    shift = whole("som", values["som"] or 0, -LARGEST_SHIFT, LARGEST_SHIFT)
    becomes = Mind(values["becomes"]) if values["becomes"] else None
    if values["whom"]:
        state.found(values["whom"])
    elif shift or becomes:
        raise NotPossible("whom", "", allowed="somebody who takes part", message=_("Choose who it affects."))
    if not values["words"] and not shift and not becomes:
        raise NotPossible("words", "", allowed="some words", message=_("Describe the outcome."))
    number = state.asked + 1
    noted = Outcome(number=number, words=values["words"], whom=values["whom"], som=shift, becomes=becomes)
    return replace(state, outcomes=(*state.outcomes, noted), asked=number, words=values["words"])


def next_turn(state: Event) -> StepResult[Event]:
    """End the turn: apply its outcomes, make the surprised aware, and give all a turn again."""
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
        "defences": 0,
        "defended": 0,
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
        won=(),
    )
    return StepResult(ordered(checks.losses(state, begun)), effects)


def _landed(state: Event) -> tuple[Event, list[Write]]:
    """Apply this turn's outcomes to those they are about; the SOM of a character is written on the sheet."""
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


def settled(state: Event, check: str) -> Event:
    """Return the event without a won check, of which it is said what comes of it."""
    return replace(state, won=tuple(won for won in state.won if won.check != check))
