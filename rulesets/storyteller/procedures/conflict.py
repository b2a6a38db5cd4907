"""The conflict at the table: who takes part, by which initiative, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.access import id_or_none
from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.procedures import ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged, Turn
from rules.acts import AvailableAct
from rules.procedures import OPEN, Button, Values
from rulesets.storyteller.procedures.attack_sides import characters_for
from rulesets.storyteller.rules import conflict as rules
from rulesets.storyteller.rules.conflict import MOST_PARTICIPANTS, Conflict, ConflictRules, Participant, Status
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import SHEET, wounded
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import quick_pool

TYPED: Final = re.compile(r"(.+?)\s+(\d{1,2})")
HOW: Final = gettext_lazy("Type each name with its Dexterity + Wits, such as Thug 5, Dog 6.")
STATUS: Final = {
    Status.HOLDING: gettext_lazy("holding"),
    Status.COMING_IN: gettext_lazy("acting now"),
    Status.DONE: gettext_lazy("has acted"),
    Status.NEXT_ROUND: gettext_lazy("acts from next round"),
}


class Chosen(forms.MultipleChoiceField):
    """Ids of characters; the service checks under the lock that they exist."""

    def valid_value(self, value: Any) -> bool:
        return id_or_none(value) is not None


class JoinForm(ProcedureForm):
    """`characters`, and `names` of others with their Dexterity + Wits."""

    characters = Chosen(
        required=False, error_messages={"invalid_choice": gettext_lazy("Reload the page and choose again.")}
    )
    names = LineField(max_length=1000, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"characters": characters_for(viewer)}

    def clean_names(self) -> list[tuple[str, int]]:
        matches = [TYPED.fullmatch(text.strip()) for text in self.cleaned_data["names"].split(",") if text.strip()]
        if len(matches) > MOST_PARTICIPANTS or not all(matches):
            raise forms.ValidationError(str(HOW))
        return [(match[1], int(match[2])) for match in matches if match]


class OpenConflictForm(JoinForm):
    anew = forms.BooleanField(required=False)


def _of_sheet(character: Character, penalties: Sequence[int]) -> dict[str, Any]:
    if character.system != SYSTEM:
        message = _("{name} has no Storyteller sheet. Type the name with a number instead.").format(name=character.name)
        raise Invalid(message, field="characters")
    return {
        "name": character.name,
        "character": str(character.pk),
        "traits": quick_pool(character) or sum(SHEET.number(character.sheet, name) for name in ("dexterity", "wits")),
        "penalty": wound_penalty(wounded(character.sheet), penalties),
    }


def _order(state: Conflict) -> str:
    return ", ".join(f"{participant.name} {participant.initiative}" for participant in state.participants)


def _next(state: Conflict) -> str:
    now = state.current
    return _("{name} is next.").format(name=now.name) if now else _("Everyone has acted or is holding.")


def _turn(participant: Participant, current: bool, buttons: Sequence[Button]) -> Turn:
    return Turn(
        name=participant.name,
        character=participant.character or "",
        value=str(participant.initiative),
        title=", ".join(_made_of(participant)),
        words=str(STATUS.get(participant.status, "")),
        status=participant.status.value,
        current=current,
        buttons=[button for button in buttons if button.whom == participant.key],
    )


def _made_of(participant: Participant) -> Iterator[str]:
    words = _("d10 {die} + {traits} − {penalty} for wounds") if participant.penalty else _("d10 {die} + {traits}")
    yield words.format(die=participant.die, traits=participant.traits, penalty=participant.penalty)
    if participant.again:
        yield _("tie broken by {dice}").format(dice=", ".join(map(str, participant.again)))


BUTTONS: Final = {
    rules.DONE: gettext_lazy("Done"),
    rules.HOLD: gettext_lazy("Hold"),
    rules.COME_IN: gettext_lazy("Act now"),
    rules.LEAVE: gettext_lazy("Remove"),
    rules.ROUND: gettext_lazy("Start next round"),
    rules.JOIN: gettext_lazy("Add combatant…"),
}


class ConflictProcedure(ConflictRules, ProcedureKind[Conflict]):
    label = gettext_lazy("Conflict")
    forms: ClassVar = {OPEN: OpenConflictForm, rules.JOIN: JoinForm}
    runs_turns = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return the participants with what their sheets say now."""
        penalties = context.settings.of(Settings).wound_penalties
        people = [
            _of_sheet(context.character(character_id), penalties) for character_id in dict.fromkeys(given["characters"])
        ]
        people += [{"name": name, "traits": traits} for name, traits in given["names"]]
        return {"those": people, "anew": given["anew"]} if name == OPEN else {"those": people}

    def describe(self, state: Conflict, buttons: Sequence[Button]) -> Values:
        turns = [_turn(participant, participant is state.current, buttons) for participant in state.participants]
        acts = [button for button in buttons if not button.whom]
        return {"staged": Staged(above=_("Round {number}").format(number=state.round), turns=turns, acts=acts)}

    def button_words(self, state: Conflict, available: AvailableAct) -> str:
        return str(BUTTONS[available.name])

    def said(self, state: Conflict, name: str, whom: str) -> str:
        """Return the sentence of the log, for the state after the act."""
        sentence = {
            OPEN: _("A conflict started. Round 1: {order}."),
            rules.DONE: _("{name} acted. {next}"),
            rules.HOLD: _("{name} held. {next}"),
            rules.COME_IN: _("{name} stopped holding and acts now."),
            rules.LEAVE: _("{name} left the conflict. {next}"),
            rules.JOIN: _("The conflict was joined: {order}."),
            rules.ROUND: _("Round {number} started: {order}."),
        }.get(name, _("Conflict, round {number}. {next}"))
        return sentence.format(name=whom, number=state.round, order=_order(state), next=_next(state))
