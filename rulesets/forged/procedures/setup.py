"""What waits for the next action of somebody, as it lies on the table."""

from __future__ import annotations

from collections.abc import Sequence

from rolls.procedures import ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rulesets.forged.procedures.action_words import token_words
from rulesets.forged.rules.action_state import Token
from rulesets.forged.rules.setup import Carried, CarriedRules


def _words(state: Carried) -> str:
    return token_words(Token(id="", gives=state.gives, to=state.to, by=state.by))


class CarriedProcedure(CarriedRules, ProcedureKind[Carried]):
    label = "Carried over"
    token = True

    def describe(self, state: Carried, buttons: Sequence[Button]) -> Values:
        return {
            "name": state.name,
            "words": _words(state),
            "chip": f"{state.name}: {_words(state)}",
            "buttons": buttons,
        }

    def button_words(self, state: Carried, available: AvailableAct) -> str:
        return "It is past"

    def said(self, state: Carried, name: str, whom: str) -> str:
        return f"leaves for the next action of {state.name}: {_words(state)}" if name == OPEN else ""
