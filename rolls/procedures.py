"""Procedures at the table, which several people settle together in steps.

A kind of procedure is one class, of which a `Ruleset` has one object each in `procedures`. Its rules
(rules/procedures.py) are a pure class over a state; `ProcedureKind` adds the parts that need Django: forms,
values read from sheets for them, words, and the rolls that it makes itself.

    class Wager(WagerRules, ProcedureKind[WagerState]):
        label = "Wager"
        forms = {OPEN: OpenForm}

        def describe(self, state: WagerState, buttons: Sequence[Button]) -> Values: ...

What a procedure asks for (`requests`), or makes (`next_roll`), is a RollRequest bound to it and a Roll that answers it, and no
second way to roll: so the composer, odds, what a roll costs, the Scale, voiding, correcting, statistics and proofs work as for
every roll, and the procedure is told of it in the roll's own transaction. A roll may begin a procedure, too
(`TableRules.begins`): what follows from it is settled there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from django import forms

from campaigns.errors import InvalidForm
from campaigns.models import Campaign, Membership, Role, Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.models import Procedure
from rolls.settings import RollSettings
from rolls.table_rules import RollInput, Terms
from rules import acting
from rules.acts import ActKey, Actor, AvailableAct, Target
from rules.errors import RuleError
from rules.procedures import OPEN, Asked, Button, ProcedureRules, RollPart, Values
from rules.table import Sheet

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class ProcedureContext:
    """What a form is read with, under the lock: the `target`, and the `state` as it is now (None before the procedure
    is opened).

    `character` returns a character of the campaign by its id, if it is in play and everyone may know of it; it raises
    Invalid or NotFound. `in_scene` says whether a scene is open.
    """

    campaign: Campaign
    settings: RollSettings
    by: Membership
    actor: Actor
    character: Callable[[str], Character]
    state: Any = None
    target: Target = ()
    in_scene: bool = False


@dataclass(frozen=True, kw_only=True)
class NextRoll:
    """A roll that a procedure makes itself: which `part` of it this is, and its input, for `ask.character`. `terms` are
    those of the request that it answers, for the `plan` of its rules.
    """

    part: RollPart
    ask: RollInput
    terms: Terms = field(default_factory=dict)


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
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        """Return the same for a step of a procedure that is under way, for its `target`: what differs by person is asked for
        here, as the card is one for all of a role."""
        return cls.choices(viewer)


class ProcedureKind(ProcedureRules[S]):
    """One kind of procedure at the table. Its words are drawn from the state in an event when it is read."""

    label: ClassVar[str]
    """Its name, also on the button that opens it."""
    opened_by: ClassVar[Role] = Role.GM
    """The role that may open it."""
    forms: ClassVar[Mapping[str, type[ProcedureForm]]] = {}
    """The forms by the name of the act that needs them; OPEN is for opening. Their templates are
    <system>/<kind>_<name>.html. A kind that only a roll or an effect opens has no form OPEN.
    """
    news: ClassVar[frozenset[str]] = frozenset()
    """The fields of the state that say what came of the last step alone (who was corrected, what was rolled off)."""
    sees: ClassVar[bool] = False
    """Whether acts are given what `reads` would be (Act.seen), for sheets that not everyone may know: the state, which
    is public, must do without them.
    """
    sees_clocks: ClassVar[bool] = False
    """Whether it depends on which clocks run."""
    token: ClassVar[bool] = False
    """Whether it is kept on the table until it is used (an advantage from a success, a set-up). It is drawn small, with
    what `describe` calls its `chip` (else the label), and opens its card. Beside it is drawn its `chip_template`, if
    `describe` names one: controls that work without opening the card.
    """
    others_go_by_it: ClassVar[bool] = False
    """Whether others of its rules are read again when it is opened, changes or ends, as they are for a token."""
    runs_turns: ClassVar[bool] = False
    """Whether it runs turns by which rolls may spend something (RollForm.spent): roll forms ask again when it changes."""
    rolls: ClassVar[str] = ""
    """The kind of those rolls that it makes into whose pools Burns may put dice: then `reads` is given them."""

    def __init__(self) -> None:
        """Raises TypeError where its forms are not those of its acts that ask for more."""
        asking = {rules.name for rules in self.acts.values() if rules.asks}
        if wrong := asking.symmetric_difference(set(self.forms) - {OPEN}):
            raise TypeError(
                f"{type(self).__name__}: an act asks by a form, or a form has no act: {', '.join(sorted(wrong))}"
            )

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Return the values for `start` or for the act `name`, from a checked form and from sheets; unchanged, unless
        overridden. Raises Invalid, NotFound.
        """
        return given

    def next_roll(self, state: S) -> NextRoll | None:
        """Return a roll that it makes itself, since all is said that it needs; None, unless overridden."""
        return None

    def describe(self, state: S, buttons: Sequence[Button]) -> Values:
        """Return the context of its templates for a state with its buttons, with the Staged card as `staged` (rolls/stage.py).

        Tokens are drawn by <system>/<kind>.html instead.
        """
        return {"buttons": buttons}

    def button_words(self, state: S, available: AvailableAct) -> str:
        """Return the words on an act's button."""
        raise NotImplementedError

    def primary(self, state: S, available: AvailableAct) -> bool:
        """Return whether this act moves the procedure on; most acts are one of several choices and do not."""
        return False

    def said(self, state: S, name: str, whom: str) -> str:
        """Return the log line for an act or another change, by its name and the name of its target; "" for no line.

        Changes other than acts, which have no target, are named at the top of rules/procedures.py. The log itself says
        that a step was undone or the procedure ended, before the line and if there is one. A line is whole sentences in the
        past tense that begin with the character; the log adds who did it in brackets.
        """
        raise NotImplementedError


