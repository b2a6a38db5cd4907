"""The conflict at the table: who takes part, by which initiative, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from django import forms

from campaigns.access import id_or_none
from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from rolls.procedures import ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rolls.stage import Staged, Turn
from rulesets.storyteller.procedures.sides import characters_for
from rulesets.storyteller.rules import conflict as rules
from rulesets.storyteller.rules.conflict import MOST_PARTICIPANTS, Conflict, ConflictRules, Participant, Status
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import SHEET, wounded
from rulesets.storyteller.table.ask import NAME as SYSTEM

TYPED: Final = re.compile(r"(.+?)\s+(\d{1,2})")
HOW: Final = "Write each name with its Dexterity + Wits, such as: Thug 5, Dog 6."
STATUS: Final = {
    Status.HOLDING: "holds",
    Status.COMING_IN: "comes in now",
    Status.DONE: "has acted",
    Status.NEXT_ROUND: "acts from the next round on",
}


class Chosen(forms.MultipleChoiceField):
    """Ids of characters; whether there are such, the service looks under the lock."""

    def valid_value(self, value: Any) -> bool:
        return id_or_none(value) is not None


class JoinForm(ProcedureForm):
    """`characters`, and `names` of others with their Dexterity + Wits."""

    characters = Chosen(required=False, error_messages={"invalid_choice": "Reload the page and choose again."})
    names = LineField(max_length=1000, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"characters": [character for character in characters_for(viewer) if character.system == SYSTEM]}

    def clean_names(self) -> list[tuple[str, int]]:
        matches = [TYPED.fullmatch(text.strip()) for text in self.cleaned_data["names"].split(",") if text.strip()]
        if len(matches) > MOST_PARTICIPANTS or not all(matches):
            raise forms.ValidationError(HOW)
        return [(match[1], int(match[2])) for match in matches if match]


class OpenConflictForm(JoinForm):
    anew = forms.BooleanField(required=False)


def _of_sheet(character: Character, penalties: Sequence[int]) -> dict[str, Any]:
    if character.system != SYSTEM:
        message = f"{character.name} has no Dexterity and Wits of Storyteller. Type the name with a number instead."
        raise Invalid(message, field="characters")
    return {
        "name": character.name,
        "character": str(character.pk),
        "traits": sum(SHEET.number(character.sheet, name) for name in ("dexterity", "wits")),
        "penalty": wound_penalty(wounded(character.sheet), penalties),
    }


def _order(state: Conflict) -> str:
    return ", ".join(f"{participant.name} {participant.initiative}" for participant in state.participants)


def _next(state: Conflict) -> str:
    now = state.current
    return f"{now.name} is to act" if now else "all have acted, or hold"


def _turn(participant: Participant, current: bool, buttons: Sequence[Button]) -> Turn:
    return Turn(
        name=participant.name,
        character=participant.character or "",
        value=str(participant.initiative),
        title=", ".join(_made_of(participant)),
        words=STATUS.get(participant.status, ""),
        status=participant.status.value,
        current=current,
        buttons=[button for button in buttons if button.whom == participant.key],
    )


def _made_of(participant: Participant) -> Iterator[str]:
    yield f"d10 {participant.die} + {participant.traits}" + (
        f" − {participant.penalty} for wounds" if participant.penalty else ""
    )
    if participant.again:
        yield f"told from equals by {', '.join(map(str, participant.again))}"


BUTTONS: Final = {
    rules.DONE: "Done",
    rules.HOLD: "Hold",
    rules.COME_IN: "Come in now",
    rules.LEAVE: "Out",
    rules.ROUND: "Next round",
    rules.JOIN: "Newcomer",
}


class ConflictProcedure(ConflictRules, ProcedureKind[Conflict]):
    label = "Conflict"
    forms: ClassVar = {OPEN: OpenConflictForm, rules.JOIN: JoinForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return who they are, with what their sheets say now."""
        penalties = context.settings.of(Settings).wound_penalties
        people = [
            _of_sheet(context.character(character_id), penalties) for character_id in dict.fromkeys(given["characters"])
        ]
        people += [{"name": name, "traits": traits} for name, traits in given["names"]]
        return {"those": people, "anew": given["anew"]} if name == OPEN else {"those": people}

    def describe(self, state: Conflict, buttons: Sequence[Button]) -> Values:
        turns = [_turn(participant, participant is state.current, buttons) for participant in state.participants]
        acts = [button for button in buttons if not button.whom]
        return {"staged": Staged(above=f"Round {state.round}", turns=turns, acts=acts)}

    def button_words(self, state: Conflict, available: AvailableAct) -> str:
        return BUTTONS[available.name]

    def said(self, state: Conflict, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        sentences = {
            OPEN: f"begins a conflict. Round 1: {_order(state)}",
            rules.DONE: f"ends the turn of {whom}: {_next(state)}",
            rules.HOLD: f"holds {whom} back: {_next(state)}",
            rules.COME_IN: f"lets {whom} come in",
            rules.LEAVE: f"takes {whom} out of the conflict: {_next(state)}",
            rules.JOIN: f"lets others join the conflict: {_order(state)}",
            rules.ROUND: f"begins round {state.round}: {_order(state)}",
        }
        return sentences.get(name, f"Conflict, round {state.round}: {_next(state)}")
