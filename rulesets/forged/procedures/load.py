"""Loads at the table: each player declares theirs once a score, and says what turns up in the pockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django import forms

from campaigns.models import Viewer
from characters.models import Character
from rolls.models import Procedure
from rolls.procedures import ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct, Target
from rolls.rules.procedures import OPEN, Button, Values
from rolls.rules.states import restored
from rulesets.forged.models import Item
from rulesets.forged.procedures.people import scoundrels
from rulesets.forged.rules import loads as rules
from rulesets.forged.rules.loads import Carrier, Loads, LoadsRules
from rulesets.forged.rules.score import MOST_ITEMS

CHOICES: Final = {load: f"{load.value.capitalize()}, up to {most}" for load, most in MOST_ITEMS.items()}


class OpenForm(ProcedureForm):
    """Nothing: all player characters choose."""


class CarryForm(ProcedureForm):
    """Which of the things on one's sheet, by its row."""

    item = forms.RegexField("^[0-9a-f]{1,40}$", error_messages={"required": "Choose what is carried."})

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """The things of whom it is for, where this viewer may read their sheet."""
        state = restored(Loads, procedure.state)
        asked = [one.character for one in state.those if one.key == target[0]]
        mine = Character.objects.rolled_by(viewer.by).filter(pk__in=asked)
        room = {one.character: one.most - one.carried for one in state.those}
        left = (item for item in Item.objects.of(*mine) if not item.carried)
        items = [item for item in left if item.load <= room[str(item.character_id)]]
        return {"items": [(item.uid, f"{item.name}, {item.load} load") for item in items]}


def _person(one: Carrier, buttons: Sequence[Button]) -> dict[str, Any]:
    words = f"{one.load}, {one.carried} of {one.most} carried" if one.load else "no load chosen"
    if one.load and not one.fits:
        words += ", nothing else on the sheet fits"
    return {
        "name": one.name,
        "words": words,
        "buttons": [button for button in buttons if button.whom == one.key],
    }


class LoadsProcedure(LoadsRules, ProcedureKind[Loads]):
    label = "Loads"
    forms: ClassVar = {OPEN: OpenForm, rules.CARRY: CarryForm}
    sees = True
    token = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        if name != OPEN:
            return given
        return {"those": [{"name": one.name, "character": str(one.pk)} for one in scoundrels(context.campaign)]}

    def describe(self, state: Loads, buttons: Sequence[Button]) -> Values:
        there = [one for one in state.those if one.there]
        chosen = sum(bool(one.load) for one in there)
        return {
            "chip": f"Loads: {chosen} of {len(there)} chosen",
            "people": [_person(one, buttons) for one in there],
            "buttons": [button for button in buttons if button.name == rules.REST],
        }

    def button_words(self, state: Loads, available: AvailableAct) -> str:
        if available.name == rules.REST:
            return "Normal load for the rest"
        if available.name == rules.CARRY:
            return "Carry an item"
        _, load = available.target
        return CHOICES[load]

    def said(self, state: Loads, name: str, whom: str) -> str:
        one = next((one for one in state.those if one.name == whom), None)
        if name == OPEN:
            return "asks for the loads of a score"
        if name == rules.REST:
            return "gives a normal load to everybody who had not chosen, with armour restored"
        if one is None:
            return ""
        words = {
            rules.CHOOSE: f"chooses a {one.load} load for {whom}: room for {one.most}, and armour restored",
            rules.CARRY: f"finds something on {whom}: {one.carried} of {one.most} carried",
        }
        return words.get(name, "")
