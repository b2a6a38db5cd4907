"""The extended action at the table: its forms, its words, and what of sheets it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from languages.text import colon, gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, RECOUNTED, Button, Values
from rulesets.storyteller.forms import DifficultyField
from rulesets.storyteller.procedures.sides import characters_for, pool_of, roll_words, side
from rulesets.storyteller.rules import contested as rules
from rulesets.storyteller.rules.contested import (
    LONGEST_NAME,
    MOST_ROLLS,
    MOST_SUCCESSES,
    Extended,
    ExtendedRules,
    ExtendedStage,
    OnBotch,
)
from rulesets.storyteller.table.ask import asked_pool

ON_BOTCH: Final = {
    OnBotch.ENDS: gettext_lazy("the action fails"),
    OnBotch.LOSES: gettext_lazy("all successes so far are lost"),
}
BOTCH_NOTES: Final = {
    OnBotch.ENDS: gettext_lazy("A botch ends the action."),
    OnBotch.LOSES: gettext_lazy("A botch loses all successes so far."),
}


class TermsForm(ProcedureForm):
    """Asks for the GM's terms."""

    pool = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    goal = WholeNumber(
        None,
        1,
        MOST_SUCCESSES,
        words=format_lazy(gettext_lazy("Successes needed: type a whole number from 1 to {most}."), most=MOST_SUCCESSES),
        required=gettext_lazy("Enter how many successes it takes."),
    )
    most = WholeNumber(
        None,
        1,
        MOST_ROLLS,
        words=format_lazy(
            gettext_lazy("Maximum rolls: type a whole number from 1 to {most}, or leave it blank."), most=MOST_ROLLS
        ),
    )
    on_botch = forms.ChoiceField(choices=[(option.value, words) for option, words in ON_BOTCH.items()], required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"on_botch": [(option.value, str(words)) for option, words in ON_BOTCH.items()]}


class OpenExtendedForm(TermsForm):
    """Asks whose it is as well: a character, or a name that the GM rolls for."""

    character = forms.UUIDField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(character.pk), character.name) for character in characters_for(viewer)]
        nothing = "" if named or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {"characters": named, "bare": viewer.is_gm, "nothing": nothing}


def _length(state: Extended) -> str:
    goal = ngettext("{count} success", "{count} successes", state.goal).format(count=state.goal)
    if state.most is None:
        return goal
    return ngettext("{successes} in at most {count} roll", "{successes} in at most {count} rolls", state.most).format(
        successes=goal, count=state.most
    )


def _stands(state: Extended) -> str:
    """Return words such as "7 of 12 successes, 3 rolls"."""
    successes = ngettext("{gathered} of {count} success", "{gathered} of {count} successes", state.goal)
    return ngettext("{successes}, {count} roll", "{successes}, {count} rolls", state.made).format(
        successes=successes.format(gathered=state.gathered, count=state.goal), count=state.made
    )


ENDS: Final = {
    ExtendedStage.DONE: gettext_lazy("The action succeeded."),
    ExtendedStage.FAILED: gettext_lazy("A botch ended the action."),
    ExtendedStage.RAN_OUT: gettext_lazy("No rolls were left."),
}


def _notes(state: Extended) -> Iterator[str]:
    if state.announced:
        yield _("{successes}. Waiting for the GM to set the terms.").format(successes=_length(state))
        return
    yield _stands(state)
    if state.most:
        yield ngettext("At most {count} roll.", "At most {count} rolls.", state.most).format(count=state.most)
    yield str(BOTCH_NOTES[state.on_botch])


class ExtendedAction(ExtendedRules, ProcedureKind[Extended]):
    label = gettext_lazy("Extended action")
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
                above=_("Extended action"),
                title=f"{state.side.called}{colon()}{roll_words(state.side)}",
                faces=[state.side.character] if state.side.character else (),
                notes=list(_notes(state)),
                progress=None if state.announced else (state.gathered, state.goal),
                acts=buttons,
            ),
        }

    def button_words(self, state: Extended, available: AvailableAct) -> str:
        return {rules.SET: _("Set terms…"), rules.WITHDRAW: _("Call it off")}[available.name]

    def said(self, state: Extended, name: str, whom: str) -> str:
        values = {"name": state.side.called, "roll": roll_words(state.side), "successes": _length(state)}
        if state.withdrawn:
            return _("{name} called off the extended action.").format(**values)
        if name == OPEN and state.announced:
            return _("{name} announced an extended action: {roll}; {successes}.").format(**values)
        if name == OPEN:
            return _("{name} started an extended action: {roll}; {successes}.").format(**values)
        if name == rules.SET:
            return _("{name}’s extended action was set: {roll}; {successes}.").format(**values)
        words = (
            _("{name}’s extended action was recounted: {state}.")
            if name == RECOUNTED
            else _("{name}’s extended action: {state}.")
        )
        sentence = words.format(name=state.side.called, state=_stands(state))
        return f"{sentence} {ENDS[state.stage]}" if state.stage in ENDS else sentence
