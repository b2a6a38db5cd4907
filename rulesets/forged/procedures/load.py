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
from rulesets.forged.models import Item, scoundrels
from rulesets.forged.rules import loads as rules
from rulesets.forged.rules.loads import Carrier, Loads, LoadsRules
from rulesets.forged.rules.score import MOST_ITEMS

CHOICES: Final = {load: f"{load.value.capitalize()}, up to {most}" for load, most in MOST_ITEMS.items()}


class OpenLoadForm(ProcedureForm):
    """Nothing: all player characters choose."""


class CarryForm(ProcedureForm):
    """Which of the things on one's sheet, by its row."""

    item = forms.RegexField("^[0-9a-f]{1,40}$", error_messages={"required": "Choose what is carried."})

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the things of the one that the form is for, where this viewer may read their sheet."""
        state = restored(Loads, procedure.state)
        asked = [carrier.character for carrier in state.those if carrier.key == target[0]]
        mine = Character.objects.rolled_by(viewer.by).filter(pk__in=asked)
        room = {carrier.character: carrier.most - carrier.carried for carrier in state.those}
        left = (item for item in Item.objects.of(*mine) if not item.carried)
        items = [item for item in left if item.load <= room[str(item.character_id)]]
        return {"items": [(item.uid, f"{item.name}, {item.load} load") for item in items]}


def _person(carrier: Carrier, buttons: Sequence[Button]) -> dict[str, Any]:
    words = f"{carrier.load}, {carrier.carried} of {carrier.most} carried" if carrier.load else "no load chosen"
    if carrier.load and not carrier.fits:
        words += ", nothing else on the sheet fits"
    return {
        "name": carrier.name,
        "words": words,
        "buttons": [button for button in buttons if button.whom == carrier.key],
    }


class LoadsProcedure(LoadsRules, ProcedureKind[Loads]):
    label = "Loads"
    forms: ClassVar = {OPEN: OpenLoadForm, rules.CARRY: CarryForm}
    sees = True
    token = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        if name != OPEN:
            return given
        return {
            "those": [
                {"name": scoundrel.name, "character": str(scoundrel.pk)} for scoundrel in scoundrels(context.campaign)
            ]
        }

    def describe(self, state: Loads, buttons: Sequence[Button]) -> Values:
        carriers = [carrier for carrier in state.those if carrier.there]
        chosen = sum(bool(carrier.load) for carrier in carriers)
        return {
            "chip": f"Loads: {chosen} of {len(carriers)} chosen",
            "people": [_person(carrier, buttons) for carrier in carriers],
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
        carrier = next((carrier for carrier in state.those if carrier.name == whom), None)
        if name == OPEN:
            return "asks for the loads of a score"
        if name == rules.REST:
            return "gives a normal load to everybody who had not chosen, with armour restored"
        if carrier is None:
            return ""
        words = {
            rules.CHOOSE: f"chooses a {carrier.load} load for {whom}: room for {carrier.most}, and armour restored",
            rules.CARRY: f"finds something on {whom}: {carrier.carried} of {carrier.most} carried",
        }
        return words.get(name, "")
