"""Doing what a step of a procedure does on sheets and clocks and says, and undoing it (rolls/rules/effects.py).

Whoever takes the step may do all that the rules let follow from it: the loser of a contest is hurt by the winner's press.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.models import ClockKind, ClockOwner
from campaigns.models.play import Manner
from campaigns.services.clock_drafts import Draft
from campaigns.services.clocks import archive_by_rules, make_by_rules, tick_by_rules
from campaigns.services.log import UnitOfWork
from campaigns.services.play import speak
from characters.models import Character
from characters.reasons import TAKEN_BACK, Reason
from characters.services.lifecycle import retire_by_rules, return_by_rules
from characters.services.lookup import found
from characters.services.steps import step_back, take_steps
from rolls.rules.effects import NewClock, Retire, Say, Tick, Write

Done = dict[str, Any]
"""What it takes to undo an effect, in JSON's own types."""


def do(work: UnitOfWork, effect: Write | Tick | NewClock | Retire | Say) -> Done:
    """Raises Invalid or Conflict where a sheet cannot hold what is to be written, Invalid for what is no clock."""
    match effect:
        case Write():
            there = found(work, Character(pk=UUID(effect.character)))
            steps = take_steps(work, there, effect.steps, why=effect.why, follows=effect.follows)
            return {"character": effect.character, "steps": steps}
        case NewClock():
            owner = Character(pk=UUID(effect.character)).about.key if effect.character else ClockOwner.GM.value
            draft = Draft(effect.name, effect.segments, ClockKind(effect.kind), owner=owner)
            make_by_rules(work, UUID(effect.clock), draft, filled=effect.filled)
            return {"made": effect.clock}
        case Retire():
            left = retire_by_rules(work, Character(pk=UUID(effect.character)))
            return {"retired": effect.character if left else None}
        case Say():
            speak(work, Manner.NARRATION if work.by.is_gm else Manner.PLAYER, effect.words)
            return {"said": True}
    ticks = tick_by_rules(work, UUID(effect.clock), effect.ticks, reason=effect.reason)
    return {"clock": effect.clock, "ticks": ticks}


def undo(work: UnitOfWork, done: Done, *, why: Reason = TAKEN_BACK) -> None:
    """`why` stands in the log beside what is put back on sheets. Raises Conflict where something else was written since in the
    same place."""
    if "character" in done:
        step_back(work, found(work, Character(pk=UUID(done["character"]))), done["steps"], why=why)
    elif "made" in done:
        archive_by_rules(work, UUID(done["made"]))
    elif done.get("retired"):
        return_by_rules(work, Character(pk=UUID(done["retired"])))
    elif done.get("ticks"):
        tick_by_rules(work, UUID(done["clock"]), -done["ticks"])
