"""A Scene Descriptor on the table: its forms, its words, and what of sheets it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from languages.text import gettext_lazy
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rules.acts import AvailableAct
from rules.procedures import OPEN, SCENE_ENDED, Button, Values
from rulesets.descriptors.procedures.pools import chosen_character, fund, known_to_players, own
from rulesets.descriptors.rules import scene_descriptor as rules
from rulesets.descriptors.rules.scene_descriptor import (
    LONGEST_NAME,
    STICKING_COST,
    SceneDescriptor,
    SceneDescriptorRules,
)
from rulesets.descriptors.sheet import MOST_DICE
from rulesets.descriptors.table.ask import rated


class OpenSceneDescriptorForm(ProcedureForm):
    """Asks for a Scene Descriptor that a GM adds to the situation."""

    name = LineField(max_length=LONGEST_NAME, error_messages={"required": gettext_lazy("Give it a name.")})
    dice = forms.IntegerField(min_value=1, max_value=MOST_DICE, initial=1)


class StickForm(ProcedureForm):
    """Asks `to` whom it sticks, and who pays (`payer`)."""

    to = forms.UUIDField(error_messages={"required": gettext_lazy("Choose who it sticks to.")})
    payer = forms.UUIDField(error_messages={"required": gettext_lazy("Choose who pays for it.")})

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        payers = [(str(character.pk), character.name) for character in own(viewer)]
        return {
            "to": [(str(character.pk), character.name) for character in known_to_players(viewer)],
            "payers": payers,
            "nothing": "" if payers else NO_CHARACTER,
        }


def titled(state: SceneDescriptor) -> str:
    """Return words such as "“Tied up” 3D"."""
    return rated(f"“{state.name}”", state.dice)


BUTTONS: Final = {
    rules.STICK: gettext_lazy("Make it stick"),
    rules.REDUCE: gettext_lazy("Remove 1 die"),
    rules.END: gettext_lazy("Remove"),
}


class SceneDescriptorProcedure(SceneDescriptorRules, ProcedureKind[SceneDescriptor]):
    label = gettext_lazy("Scene Descriptor")
    forms: ClassVar = {OPEN: OpenSceneDescriptorForm, rules.STICK: StickForm}
    token = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return who is to bear it and who pays, with the payer's Will."""
        if name == OPEN:
            return {"name": given["name"].strip(), "dice": given["dice"]}
        bearer, payer = chosen_character(context, given["to"], "to"), chosen_character(context, given["payer"], "payer")
        return {
            "to": str(bearer.pk),
            "to_name": bearer.name,
            "payer": str(payer.pk),
            "payer_name": payer.name,
            "will": fund(context, payer),
        }

    def describe(self, state: SceneDescriptor, buttons: Sequence[Button]) -> Values:
        """Return the context of a Scene Descriptor; `joins` is its spelling in a typed pool, where plus signs separate
        Descriptors.
        """
        return {
            "title": titled(state),
            "name": state.name,
            "dice": state.dice,
            "made_by": state.made_by_name,
            "joins": f"{state.name.replace('+', ' ')} {state.dice}",
            "buttons": buttons,
            "chip": rated(state.name, state.dice),
            "chip_template": "descriptors/scene_descriptor_chip.html",
        }

    def button_words(self, state: SceneDescriptor, available: AvailableAct) -> str:
        return str(BUTTONS[available.name])

    def said(self, state: SceneDescriptor, name: str, whom: str) -> str:
        return self._sentence(state, name).format(
            descriptor=titled(state),
            maker=state.made_by_name,
            bearer=state.stuck_to_name,
            payer=state.paid_by_name,
            cost=STICKING_COST,
        )

    def _sentence(self, state: SceneDescriptor, name: str) -> str:
        if name == OPEN and state.made_by_name:
            return _("{maker} made a Scene Descriptor: {descriptor}.")
        if name == rules.STICK:
            return _("{descriptor} stuck to {bearer}. {payer} paid {cost} Will.")
        if name == SCENE_ENDED:
            return _("{descriptor} ended with the scene.")
        if name == rules.REDUCE and not self.is_over(state):
            return _("Someone did something about it and it lost 1 die: {descriptor}.")
        if name in (rules.REDUCE, rules.END):
            return _("Someone did something about {descriptor}, and it’s gone.")
        return _("Scene Descriptor: {descriptor}.")
