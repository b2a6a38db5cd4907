"""The budget of a scoundrel of the Forged in the Dark rules.

The text has none: seven dots of actions, two at most in one, and one special ability are the public rules' own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from characters.creation import Budget, Pot, Reckoning, Section, points, too_many
from characters.sheets.sheet import Values
from languages.text import gettext as _
from languages.text import gettext_lazy
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.sheet import ACTIONS, ATTRIBUTE_LABELS, SHEET


@dataclass(frozen=True, kw_only=True)
class ForgedBudget(Budget):
    """Dots, and numbers of entries."""

    sheet = SHEET

    actions: int = points(7, gettext_lazy("Action dots"))
    most_action: int = points(2, gettext_lazy("Most dots in one action at the start"), most=HIGHEST_RATING)
    abilities: int = points(1, gettext_lazy("Special abilities at the start"))

    def sections(self) -> Sequence[Section]:
        identity = tuple(name for name in SHEET.fields if SHEET.group_of(name) == "identity")
        return (
            Section("identity", _("Who they are"), identity),
            *(
                Section(
                    name,
                    ATTRIBUTE_LABELS[name],
                    fields,
                    most=self.most_action,
                    pot="actions",
                    first=name == "insight",
                )
                for name, fields in ACTIONS.items()
            ),
            Section("abilities", _("Special abilities"), (), "abilities", ("name", "words"), begins=1, first=True),
            Section("items", _("Items"), (), "items", ("name", "load")),
        )

    def reckon(self, values: Values) -> Reckoning:
        rated = {name: self.number(values, name) for names in ACTIONS.values() for name in names}
        pots = (
            Pot("actions", _("Action dots"), self.actions, sum(rated.values())),
            Pot("abilities", _("Special abilities"), self.abilities, len(SHEET.rows(values, "abilities"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        faults |= {
            name: _("{action}: no more than {most} at the start.").format(
                action=SHEET.field(name).label, most=self.most_action
            )
            for name, dots in rated.items()
            if dots > self.most_action
        }
        return Reckoning(pots, faults)
