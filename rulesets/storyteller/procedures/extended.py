"""The extended action at the table: its forms, its words, and what of sheets it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from campaigns.text import counted
from rolls.forms.fields import said as range_said
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, RECOUNTED, Button, Values
from rolls.stage import Staged
from rulesets.storyteller.forms import DifficultyField
from rulesets.storyteller.procedures.sides import characters_for, pool_of, roll_words, side
from rulesets.storyteller.rules import extended as rules
from rulesets.storyteller.rules.contested import LONGEST_NAME, MOST_ROLLS, MOST_SUCCESSES
from rulesets.storyteller.rules.extended import Extended, ExtendedRules, ExtendedStage, OnBotch
from rulesets.storyteller.table.ask import asked_pool

ON_BOTCH: Final = {OnBotch.ENDS: "it fails", OnBotch.LOSES: "all successes so far are lost"}


class TermsForm(ProcedureForm):
    """Asks what a GM sets of it."""

    pool = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    goal = forms.IntegerField(
        min_value=1,
        max_value=MOST_SUCCESSES,
        error_messages=range_said(f"The successes wanted go from 1 to {MOST_SUCCESSES}.")
        | {"required": "Say how many successes it takes."},
    )
    most = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROLLS,
        required=False,
        error_messages=range_said(f"At most 1 to {MOST_ROLLS} rolls, or leave it empty."),
    )
    on_botch = forms.ChoiceField(choices=[(option.value, words) for option, words in ON_BOTCH.items()], required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"on_botch": [(option.value, words) for option, words in ON_BOTCH.items()]}


class OpenExtendedForm(TermsForm):
    """Whose it is beside: a character, or a name for whom the GM rolls."""

    character = forms.UUIDField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(character.pk), character.name) for character in characters_for(viewer)]
        nothing = "" if named or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {"characters": named, "bare": viewer.is_gm, "nothing": nothing}


def _length(state: Extended) -> str:
    most = "" if state.most is None else f" in at most {counted(state.most, 'roll')}"
    return f"{counted(state.goal, 'success')}{most}"


def _stands(state: Extended) -> str:
    """Return words such as "7 of 12 successes, 3 rolls"."""
    of = f"{state.gathered} of {counted(state.goal, 'success')}"
    return f"{of}, {counted(state.made, 'roll')}"


ENDS: Final = {
    ExtendedStage.DONE: "done",
    ExtendedStage.FAILED: "a botch, it fails",
    ExtendedStage.RAN_OUT: "no roll is left",
    ExtendedStage.WITHDRAWN: "taken back",
}


def _notes(state: Extended) -> Iterator[str]:
    if state.announced:
        yield f"{_length(state)}. The GM has yet to set it."
        return
    yield _stands(state)
    most = f"At most {state.most} rolls. " if state.most else ""
    yield f"{most}On a botch {ON_BOTCH[state.on_botch]}."


class ExtendedAction(ExtendedRules, ProcedureKind[Extended]):
    label = "Extended action"
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenExtendedForm, rules.SET: TermsForm}

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        on_botch = OnBotch(given["on_botch"] or OnBotch.ENDS)
        terms = {"goal": given["goal"], "most": given["most"], "on_botch": on_botch}
        if name == OPEN:
            return {**terms, "side": side(context, given), "announced": not context.actor.is_gm}
        return {**terms, "pool": pool_of(given)}

    def describe(self, state: Extended, buttons: Sequence[Button]) -> Values:
        return {
            "pool": asked_pool(state.side.terms),
            "staged": Staged(
                above="Extended action",
                title=f"{state.side.name}: {roll_words(state.side)}",
                faces=[state.side.character] if state.side.character else (),
                notes=list(_notes(state)),
                progress=None if state.announced else (state.gathered, state.goal),
                acts=buttons,
            ),
        }

    def button_words(self, state: Extended, available: AvailableAct) -> str:
        return {rules.SET: "Set it", rules.WITHDRAW: "Take it back"}[available.name]

    def said(self, state: Extended, name: str, whom: str) -> str:
        what = f"{state.side.name}, {roll_words(state.side)}, {_length(state)}"
        if name == OPEN:
            return f"{'announces an' if state.announced else 'begins an'} extended action: {what}"
        if name == rules.SET:
            return f"sets an extended action: {what}"
        end = ENDS.get(state.stage)
        again = "counted again, " if name == RECOUNTED else ""
        return f"{state.side.name}, extended action: {again}{_stands(state)}{f', {end}' if end else ''}"
