"""Experience at the table: the questions at a session’s end, each answered by its player, and the xp marked for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.models import Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm, ProcedureKind
from rolls.stage import Row, Staged
from rules.acts import AvailableAct, Target
from rules.checked import restored
from rules.procedures import OPEN, Button, Values
from rulesets.forged.models import crews_at_table, scoundrels
from rulesets.forged.rules import experience as rules
from rulesets.forged.rules.experience import (
    CREW_QUESTIONS,
    CREW_TRACK,
    QUESTIONS,
    TRACKS,
    Experience,
    ExperienceRules,
    Learner,
)

ASKED: Final = {
    "playbook": gettext_lazy("Met a challenge in the way of their playbook"),
    "beliefs": gettext_lazy("Showed what they believe, want or come from"),
    "trouble": gettext_lazy("Struggled with their vice or traumas"),
    "work": gettext_lazy("Did well at what a crew of this kind does"),
    "above": gettext_lazy("Took on someone above their standing"),
    "renown": gettext_lazy("Made their name better known, or made a new one"),
    "nature": gettext_lazy("Showed what the crew is about and what drives it"),
}
HOW_OFTEN: Final = [
    ("0", gettext_lazy("no")),
    ("1", gettext_lazy("once: 1 XP")),
    ("2", gettext_lazy("more than once: 2 XP")),
]
ALL_TRACKS: Final = [(track, track) for track in (*TRACKS, CREW_TRACK)]


class OpenExperienceForm(ProcedureForm):
    """Nothing: all who are in play answer."""


class AnswerForm(ProcedureForm):
    """Ask how often each was so, and on which track it is marked; what has no room there goes `over`."""

    over = forms.ChoiceField(choices=ALL_TRACKS, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in (*QUESTIONS, *CREW_QUESTIONS):
            self.fields[name] = forms.TypedChoiceField(choices=HOW_OFTEN, coerce=int, required=False)
            self.fields[f"{name}_on"] = forms.ChoiceField(choices=ALL_TRACKS, required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the questions with the marks of the one they are for, where this viewer may read their sheet."""
        learner = restored(Experience, procedure.state).found(target[0])
        character = Character.objects.filter(campaign=viewer.campaign, pk=learner.character).with_related().first()
        written = character if character and character.written_by(viewer) else None
        answers = dict(zip(learner.questions, learner.answers, strict=False))
        return {
            "name": learner.name,
            "questions": [(name, str(ASKED[name]), answers.get(name, 0)) for name in learner.questions],
            "often": HOW_OFTEN,
            "tracks": [(track, _track_words(learner, track, written)) for track in learner.tracks],
        }


def _track_words(learner: Learner, track: str, character: Character | None) -> str:
    """Return words such as "Prowess xp, 4 of 6"."""
    field = learner.sheet.field(track)
    most = getattr(field, "maximum", 0)
    if character is None:
        return str(field.label)
    return _("{track}, {marks} of {boxes}").format(track=field.label, marks=character.number(track), boxes=most)


def marked_words(learner: Learner) -> str:
    """Return words such as "Playbook XP +2, Prowess XP +1"."""
    return ", ".join(f"{rules.label(learner, mark.track)} +{mark.xp}" for mark in learner.marks) or _("no XP")


def _person(learner: Learner, buttons: Sequence[Button]) -> dict[str, Any]:
    answers = [str(ASKED[name]) for name, often in zip(learner.questions, learner.answers, strict=False) if often]
    return {
        "name": learner.name,
        "character": learner.character,
        "words": marked_words(learner) if learner.answered else _("not marked yet"),
        "told": answers,
        "buttons": [button for button in buttons if button.whom == learner.key],
    }


class ExperienceProcedure(ExperienceRules, ProcedureKind[Experience]):
    label = gettext_lazy("Experience")
    forms: ClassVar = {OPEN: OpenExperienceForm, rules.ANSWER: AnswerForm}
    sees = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        if name != OPEN:
            return given
        learners = [
            {"name": scoundrel.name, "character": str(scoundrel.pk)} for scoundrel in scoundrels(context.campaign)
        ]
        crews = crews_at_table(context.campaign)[:1] if learners else []
        return {"those": [*learners, *({"name": crew.name, "character": str(crew.pk), "crew": True} for crew in crews)]}

    def describe(self, state: Experience, buttons: Sequence[Button]) -> Values:
        return {
            "people": (people := [_person(learner, buttons) for learner in state.those if learner.there]),
            "buttons": (ends := [button for button in buttons if button.name == rules.END]),
            "staged": Staged(
                above=_("Experience"),
                rows=[
                    Row(
                        whose=person["name"],
                        character=person["character"],
                        words="",
                        detail=person["words"],
                        lines=person["told"],
                        buttons=person["buttons"],
                        about=person["name"],
                        acts_for=person["name"],
                    )
                    for person in people
                ],
                acts=ends,
            ),
        }

    def button_words(self, state: Experience, available: AvailableAct) -> str:
        if available.name == rules.END:
            return _("End without the rest") if state.waited else _("End")
        return _("Change") if state.found(available.whom).answered else _("Mark experience")

    def primary(self, state: Experience, available: AvailableAct) -> bool:
        return available.name == rules.ANSWER and not state.found(available.whom).answered

    def said(self, state: Experience, name: str, whom: str) -> str:
        if name == OPEN:
            return _("Everyone was asked to mark experience for this session.")
        if name == rules.END:
            left = ", ".join(learner.name for learner in state.waited)
            words = _("Experience for this session ended, with nothing marked for {names}.")
            return words.format(names=left) if left else _("Experience for this session ended.")
        learner = next((learner for learner in state.those if learner.name == whom), None)
        if learner is None or name != rules.ANSWER:
            return ""
        return _("{name} marked experience: {xp}.").format(name=whom, xp=marked_words(learner))
