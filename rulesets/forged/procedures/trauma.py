"""The trauma that a full stress track brings, as it is chosen at the table."""

from __future__ import annotations

from collections.abc import Sequence

from rolls.procedures import ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rolls.stage import Mark, Row, Staged
from rulesets.forged.rules import full_tracks as rules
from rulesets.forged.rules.full_tracks import Broken, Trauma, TraumaRules


def _broken(state: Trauma, scoundrel: Broken, buttons: Sequence[Button]) -> Row:
    retires = f"{scoundrel.name} retires."
    if scoundrel.chosen:
        words, last = scoundrel.chosen, scoundrel.retired
    else:
        words = "is out of this, and comes back with a trauma and without stress."
        last = len(scoundrel.had) + 1 >= state.settings.last_trauma
    return Row(
        whose=scoundrel.name,
        character=scoundrel.character,
        words=words,
        marks=[Mark(f"It is the last one: {retires}", "trouble")] if last else (),
        look="settled" if scoundrel.chosen else "trouble",
        buttons=[button for button in buttons if button.whom == scoundrel.character],
        about=scoundrel.name,
        acts_for=scoundrel.name,
    )


class TraumaProcedure(TraumaRules, ProcedureKind[Trauma]):
    label = "Trauma"

    def describe(self, state: Trauma, buttons: Sequence[Button]) -> Values:
        return {
            "staged": Staged(above="Trauma", rows=[_broken(state, scoundrel, buttons) for scoundrel in state.those])
        }

    def button_words(self, state: Trauma, available: AvailableAct) -> str:
        _, trauma = available.target
        return str(trauma).capitalize()

    def said(self, state: Trauma, name: str, whom: str) -> str:
        names = " and ".join(scoundrel.name for scoundrel in state.those)
        if name == OPEN:
            return f"fills the stress of {names}, which brings a trauma"
        if name != rules.CHOOSE:
            return ""
        scoundrel = next(scoundrel for scoundrel in state.those if scoundrel.name == whom)
        return f"chooses a trauma for {whom}: {scoundrel.chosen}{', who retires with it' if scoundrel.retired else ''}"
