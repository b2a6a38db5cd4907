"""The trauma that a full stress track brings, as it is chosen at the table."""

from __future__ import annotations

from collections.abc import Sequence

from rolls.procedures import ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, Values
from rolls.stage import Mark, Row, Staged
from rulesets.forged.rules import trauma as rules
from rulesets.forged.rules.trauma import Broken, Trauma, TraumaRules


def _broken(state: Trauma, one: Broken, buttons: Sequence[Button]) -> Row:
    retires = f"{one.name} retires."
    if one.chosen:
        words, last = one.chosen, one.retired
    else:
        words = "is out of this, and comes back with a trauma and without stress."
        last = len(one.had) + 1 >= state.settings.last_trauma
    return Row(
        whose=one.name,
        character=one.character,
        words=words,
        marks=[Mark(f"It is the last one: {retires}", "trouble")] if last else (),
        look="settled" if one.chosen else "trouble",
        buttons=[button for button in buttons if button.whom == one.character],
        about=one.name,
        acts_for=one.name,
    )


class TraumaProcedure(TraumaRules, ProcedureKind[Trauma]):
    label = "Trauma"

    def describe(self, state: Trauma, buttons: Sequence[Button]) -> Values:
        return {"staged": Staged(above="Trauma", rows=[_broken(state, one, buttons) for one in state.those])}

    def button_words(self, state: Trauma, available: AvailableAct) -> str:
        _, trauma = available.target
        return str(trauma).capitalize()

    def said(self, state: Trauma, name: str, whom: str) -> str:
        names = " and ".join(one.name for one in state.those)
        if name == OPEN:
            return f"fills the stress of {names}, which brings a trauma"
        if name != rules.CHOOSE:
            return ""
        one = next(one for one in state.those if one.name == whom)
        return f"chooses a trauma for {whom}: {one.chosen}{', who retires with it' if one.retired else ''}"
