"""The trauma from a full stress track, as it is chosen at the table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from languages.text import gettext_lazy
from rolls.procedures import ProcedureKind
from rolls.stage import Mark, Row, Staged
from rules.acts import AvailableAct
from rules.procedures import OPEN, Button, Values
from rulesets.forged.rules import full_tracks as rules
from rulesets.forged.rules.full_tracks import Broken, Trauma, TraumaRules
from rulesets.forged.sheet import TRAUMA_LABELS


def _broken(state: Trauma, scoundrel: Broken, buttons: Sequence[Button]) -> Row:
    if scoundrel.chosen:
        words, last = str(TRAUMA_LABELS[scoundrel.chosen]), scoundrel.retired
    else:
        words = _("out of the scene; comes back with a trauma and no stress")
        last = len(scoundrel.had) + 1 >= state.settings.last_trauma
    return Row(
        whose=scoundrel.name,
        character=scoundrel.character,
        words=words,
        marks=[Mark(_("last trauma: {name} retires").format(name=scoundrel.name), "trouble")] if last else (),
        look="settled" if scoundrel.chosen else "trouble",
        buttons=[button for button in buttons if button.whom == scoundrel.character],
        about=scoundrel.name,
        acts_for=scoundrel.name,
    )


class TraumaProcedure(TraumaRules, ProcedureKind[Trauma]):
    label = gettext_lazy("Trauma")

    def describe(self, state: Trauma, buttons: Sequence[Button]) -> Values:
        return {
            "staged": Staged(above=_("Trauma"), rows=[_broken(state, scoundrel, buttons) for scoundrel in state.those])
        }

    def button_words(self, state: Trauma, available: AvailableAct) -> str:
        return str(TRAUMA_LABELS[str(available.target[-1])])

    def said(self, state: Trauma, name: str, whom: str) -> str:
        if name == OPEN:
            names = ", ".join(scoundrel.name for scoundrel in state.those)
            return _("The stress track is full, which brings a trauma: {names}.").format(names=names)
        if name != rules.CHOOSE:
            return ""
        scoundrel = next(scoundrel for scoundrel in state.those if scoundrel.name == whom)
        words = (
            _("{name} took a trauma and retired: {trauma}.")
            if scoundrel.retired
            else _("{name} took a trauma: {trauma}.")
        )
        return words.format(name=whom, trauma=TRAUMA_LABELS[scoundrel.chosen])
