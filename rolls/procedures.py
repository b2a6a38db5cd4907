"""Procedures at the table, which several people settle together in steps.

A kind of procedure is one class (rules/acting.py), of which a `Ruleset` has one object each in `procedures`, made by `played`
(rolls/forms/asked.py).

What a procedure asks for (`requests`), or makes (`next_roll`), is a RollRequest bound to it and a Roll that answers it, and no
second way to roll: so the composer, odds, what a roll costs, the Scale, voiding, correcting, statistics and proofs work as for
every roll, and the procedure is told of it in the roll's own transaction. A roll may begin a procedure, too
(`TableRules.begins`): what follows from it is settled there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django import forms

from campaigns.errors import InvalidForm
from campaigns.models import Role, Viewer
from languages.text import gettext_lazy
from rolls.models import Procedure
from rules import acting
from rules.acts import ActKey, Actor, AvailableAct, Target, target_key
from rules.errors import RuleError
from rules.procedures import OPEN

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
NO_CHARACTER: Final = gettext_lazy(
    "None of your characters can do this. Create a character first, or ask your GM for one."
)


class ProcedureForm(forms.Form):
    """The form that opens a procedure, or that an act needs; drawn by the template of the same name
    (`<system>/<kind>_<name>.html`).

    `on_card` is a template for the part that is pressed on the card itself, in place of its button: a member who may
    take the step fetches it there, with the same `choices_in`, and from there the form (`form_url`) for the rest.

    One that is opened against a character has `against_field` for them and `own_field` for the actor. A press on a
    character opens it with both (in `preset` of its `choices`, as everything in the address of a form), and if it needs
    no more, `at_once`, without being shown.
    """

    on_card: ClassVar[str] = ""
    against_field: ClassVar[str] = ""
    own_field: ClassVar[str] = ""
    at_once: ClassVar[bool] = False

    @classmethod
    def whole(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return checked values with those that the form gives for whatever is left out. Raises InvalidForm for fields that
        have to be filled in."""
        untouched = cls({})
        left_out = untouched.errors.keys() & (untouched.fields.keys() - given.keys())
        if left_out:
            raise InvalidForm({name: [*map(str, untouched.errors[name])] for name in sorted(left_out)})
        return {**untouched.cleaned_data, **given}

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """Return the context that the form's template needs for this viewer.

        `submits` [(name, value, words)] are more buttons that send it, or the only ones if `said_by_them`. `nothing` is
        a sentence shown instead of the form if there is nothing to choose. `again` is a button that sends it and leaves
        it open for the next.
        """
        return {}

    @classmethod
    def choices_in(
        cls, viewer: Viewer, procedure: Procedure, target: Target, given: Mapping[str, Any] = NOTHING
    ) -> dict[str, Any]:
        """Return the same for a step of a procedure that is under way, for its `target`, and for what was `given` on its card:
        what differs by person is asked for here, as the card is one for all of a role."""
        return cls.choices(viewer)


class ProcedureKind:
    """A kind of procedure of a game: a class whose methods are its acts (rules/acting.py), and the forms of those that ask for
    something. Its events have its lines, and its stored row what is seen of it (`Procedure.cards`): its rules are asked when
    something is written, and not where it is read.
    """

    def __init__(self, rows: type[acting.Procedure], forms: Mapping[str, type[ProcedureForm]]) -> None:
        """Take the class, and the forms of those of its acts that ask for something. Raises TypeError without what begins it."""
        if not hasattr(rows, "label") or OPEN not in rows.acts:
            raise TypeError(f"{rows.__name__} has no `label`, or no act `open`, which begins it.")
        self.rows = rows
        self.forms = forms
        self.label = rows.label
        self.token, self.runs_turns = rows.token, rows.runs_turns
        self.chip_template = rows.chip_template
        self.opened_by = Role.PLAYER if rows.acts[OPEN].by is acting.anyone else Role.GM

    def available(self, standing: acting.Standing, who: Actor, named: str = "") -> list[AvailableAct]:
        """Return the acts that this person may take now, or those of one name. What a character's state forbids is offered to
        GMs only."""
        offers = standing.row.offers(standing.table, {0: who}, named)
        return [one.available for one in offers if who.is_gm or one.members]

    def find(self, standing: acting.Standing, who: Actor, key: ActKey) -> AvailableAct | None:
        """Return the act of this name and target that this person may take now, whatever its terms; None if there is none."""
        those = self.available(standing, who, key.name)
        return next((one for one in those if target_key(one.target) == key.target), None)

    def why_not(self, standing: acting.Standing, who: Actor, key: ActKey) -> str:
        """Return why this person cannot take a step of their own; "" if the step is not theirs."""
        row, table = standing
        act = row.acts.get(key.name)
        target = act.target(row, table, key.parts) if act else None
        if act is None or target is None or not act.by(row, who, *target):
            return ""
        try:
            row.take(table.trial(), act, target)
        except RuleError as refused:
            return refused.message
        return ""

    def party(self, standing: acting.Standing, target: Target) -> tuple[str, str | None]:
        """Return the name of an act's target and the character that it is, if any; ("", None) for none, or one who has left."""
        return standing.row.party(standing.table, str(target[0])) if target else ("", None)

    def button_words(self, standing: acting.Standing, available: AvailableAct) -> str:
        """Return the words on an act's button."""
        row, table = standing
        act = row.acts[available.name]
        target = act.target(row, table, available.target)
        return "" if target is None else str(act.words(row, table, target))
