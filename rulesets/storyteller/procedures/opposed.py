"""The opposed action at the table: its form and its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Viewer
from campaigns.schema import CODE, Fields, ListOf, Maybe
from rolls.forms.fields import UsualNumber
from rolls.procedures import ProcedureContext, ProcedureForm, ProcedureRules
from rolls.rules.procedures import OPEN, RECOUNTED, ROLLED, Button, Offer, Values
from rulesets.storyteller.difficulty import DifficultyField
from rulesets.storyteller.procedures import sides
from rulesets.storyteller.rules import opposed as rules
from rulesets.storyteller.rules.contested import LONGEST_NAME, MOST_SUCCESSES, Side
from rulesets.storyteller.rules.opposed import OnTie, Opposed, Until

ON_TIE: Final = {OnTie.DEFENDER: "whoever resists wins", OnTie.AGAIN: "both roll again"}
UNTIL: Final = {
    Until.ONCE: "one roll each",
    Until.FIRST: "who first has so many successes",
    Until.MARGIN: "who first is so many ahead",
}
USUAL_GOAL: Final = 5
SCHEMA: Final[Fields] = {
    "a": sides.SIDE,
    "b": sides.SIDE,
    "on_tie": CODE,
    "until": CODE,
    "goal": int,
    "exchanges": ListOf({"a": Maybe(sides.ROLLED), "b": Maybe(sides.ROLLED)}),
}


class OpenForm(ProcedureForm):
    """Of each side a character or a name, and what it rolls."""

    a_character = forms.UUIDField(required=False)
    a_name = LineField(max_length=LONGEST_NAME, required=False)
    a_pool = LineField(max_length=120, required=False)
    a_difficulty = DifficultyField()
    b_character = forms.UUIDField(required=False)
    b_name = LineField(max_length=LONGEST_NAME, required=False)
    b_pool = LineField(max_length=120, required=False)
    b_difficulty = DifficultyField()
    on_tie = forms.ChoiceField(choices=[(one.value, words) for one, words in ON_TIE.items()], required=False)
    until = forms.ChoiceField(choices=[(one.value, words) for one, words in UNTIL.items()], required=False)
    goal = UsualNumber("The successes wanted", 1, MOST_SUCCESSES, USUAL_GOAL)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(one.pk), one.name) for one in sides.characters_for(viewer)]
        return {
            "characters": named,
            "on_tie": cls.base_fields["on_tie"].choices,  # type: ignore[attr-defined]  # that of a ChoiceField
            "until": cls.base_fields["until"].choices,  # type: ignore[attr-defined]
            "goal": USUAL_GOAL,
        }


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    return {
        "a": sides.side(context, given, "a_"),
        "b": sides.side(context, given, "b_"),
        "on_tie": OnTie(given["on_tie"] or OnTie.DEFENDER),
        "until": Until(given["until"] or Until.ONCE),
        "goal": given["goal"],
    }


def _decided_by(state: Opposed) -> str:
    goal = f"{state.goal} {'success' if state.goal == 1 else 'successes'}"
    return {
        Until.ONCE: "One roll each",
        Until.FIRST: f"First to {goal}",
        Until.MARGIN: f"First to be {goal} ahead",
    }[state.until]


def _stands(state: Opposed) -> str:
    """ "Silas 3, Vesper 2: Silas wins by 1"."""
    decided = state.decided
    number = decided[2] if decided else None
    stands = f"{state.a.name} {state.total('a', number)}, {state.b.name} {state.total('b', number)}"
    if decided is None:
        return stands
    winner, margin, _ = decided
    name = (state.a if winner == "a" else state.b).name
    return f"{stands}: {name} wins {f'by {margin}' if margin else 'the tie'}"


def said(state: Opposed, name: str, whom: str) -> str:
    """The sentence of the log."""
    if name == OPEN:
        a, b = (f"{side.name} ({sides.roll_words(side)})" for side in (state.a, state.b))
        return f"begins an opposed action: {a} against {b}. {_decided_by(state)}; on a tie {ON_TIE[state.on_tie]}"
    again = "counted again, " if name == RECOUNTED else ""
    if name in (ROLLED, RECOUNTED) and not state.decided and rules.asks(state):
        waits = " and ".join((state.a if part == "a" else state.b).name for part, _ in rules.waiting(state))
        return f"Opposed action: {again}{_stands(state)}; {waits} to roll"
    return f"Opposed action: {again}{_stands(state)}"


def describe(state: Opposed, buttons: Sequence[Button]) -> Values:
    return {
        "sides": [_side(state, "a", state.a), _side(state, "b", state.b)],
        "number": state.number,
        "decided_by": _decided_by(state),
        "on_tie_words": ON_TIE[state.on_tie],
    }


def _side(state: Opposed, name: str, side: Side) -> dict[str, Any]:
    """`now` are the successes of its roll in the exchange that is not whole yet, None before it has fallen."""
    open_one = state.exchanges[state.number - 1] if state.number <= len(state.exchanges) else None
    rolled = getattr(open_one, name) if open_one else None
    return {
        "name": side.name,
        "words": sides.roll_words(side),
        "total": state.total(name),
        "now": rolled.successes if rolled else None,
    }


def party(state: Opposed, whom: str) -> tuple[str, str | None]:
    side = state.a if whom == "a" else state.b
    return side.name, side.character


def _no_button(state: Opposed, offer: Offer) -> str:
    return offer.name


OPPOSED: Final = ProcedureRules(
    label="Opposed action",
    state=Opposed,
    schema=SCHEMA,
    forms={OPEN: OpenForm},
    prepare=prepare,
    start=rules.start,
    may=rules.may,
    act=rules.act,
    waiting=rules.waiting,
    is_over=rules.is_over,
    played=lambda state: [side.character for side in (state.a, state.b) if side.character],
    describe=describe,
    buttons=_no_button,
    said=said,
    party=party,
    asks=rules.asks,
    told=rules.told,
)
