"""What waits for the next action of somebody, as it lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from campaigns.schema import CODE, NAME, UID, Maybe
from rolls.function_procedures import FunctionProcedure
from rolls.rules.function_procedures import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rulesets.forged.procedures.action_words import token_words
from rulesets.forged.rules import setup as rules
from rulesets.forged.rules.action_state import Token
from rulesets.forged.rules.setup import Carried


def _words(state: Carried) -> str:
    return token_words(Token(id="", gives=state.gives, to=state.to, by=state.by))


def _describe(state: Carried, buttons: Sequence[Button]) -> Values:
    return {"name": state.name, "words": _words(state), "chip": f"{state.name}: {_words(state)}", "buttons": buttons}


def _said(state: Carried, name: str, whom: str) -> str:
    return f"leaves for the next action of {state.name}: {_words(state)}" if name == OPEN else ""


def _party(state: Carried, whom: str) -> tuple[str, str | None]:
    return state.name, state.character


def _button(state: Carried, offer: AvailableAct) -> str:
    return "It is past"


def _played(state: Any) -> list[str]:
    return [state.character]


SETUP: Final = FunctionProcedure(
    label="Carried over",
    state=Carried,
    schema={
        "character": UID,
        "name": NAME,
        "gives": CODE,
        "to": CODE,
        "by": NAME,
        "setter": Maybe(UID),
        "gone": bool,
    },
    start=rules.start,
    may=rules.may,
    act=rules.act,
    waiting=lambda state: [],
    is_over=lambda state: state.gone,
    played=_played,
    describe=_describe,
    buttons=_button,
    said=_said,
    party=_party,
    reads=rules.reads,
    at_scene_end=rules.at_scene_end,
    token=True,
)
