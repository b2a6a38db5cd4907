"""What waits for the next action of somebody: what a teammate has set up, or a position that got worse (forged.txt, Set up, Worse
Position)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campaigns.schema import Code, Name, Uid
from rolls.rules.acts import Target, act
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, ProcedureRules, Snapshot, Values
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.action_state import WORSE
from rulesets.forged.rules.team import Benefit


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """For whom (`character`, `name`), what it `gives` (a Benefit, or `worse` with the position `to`), and by whose set-up."""

    character: Uid
    name: Name
    gives: Code
    to: Code = ""
    by: Name = ""
    setter: Uid | None = None
    gone: bool = False

    def __post_init__(self) -> None:
        if self.gives not in (*Benefit, WORSE) or (self.gives == WORSE) != (self.to in tuple(Position)):
            message = "It gives effect, a better position, or a worse one."
            raise NotPossible("gives", self.gives, allowed="a benefit, or a position", message=message)


class CarriedRules(ProcedureRules[Carried]):
    """A GM says that the moment for it is past."""

    state = Carried

    def start(self, given: Values) -> Carried:
        return Carried(**given)

    @act(when=lambda state: not state.gone)
    def drop(self, state: Carried, step: Act) -> Carried:
        return replace(state, gone=True)

    def reads(self, state: Carried, seen: Snapshot) -> Carried:
        """Who has left play follows through on nothing."""
        return replace(state, gone=state.gone or state.character not in seen.sheets)

    def at_scene_end(self, state: Carried) -> Carried:
        return replace(state, gone=True)

    def is_over(self, state: Carried) -> bool:
        return state.gone

    def played(self, state: Carried) -> list[str]:
        return [state.character]

    def party(self, state: Carried, target: Target) -> tuple[str, str | None]:
        return state.name, state.character
