"""What several people settle together in steps, and how a ruleset says what may be done when: a `Ruleset` has `procedures`, each
a `ProcedureRules` of pure functions over a state, which is a frozen dataclass:

start(given) -> State            what it begins with, of values that `prepare` has read from a form and from sheets
may(state, who) -> Offers        what this person may do now: the buttons, and asked again under the lock; an offer has as its
                                 `terms` what it commits to as others may change it
act(state, by, act) -> State     one step; raises a RuleError that says why not
why_not(state, who, offer) -> words   what keeps this person from what is not offered to them; "" for no more than that it is not
waiting(state) -> Steps          who is waited for, and in words what for
is_over(state) -> bool
shown(state) -> State            what everybody may know of it; GMs are told the whole, in their own stream
reads(state, seen) -> State      the state by sheets and other procedures as they are now (rolls/rules/procedures.py, Snapshot)
at_scene_end(state) -> State     what becomes of it when the scene ends

Dice come in three ways, and each is a Roll or has its proof in the event:

asks(state) -> rolls             rolls of members that it waits for; each is asked for as any other roll
told(state, answers) -> State    the state with just these of them; without one that was taken back, with one that was corrected
fires(state) -> Firing           a roll that it makes itself, since all is said that it needs
fell(state, answer) -> State     the state once that roll has fallen; `voided` the state without it
ready(state) -> dice             dice that are nobody's roll (whose turn comes first), told with the step that needs them
settle(state, faces) -> State    the state once they have fallen

What a procedure asks for, or makes, is a RollRequest bound to it and a Roll that answers it, and no second way to roll: so
the composer, odds, what a roll costs, add-ons, voiding, correcting, statistics and proofs work as for every roll, and the
procedure is told of it in the roll's own transaction. A roll may begin a procedure, too (`TableRules.begins`): what follows
from it is settled there.

Where a step does something outside its procedure, it leads to `StepResult(state, effects)` (rolls/rules/effects.py): on a sheet,
a clock, another procedure. Effects are kept with the step, and undone with it; what follows on a roll that is taken back is
undone as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeVar

from django import forms

from campaigns.models import Campaign, Membership, Role, Viewer
from characters.models import Character
from rolls.models import Procedure
from rolls.rules.dice import Faces
from rolls.rules.effects import StepResult
from rolls.rules.procedures import Act, Actor, Answer, Asked, AvailableAct, Button, Dice, Snapshot, Values
from rolls.settings import RollSettings
from rolls.table_rules import RollInput, Terms

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class ProcedureContext:
    """Where a form is read, under the lock: for `whom` in the `state` as it is now (None for one that is only opened).

    `character` finds one of the campaign by its id, whom all may know of and who is in play; it raises Invalid, or NotFound.
    `in_scene`: whether a scene is open.
    """

    campaign: Campaign
    settings: RollSettings
    by: Membership
    actor: Actor
    character: Callable[[str], Character]
    state: Any = None
    whom: str = ""
    in_scene: bool = False


@dataclass(frozen=True, kw_only=True)
class Firing:
    """A roll that a procedure makes itself: which `part` of it this is, and what is rolled, for `ask.character`. `terms` are
    those of the request that it answers, for the `plan` of its rules."""

    part: str
    ask: RollInput
    terms: Terms = field(default_factory=dict)


NO_CHARACTER: Final = "You play no one here who can do this. Make a character first, or ask your GM for one."


class ProcedureForm(forms.Form):
    """What opens a procedure, or what an act of it asks; drawn by the template of the same name (ProcedureRules.template).

    `on_card` is a template of what of it is pressed on the card itself, in place of its button: whoever may take the step fetches
    it there, with the same `choices_in`, and from there the form (`form_url`) for what it leaves open.

    One that is opened against a character has `against_field` for them and `own_field` for whoever acts. A press on a character
    opens it with both (in `preset` of its `choices`, as all that the address of a form says), and where it needs no more,
    `at_once`, without being shown.
    """

    on_card: ClassVar[str] = ""
    against_field: ClassVar[str] = ""
    own_field: ClassVar[str] = ""
    at_once: ClassVar[bool] = False

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        """What its template needs to be drawn for this viewer. `submits` [(name, value, words)] are buttons that send it as well,
        or instead of the usual one where they are `said_by_them`. Where this viewer has nothing to choose, `nothing` says what to
        do, and stands in the form's place. `again` is a button that sends it and leaves it open for the next."""
        return {}

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, whom: str) -> dict[str, Any]:
        """The same for a step of a procedure that is under way, for `whom` in it: what differs by person is asked for here, as
        the card is one for all of a role."""
        return cls.choices(viewer)


def _all_of_it(state: Any) -> Any:
    """Most procedures are settled in the open."""
    return state


def _as_given(context: ProcedureContext, name: str, given: Values) -> Values:
    return given


def _no_rolls(state: Any) -> Sequence[Asked]:
    return ()


