"""The budget of a scoundrel of the Forged in the Dark rules.

The text has none: seven dots of actions, two at most in one, and one special ability are the public rules' own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from characters.creation.budget import Budget, Pot, Reckoning, Section, points, too_many
from characters.sheets.sheet import Values
from rulesets.forged.sheet import ACTIONS, HIGHEST_ACTION, SHEET

_ACTIONS = {name: tuple(label.lower() for label in labels) for name, labels in ACTIONS.items()}


@dataclass(frozen=True, kw_only=True)
class ForgedBudget(Budget):
    """Dots, and numbers of entries."""

    sheet = SHEET

    actions: int = points(7, "Dots of actions")
    most_action: int = points(2, "Dots in one action at the start", most=HIGHEST_ACTION)
    abilities: int = points(1, "Special abilities at the start")

    def sections(self) -> Sequence[Section]:
        identity = tuple(name for name in SHEET.fields if SHEET.group_of(name) == "identity")
        return (
            Section("identity", "Who they are", identity),
            *(
                Section(name, name.capitalize(), fields, most=self.most_action, pot="actions", first=name == "insight")
                for name, fields in _ACTIONS.items()
            ),
            Section("abilities", "Special abilities", (), "abilities", ("name", "words"), begins=1, first=True),
            Section("items", "Items", (), "items", ("name", "load")),
        )

    def reckon(self, values: Values) -> Reckoning:
        rated = {name: self.number(values, name) for names in _ACTIONS.values() for name in names}
        pots = (
            Pot("actions", "Dots of actions", self.actions, sum(rated.values())),
            Pot("abilities", "Special abilities", self.abilities, len(SHEET.rows(values, "abilities"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        faults |= {
            name: f"{SHEET.field(name).label}: no more than {self.most_action} at the start."
            for name, dots in rated.items()
            if dots > self.most_action
        }
        return Reckoning(pots, faults)
