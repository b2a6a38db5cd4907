"""Loads at the table: each player declares theirs once a score, and says what turns up in the pockets."""

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
from rules.acts import AvailableAct, Target
from rules.checked import restored
from rules.procedures import OPEN, Button, Values
from rulesets.forged.models import Item, scoundrels
from rulesets.forged.rules import loads as rules
from rulesets.forged.rules.loads import Carrier, Loads, LoadsRules
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import LOADS

CHOICES: Final = {
    Load.LIGHT: gettext_lazy("Light, up to {most}"),
    Load.NORMAL: gettext_lazy("Normal, up to {most}"),
    Load.HEAVY: gettext_lazy("Heavy, up to {most}"),
    Load.ENCUMBERED: gettext_lazy("Encumbered, up to {most}"),
}
CHOSEN: Final = {
    Load.LIGHT: gettext_lazy("{name} chose a light load: room for {most}, armour restored."),
    Load.NORMAL: gettext_lazy("{name} chose a normal load: room for {most}, armour restored."),
    Load.HEAVY: gettext_lazy("{name} chose a heavy load: room for {most}, armour restored."),
    Load.ENCUMBERED: gettext_lazy("{name} chose to be encumbered: room for {most}, armour restored."),
}


class OpenLoadForm(ProcedureForm):
    """Nothing: all player characters choose."""


class CarryForm(ProcedureForm):
    """Which of the things on the sheet, by its row."""

    item = forms.RegexField("^[0-9a-f]{1,40}$", error_messages={"required": gettext_lazy("Choose what to carry.")})

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the things of the one that the form is for, where this viewer may read their sheet."""
        state = restored(Loads, procedure.state)
        asked = [carrier.character for carrier in state.those if carrier.key == target[0]]
        mine = Character.objects.rolled_by(viewer.by).filter(pk__in=asked)
        room = {carrier.character: carrier.most - carrier.carried for carrier in state.those}
        left = (item for item in Item.objects.of(*mine) if not item.carried)
        items = [item for item in left if item.load <= room[str(item.character_id)]]
        return {
            "items": [(item.uid, _("{item}, {load} load").format(item=item.name, load=item.load)) for item in items]
        }


def _person(carrier: Carrier, buttons: Sequence[Button]) -> dict[str, Any]:
    words = _("no load chosen")
    if carrier.load:
        words = (
            _("{load}: {carried} of {most} carried")
            if carrier.fits
            else _("{load}: {carried} of {most} carried, nothing else on the sheet fits")
        ).format(load=dict(LOADS)[carrier.load], carried=carrier.carried, most=carrier.most)
    return {
        "name": carrier.name,
        "words": words,
        "buttons": [button for button in buttons if button.whom == carrier.key],
    }


class LoadsProcedure(LoadsRules, ProcedureKind[Loads]):
    label = gettext_lazy("Loads")
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
            "chip": _("Loads: {chosen} of {people} chosen").format(chosen=chosen, people=len(carriers)),
            "people": [_person(carrier, buttons) for carrier in carriers],
            "buttons": [button for button in buttons if button.name == rules.REST],
        }

    def button_words(self, state: Loads, available: AvailableAct) -> str:
        if available.name == rules.REST:
            return _("Normal load for the rest")
        if available.name == rules.CARRY:
            return _("Carry an item")
        load = available.target[-1]
        return CHOICES[load].format(most=MOST_ITEMS[load])

    def said(self, state: Loads, name: str, whom: str) -> str:
        carrier = next((carrier for carrier in state.those if carrier.name == whom), None)
        if name == OPEN:
            return _("Everyone was asked to choose a load for the score.")
        if name == rules.REST:
            return _("Everyone who hadn’t chosen took a normal load, with armour restored.")
        if carrier is None:
            return ""
        if name == rules.CHOOSE and carrier.load:
            return CHOSEN[Load(carrier.load)].format(name=whom, most=carrier.most)
        if name == rules.CARRY:
            words = _("{name} turned out to carry something: {carried} of {most} carried.")
            return words.format(name=whom, carried=carrier.carried, most=carrier.most)
        return ""
