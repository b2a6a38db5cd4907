"""What several people settle together in steps, and how a ruleset says what may be done when: a `Ruleset` has `procedures`, each
a `ProcedureRules` of pure functions over a state, which is a frozen dataclass:

start(given) -> State            what it begins with, of values that `prepare` has read from a form and from sheets
may(state, who) -> Offers        what this person may do now: the buttons, and asked again under the lock
act(state, by, act) -> State     one step; raises a RuleError that says why not
waiting(state) -> Steps          who is waited for, and what for
asks(state) -> rolls             rolls of members that it waits for; each is asked for as any other roll
told(state, answers) -> State    the state with just these of them; without one that was taken back, with one that was corrected
ready(state) -> dice             dice that it throws itself, or None
settle(state, faces) -> State    the state once they have fallen
is_over(state) -> bool
shown(state) -> State            what everybody may know of it; GMs are told the whole, in their own stream

Where a procedure waits for somebody's roll, that is a RollRequest bound to it and a Roll that answers it, and no second way
to roll: so the composer, odds, Willpower, add-ons, voiding, correcting, statistics and proofs work as for every roll, and
the procedure is told of it in the roll's own transaction. What it counts is always counted anew from the rolls that stand.
Dice that are nobody's roll (whose turn comes first) are thrown with the step that needs them and told, with their proof, in
its event.

An interpreter of effects on sheets and clocks has its place in rolls/services/procedure_state.py, after `settle`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django import forms

from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.schema import Fields
from characters.models import Character
from rolls.rules.dice import Faces
from rolls.rules.procedures import Act, Actor, Answer, Asked, Button, Dice, Offer, Values
from rolls.settings import RollSettings

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class ProcedureContext:
    """Where a form is read, under the lock. `character` finds one of the campaign by its id, whom all may know of and who is in
    play; it raises Invalid, or NotFound."""

    campaign: Campaign
    settings: RollSettings
    by: Membership
    actor: Actor
    character: Callable[[str], Character]


class ProcedureForm(forms.Form):
    """What opens a procedure, or what an act of it asks; drawn by the template of the same name (ProcedureRules.template)."""

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """What its template needs to be drawn for this viewer."""
        return {}


def _all_of_it(state: Any) -> Any:
    """Most procedures are settled in the open."""
    return state


def _no_rolls(state: Any) -> Sequence[Asked]:
    return ()


def _same(state: Any, answers: Sequence[Answer]) -> Any:
    return state


def _no_dice(state: Any) -> Dice | None:
    return None


def _nothing_falls(state: Any, faces: Faces) -> Any:
    return state


@dataclass(frozen=True, kw_only=True)
class ProcedureRules(Generic[S]):
    """One kind of procedure. `label` names it, and is the button that opens it for those with the role `opened_by`.

    `state` is its dataclass, `schema` that of its payload: codes, numbers and names. `forms` are by the name of the act, OPEN
    opens it; their templates are <system>/<kind>_<name>.html, its card is <system>/<kind>.html. `prepare` makes the values of a
    checked form into those that `start` and `act` go by, with what it reads from sheets.

    Words are drawn when they are read: `describe` gives the card what it draws of a state with its buttons, `buttons` what
    stands on the button of an offer, `said` the sentence of the log for an act (its name, and the name of whom it was for).
    `party` is what somebody in the state is called, and which character that is; `played` are all characters in it, by their ids.
    """

    label: str
    opened_by: Role = Role.GM
    state: type[S]
    schema: Fields
    forms: Mapping[str, type[ProcedureForm]]
    prepare: Callable[[ProcedureContext, str, Values], Values]
    start: Callable[[Values], S]
    may: Callable[[S, Actor], Sequence[Offer]]
    act: Callable[[S, Actor, Act], S]
    waiting: Callable[[S], Sequence[tuple[str, str]]]
    is_over: Callable[[S], bool]
    played: Callable[[S], Sequence[str]]
    describe: Callable[[S, Sequence[Button]], Values]
    buttons: Callable[[S, Offer], str]
    said: Callable[[S, str, str], str]
    party: Callable[[S, str], tuple[str, str | None]]
    shown: Callable[[S], S] = _all_of_it
    asks: Callable[[S], Sequence[Asked]] = _no_rolls
    told: Callable[[S, Sequence[Answer]], S] = _same
    ready: Callable[[S], Dice | None] = _no_dice
    settle: Callable[[S, Faces], S] = _nothing_falls