class Played(ProcedureKind[Any]):
    """A kind whose acts are the methods of a class (rules/acting.py). Its events have its lines, and its stored row what is seen
    of it (`Procedure.cards`): its rules are asked when something is written, and not where it is read.
    """

    def __init__(self, rows: type[acting.Procedure], forms: Mapping[str, type[ProcedureForm]]) -> None:
        """Take the class, and the forms of those of its acts that ask for something."""
        self.rows = self.state = rows
        self.forms = forms  # type: ignore[misc]  # of each kind its own
        self.label = rows.label  # type: ignore[misc]
        self.token, self.runs_turns = rows.token, rows.runs_turns  # type: ignore[misc]
        self.chip_template = rows.chip_template
        self.opened_by = Role.PLAYER if rows.acts[OPEN].by is acting.anyone else Role.GM  # type: ignore[misc]

    def is_over(self, state: Any) -> bool:
        over: bool = (state.row if isinstance(state, acting.Standing) else state).over
        return over

    def requests(self, state: acting.Standing) -> Sequence[Asked]:
        return state.row.requests(state.table)

    def waiting(self, state: acting.Standing) -> Sequence[tuple[str, str]]:
        return [(one.who, str(one.words)) for one in state.row.waits(state.table)]

    def available(self, state: acting.Standing, who: Actor) -> list[AvailableAct]:
        return [one.available for one in state.row.offers(state.table, {0: who}) if who.is_gm or one.members]

    def primary(self, state: acting.Standing, available: AvailableAct) -> bool:
        act = state.row.acts[available.name]
        target = act.target(state.row, state.table, [*map(str, available.target)])
        return target is not None and act.moves_on(state.row, state.table, target)

    def why_not(self, state: acting.Standing, who: Actor, key: ActKey) -> str:
        act = state.row.acts.get(key.name)
        target = act.target(state.row, state.table, key.parts) if act else None
        if act is None or target is None or not act.by(state.row, who, *target):
            return ""
        try:
            state.row.take(state.table.trial(), act, target)
        except RuleError as refused:
            return refused.message
        return ""

    def played(self, state: Any) -> Sequence[str]:
        return [one.id for one in state.table.all(Sheet)] if isinstance(state, acting.Standing) else ()

    def party(self, state: acting.Standing, target: Target) -> tuple[str, str | None]:
        return state.row.party(state.table, str(target[0])) if target else ("", None)

    def button_words(self, state: acting.Standing, available: AvailableAct) -> str:
        act = state.row.acts[available.name]
        target = act.target(state.row, state.table, available.target)
        return "" if target is None else str(act.words(state.row, state.table, target))
