"""What waits for the next action of somebody: what a teammate has set up, or a position that got worse (forged.txt, Set up, Worse
Position)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.function_procedures import Act, AvailableAct
from rolls.rules.procedures import Snapshot, Values
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.action_state import WORSE
from rulesets.forged.rules.moves import refused
from rulesets.forged.rules.team import Benefit

DROP: Final = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """For whom (`character`, `name`), what it `gives` (a Benefit, or `worse` with the position `to`), and by whose set-up."""

    character: str
    name: str
    gives: str
    to: str = ""
    by: str = ""
    setter: str | None = None
    gone: bool = False

    def __post_init__(self) -> None:
        if self.gives not in (*Benefit, WORSE) or (self.gives == WORSE) != (self.to in tuple(Position)):
            raise refused("gives", "It gives effect, a better position, or a worse one.")


def start(given: Values) -> Carried:
    return Carried(**given)


def may(state: Carried, who: Actor) -> Sequence[AvailableAct]:
    """A GM says that the moment for it is past."""
    return [AvailableAct(DROP)] if who.is_gm and not state.gone else []


def act(state: Carried, who: Actor, act: Act) -> Carried:
    if act.name != DROP or state.gone:
        raise refused("act", "That cannot be done any more, as things stand now.")
    return replace(state, gone=True)


def reads(state: Carried, seen: Snapshot) -> Carried:
    """Who has left play follows through on nothing."""
    return replace(state, gone=state.gone or state.character not in seen.sheets)


def at_scene_end(state: Carried) -> Carried:
    return replace(state, gone=True)