def _same(state: Any, answers: Sequence[Answer]) -> Any:
    return state


def _as_it_was(state: Any, seen: Snapshot) -> Any:
    """Most go by their own state alone."""
    return state


def _outlives_the_scene(state: Any) -> Any:
    return state


def _fires_nothing(state: Any) -> Firing | None:
    return None


def _same_after(state: Any, answer: Answer) -> Any:
    return state


def _same_without(state: Any, part: str) -> Any:
    return state


def _like_others(state: Any, offer: AvailableAct) -> bool:
    """Most steps are one of several."""
    return False


def _for_no_reason(state: Any, who: Actor, wanted: AvailableAct) -> str:
    return ""


def _no_dice(state: Any) -> Dice | None:
    return None


def _nothing_falls(state: Any, faces: Faces) -> Any:
    return state


@dataclass(frozen=True, kw_only=True)
class ProcedureRules(Generic[S]):
    """One kind of procedure. `label` names it, and is the button that opens it for those with the role `opened_by`.

    `state` is its dataclass, `schema` that of its payload: codes, numbers and names. `forms` are by the name of the act, OPEN
    opens it; their templates are <system>/<kind>_<name>.html. `prepare` makes the values of a
    checked form into those that `start` and `act` go by, with what it reads from sheets.

    Words are drawn when they are read: `describe` gives what its forms draw of a state with its buttons, and as `staged` the
    Staged that the stage draws (rolls/stage.py); tokens have <system>/<kind>.html instead. `buttons` is what stands on the button
    of an offer, `primary` whether it is what brings this on, `said` the sentence of the log for an act (its name, and the name of
    whom it was for).
    An act or roll of which `said` says "" has no line in the log. `party` is what somebody in the state is called, and which
    character that is; `played` are all characters in it, by their ids.

    `open_to_all` are acts that `may` offers to every player, whomever they play, so that their buttons stand there for all.
    What in the state somebody typed stands in the schema as TEXT: what is new of that is told as the words of whoever acts, and
    goes with their other words when they are erased.
    Where it `sees_clocks`, it goes by which of them run. With `sees`, acts are given what `reads` would be (Act.seen): sheets of
    which not everybody may know, so that the state, which is told, has to do without.
    `news` are the fields of the state that say what came of the last step alone (who was corrected, what was rolled off).
    A `token` is something that lies on the table until it is used (what a success has made true, a set-up): drawn small,
    beside the rest. What `describe` calls its `chip` stands on it (else the label), and its card opens from that; beside it
    what its `chip_template` draws, if `describe` names one: what may be pressed without opening anything.
    One that nobody opens by hand, but a roll or an effect, has no form OPEN. With `others_go_by_it` others of its rules are read
    anew when it is opened, changes or ends, as they are when a token does.
    `rolls` is the kind of those rolls that it makes into whose pools add-ons may put dice: then `reads` is given them.
    """

    label: str
    opened_by: Role = Role.GM
    state: type[S]
    schema: Any
    forms: Mapping[str, type[ProcedureForm]] = field(default_factory=dict)
    prepare: Callable[[ProcedureContext, str, Values], Values] = _as_given
    start: Callable[[Values], S | StepResult[S]]
    may: Callable[[S, Actor], Sequence[AvailableAct]]
    act: Callable[[S, Actor, Act], S | StepResult[S]]
    why_not: Callable[[S, Actor, AvailableAct], str] = _for_no_reason
    waiting: Callable[[S], Sequence[tuple[str, str]]]
    is_over: Callable[[S], bool]
    played: Callable[[S], Sequence[str]]
    describe: Callable[[S, Sequence[Button]], Values]
    buttons: Callable[[S, AvailableAct], str]
    primary: Callable[[S, AvailableAct], bool] = _like_others
    said: Callable[[S, str, str], str]
    party: Callable[[S, str], tuple[str, str | None]]
    shown: Callable[[S], S] = _all_of_it
    reads: Callable[[S, Snapshot], S] = _as_it_was
    at_scene_end: Callable[[S], S | StepResult[S]] = _outlives_the_scene
    asks: Callable[[S], Sequence[Asked]] = _no_rolls
    told: Callable[[S, Sequence[Answer]], S] = _same
    fires: Callable[[S], Firing | None] = _fires_nothing
    fell: Callable[[S, Answer], S | StepResult[S]] = _same_after
    voided: Callable[[S, str], S] = _same_without
    ready: Callable[[S], Dice | None] = _no_dice
    settle: Callable[[S, Faces], S | StepResult[S]] = _nothing_falls
    open_to_all: frozenset[str] = frozenset()
    news: frozenset[str] = frozenset()
    sees: bool = False
    sees_clocks: bool = False
    token: bool = False
    others_go_by_it: bool = False
    rolls: str = ""

    @property
    def rereads(self) -> bool:
        """Whether it goes by sheets, so that it is asked anew when one of its characters changes."""
        return self.reads is not _as_it_was
