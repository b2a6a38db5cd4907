"""A Scene Descriptor on the table: its forms, its words, and what of sheets it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, SCENE_ENDED, Button, Values
from rulesets.descriptors.procedures.pools import chosen_character, fund, known_to_players, own
from rulesets.descriptors.rules import scene_descriptor as rules
from rulesets.descriptors.rules.scene_descriptor import (
    LONGEST_NAME,
    STICKING_COST,
    SceneDescriptor,
    SceneDescriptorRules,
)
from rulesets.descriptors.sheet import MOST_DICE


class OpenSceneDescriptorForm(ProcedureForm):
    """Asks what a GM puts there, as the situation has it."""

    name = LineField(max_length=LONGEST_NAME, error_messages={"required": "Say what it is called."})
    dice = forms.IntegerField(min_value=1, max_value=MOST_DICE, initial=1)


class StickForm(ProcedureForm):
    """`to` whom it sticks, and who pays (`payer`)."""

    to = forms.UUIDField(error_messages={"required": "Choose to whom it sticks."})
    payer = forms.UUIDField(error_messages={"required": "Choose who pays for it."})

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
    return f"“{state.name}” {state.dice}D"


class SceneDescriptorProcedure(SceneDescriptorRules, ProcedureKind[SceneDescriptor]):
    label = "Scene Descriptor"
    forms: ClassVar = {OPEN: OpenSceneDescriptorForm, rules.STICK: StickForm}
    token = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return who is to bear it and who pays, with the Will that they have."""
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
        """`joins` is how one writes it into a pool, where a plus sign stands between Descriptors."""
        return {
            "title": titled(state),
            "name": state.name,
            "dice": state.dice,
            "made_by": state.made_by_name,
            "joins": f"{state.name.replace('+', ' ')} {state.dice}",
            "buttons": buttons,
            "chip": f"{state.name} {state.dice}D",
            "chip_template": "descriptors/scene_descriptor_chip.html",
        }

    def button_words(self, state: SceneDescriptor, available: AvailableAct) -> str:
        return {rules.STICK: "Make it stick", rules.REDUCE: "One die less", rules.END: "Gone"}[available.name]

    def said(self, state: SceneDescriptor, name: str, whom: str) -> str:
        """Return the sentence of the log, behind the name of who did it."""
        words = titled(state)
        made = f" of {state.made_by_name}" if state.made_by_name else ""
        if name == rules.REDUCE and not self.is_over(state):
            return f"takes a die off, since somebody has done something about it: {words}"
        return {
            OPEN: f"makes a Scene Descriptor{made}: {words}",
            rules.STICK: f"makes {words} stick to {state.stuck_to_name}, for {STICKING_COST} Will of {state.paid_by_name}",
            SCENE_ENDED: f"lets {words} go with the scene",
            rules.REDUCE: f"takes {words} away: somebody has done something about it",
            rules.END: f"takes {words} away: somebody has done something about it",
        }.get(name, f"Scene Descriptor: {words}")
