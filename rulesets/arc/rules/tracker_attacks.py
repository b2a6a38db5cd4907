"""What is declared in an event in turns, and the checks of the table: an action leads to its check with all that was said of it;
an opposed check in a fight is an attack, however it was called (arc.txt, V.5, V.8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from rolls.rules.effects import Begin, StepResult
from rolls.rules.procedures import Act, Snapshot
from rulesets.arc.rules import check_steps
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check_steps import TableCheck
from rulesets.arc.rules.tracker import Begun, Event, Participant, Skill, Status
from rulesets.arc.rules.tracker_checks import beset
from rulesets.arc.settings import DEFAULTS

RESOLVE: Final = "resolve"
CHECK: Final = "check"
"""The kind of procedure that a check is."""
MOST_COUNTED: Final = 60


def may_resolve(state: Event, participant: Participant) -> bool:
    """Return whether an action that somebody has declared has yet to lead to its check."""
    if not participant.words or participant.checked >= participant.actions or state.pending(participant.key):
        return False
    if participant.begun is Begun.GOES_ON:
        return True
    acts = participant.status is Status.DONE or (participant.status is Status.DECLARED and participant is state.current)
    return acts and state.takes_part(participant)


def resolved(state: Event, participant: Participant, step: Act) -> StepResult[Event]:
    """The check of the next action: of the skill that was named for it, against whom it was declared. A GM calls it; a player
    announces it, and a GM says how hard it is or lets the other counter it."""
    seen = step.seen or Snapshot()
    with_it = participant.skills[min(participant.checked, len(participant.skills) - 1)] if participant.skills else None
    sides = [_side(participant, seen, with_it)]
    target = (
        state.found(participant.against[min(participant.checked, len(participant.against) - 1)])
        if participant.against
        else None
    )
    if target is not None:
        sides.append(_side(target, seen))
    settings = seen.settings or DEFAULTS
    given: dict[str, Any] = {
        "sides": tuple(sides),
        "opposed": target is not None,
        "fight": target is not None and target.side is not participant.side,
        "announced": not step.by.is_gm,
        "thresholds": settings.thresholds,
        "sizes_count": settings.sizes_count,
    }
    return StepResult(state.put(participant.key, checked=participant.checked + 1), [Begin(kind=CHECK, given=given)])


def _side(participant: Participant, seen: Snapshot, with_it: Skill | None = None) -> check_steps.Side:
    sheet = seen.sheets.get(participant.character or "")
    size = Size(sheet.values.get("size", Size.MEDIUM)) if sheet else participant.size or Size.MEDIUM
    named = {"stat": with_it.stat, "skill": with_it.skill} if with_it else {}
    return check_steps.Side(name=participant.name, character=participant.character, size=size, **named)


def attacks(state: Event, open_checks: Iterable[tuple[str, TableCheck]]) -> Event:
    """With the opposed checks in a fight that are asked for now, each counted once: whoever acts attacks who counters."""
    for which, check in open_checks:
        if which in state.counted or not (check.fight and check.asked_for and len(check.sides) > 1):
            continue
        by, on = (_there(state, side) for side in check.sides)
        if by is None or on is None or by.side is on.side:
            continue
        state = replace(state, counted=(*state.counted, which)[-MOST_COUNTED:])
        if on.key not in by.against:
            state = beset(state.put(by.key, against=(*by.against, on.key)), on.key)
    return state


def _there(state: Event, side: check_steps.Side) -> Participant | None:
    """Who of those in the event that is: by the character, the nameless by what they are called."""
    for participant in state.participants:
        if participant.character == side.character and (side.character is not None or participant.name == side.name):
            return participant
    return None
