"""The rules of a procedure: what several people settle together in steps, as one class a kind, without Django.

    class Wager(ProcedureRules[WagerState]):
        state = WagerState

        @act(by=player_of(lambda state, side: state.characters[side]), each=lambda state: state.unready)
        def ready(self, state: WagerState, step: Act, side: str) -> WagerState:
            return replace(state, ready=(*state.ready, side))

The state is a frozen dataclass. One method is one act: its arguments behind the step are what the act is for. What may be done is
derived from the decorated methods (`available`), and asked again under the lock, so that a step is judged by the state as it is
then. A step that does something outside its procedure, on a sheet, a clock or another procedure, gives `StepResult(state,
effects)` (rules/effects.py). How it looks at the table is said by `ProcedureKind` (rolls/procedures.py), of which a kind is
a subclass as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from languages.text import gettext, gettext_noop
from rules.acts import ACT, ActKey, Actor, ActRules, AvailableAct, Target, anyone, target_key
from rules.dice import Dice, Faces
from rules.effects import Effect, StepResult, led
from rules.errors import BlockedByState, NotPossible, RuleError
from rules.messages import Words

S = TypeVar("S")

OPEN: Final = "open"
"""The form that opens a procedure, among those of its acts."""
ROLLED, RECOUNTED, TAKEN_BACK, DROPPED = "rolled", "recounted", "taken_back", "dropped"
REREAD, SCENE_ENDED, USED, PLAYERS_CHANGED = "reread", "scene_ended", "used", "players_changed"
UPGRADED: Final = "upgraded"
"""Changes of a procedure other than by its own acts: a roll of it, a roll that was voided or corrected, a step that was
undone, a GM who closes it, a sheet that it depends on and that has changed, the end of the scene, a procedure that uses
it up, a player in it who leaves (which is not recorded), and the upgrade that ended those of 0.2.1 and before.
"""

Values: TypeAlias = Mapping[str, Any]
Parties: TypeAlias = Mapping[str, tuple[str, str | None]]

SOMEONE: Final = gettext_noop("Someone")
"""The name of a side for which none was typed, as states hold it."""


def called(name: str) -> str:
    """Return the name of a side as it is read."""
    return gettext(name) if name == SOMEONE else name


def named(typed: str) -> str:
    """Return the name that was typed for a side; SOMEONE for none, and for what a form proposes where it has none."""
    return SOMEONE if typed.strip() in ("", called(SOMEONE)) else typed.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One step as it is taken: its `name`, who takes it (`by`), its `target`, and the `values` of its form.

    With `override` a GM allows what a character's state forbids (rules/errors.py). `seen` is what the rules read
    beside the state, if they ask for it (ProcedureKind.sees).
    """

    name: str
    by: Actor = field(default_factory=Actor)
    target: Target = ()
    values: Values = field(default_factory=dict)
    override: bool = False
    seen: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class RollPart:
    """Identifies a roll of a procedure: what is rolled, and for what ("resist" and the key of a consequence).

    It is stored with the request of the roll as "resist.c1".
    """

    name: str
    of: str = ""

    @classmethod
    def parse(cls, kept: str) -> RollPart:
        name, _, of = kept.partition(".")
        return cls(name, of)

    def __str__(self) -> str:
        return f"{self.name}.{self.of}" if self.of else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A roll that is awaited: its `part`, its terms as in a request, and its character (None: dice of a GM's)."""

    part: RollPart
    terms: Mapping[str, Any]
    character: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A standing roll that answers a request: what its Roll keeps."""

    part: RollPart
    outcome: Mapping[str, Any]
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSnapshot:
    """A character in play as a procedure sees it: `values` are those of the sheet of `system`."""

    name: str
    system: str
    values: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a procedure may depend on besides its own state, as it is under the lock.

    `sheets` are those of its characters, by their ids, without characters that left play or are hidden from its
    readers; `dead` are those of them who have died. `open` are the other open procedures of the same ruleset, as (id,
    state), by kind, and `ended` those that ended just now. `clocks` are the ids of running clocks, of which
    `full_clocks` are full. `settings` are those of the ruleset. `extra_dice` are Burn dice for the pools of its
    rolls, by character.
    """

    sheets: Mapping[str, SheetSnapshot] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    open: Mapping[str, Sequence[tuple[str, Any]]] = field(default_factory=dict)
    ended: Mapping[str, Sequence[tuple[str, Any]]] = field(default_factory=dict)
    settings: Any = None
    clocks: frozenset[str] = frozenset()
    full_clocks: frozenset[str] = frozenset()
    in_scene: bool = False
    extra_dice: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """An AvailableAct as it is drawn: what it sends, its `words`, and the `form` that asks for more, if any.

    `on_card` is a part of the form that is pressed on the card. `members` may press it beside the GMs, or every player
    if `open_to_all`. `primary` acts move the procedure on.
    """

    name: str
    target: Target
    sent: str
    words: Words
    form: bool
    members: tuple[int, ...]
    open_to_all: bool = False
    primary: bool = False
    on_card: bool = False

    @property
    def whom(self) -> str:
        """Return the first part of the target."""
        return str(self.target[0]) if self.target else ""

    @property
    def target_key(self) -> str:
        return target_key(self.target)


class ProcedureRules(Generic[S]):
    """The rules of one kind of procedure over its state `S`, a frozen dataclass. A kind overrides what it needs.

    Its acts are methods with `@act`. Those of a large kind may be in several base classes, one a file: their acts come
    in the order of the bases, and then its own.
    """

    state: type[S]
    acts: ClassVar[Mapping[str, ActRules]] = {}

    def __init_subclass__(cls) -> None:
        """Raises TypeError for an act whose method would hide one of these rules."""
        super().__init_subclass__()
        acts: dict[str, ActRules] = {}
        for base in cls.__bases__:
            acts |= getattr(base, "acts", {})
        for name, member in vars(cls).items():
            rules = getattr(member, ACT, None)
            if isinstance(rules, ActRules):
                if hasattr(ProcedureRules, name):
                    raise TypeError(f"{cls.__name__}.{name} hides a rule of procedures: give the method another name.")
                acts[rules.name] = rules
        cls.acts = acts

    # How it begins, and its acts

    def start(self, given: Values) -> S | StepResult[S]:
        """Return the first state, from values that `prepare` read from a form and sheets: by default they are its fields. Raises
        a RuleError.
        """
        return self.state(**given)

    def available(self, state: S, who: Actor) -> list[AvailableAct]:
        """Return the acts that this person may take now. What a character's state forbids is offered to GMs only."""
        return [
            AvailableAct(rules.name, target, rules.terms(state, *target))
            for rules in self.acts.values()
            for target in rules.targets(state)
            if rules.by(state, who, *target) and not self._hindered(rules, state, who, target)
        ]

    def find(self, state: S, who: Actor, key: ActKey) -> AvailableAct | None:
        """Return the act of this name and target that this person may take now, whatever its terms; None if there is none."""
        for available in self.available(state, who):
            if (available.name, target_key(available.target)) == (key.name, key.target):
                return available
        return None

    def why_not(self, state: S, who: Actor, key: ActKey) -> str:
        """Return why this person cannot take a step of their own; "" if the step is not theirs."""
        rules = self.acts.get(key.name)
        for target in rules.targets(state) if rules else ():
            if rules and target_key(target) == key.target and rules.by(state, who, *target):
                return self._hindered(rules, state, who, target)
        return ""

    def take(self, state: S, step: Act) -> StepResult[S]:
        """Take one step.

        Raises NotPossible if the step is not available, BlockedByState if a character's state forbids it, and the
        RuleError of its method.
        """
        rules = self.acts.get(step.name)
        if rules is None or step.target not in rules.targets(state):
            raise NotPossible("act", step.name, allowed="what is shown", message=gettext("You can’t do that any more."))
        if not step.override and (blocked := rules.blocks(state, *step.target)):
            raise BlockedByState(*blocked)
        return led(getattr(self, rules.method)(state, step, *step.target))

    def _hindered(self, rules: ActRules, state: S, who: Actor, target: Target) -> str:
        """Return the message that would refuse this step; "" if it would be taken."""
        if not who.is_gm and (blocked := rules.blocks(state, *target)):
            return blocked[1]
        if rules.tried:
            try:
                getattr(self, rules.method)(state, Act(name=rules.name, by=who, target=target), *target)
            except RuleError as error:
                return error.message
        return ""

    def is_open_to_all(self, name: str) -> bool:
        """Return whether every player may take this act, whoever they play."""
        return self.acts[name].by is anyone

    # Its present state

    def waiting(self, state: S) -> Sequence[tuple[str, str]]:
        """Return who is waited for, as `party` names them ("" for the GM), and the words for what. By default nobody is."""
        return ()

    def is_over(self, state: S) -> bool:
        """Return whether it has come to its end. By default it goes on until a GM ends it."""
        return False

    def parties(self, state: S) -> Parties:
        """Return the name of each party in it, and the character that it is, if any, by the key that acts' targets begin with."""
        return {}

    def played(self, state: S) -> Sequence[str]:
        """Return the ids of all characters in it: by default of its parties."""
        return [character for _name, character in self.parties(state).values() if character]

    def party(self, state: S, target: Target) -> tuple[str, str | None]:
        """Return the name of an act's target and the character that it is, if any; ("", None) for none, or one who has left."""
        return self.parties(state).get(str(target[0]) if target else "", ("", None))

    def shown(self, state: S) -> S:
        """Return the state as everyone may see it; GMs get all of it in their own stream. By default everyone sees all."""
        return state

    def reads(self, state: S, seen: Snapshot) -> S:
        """Return the state updated from sheets, clocks and other procedures as they are now.

        A kind that overrides this is called again whenever one of these changes; others depend on their own state alone.
        """
        return state

    @property
    def rereads(self) -> bool:
        """Return whether it depends on more than its own state."""
        return type(self).reads is not ProcedureRules.reads

    def at_scene_end(self, state: S) -> S | StepResult[S]:
        """Return the state after the end of the scene. By default it goes on unchanged."""
        return state

    # Dice. Each is a Roll, or has its proof in the event.

    def requests(self, state: S) -> Sequence[Asked]:
        """Return the rolls of members that it waits for; each is asked for as any other roll. None, unless overridden."""
        return ()

    def on_answers(self, state: S, answers: Sequence[Answer]) -> S:
        """Return the state with just these of the rolls that it asked for: without one that was voided, with one that was
        corrected."""
        return state

    def on_roll(self, state: S, answer: Answer) -> S | StepResult[S]:
        """Return the state once a roll that it made itself (`next_roll`) has fallen."""
        return state

    def on_void(self, state: S, part: RollPart) -> S:
        """Return the state without a voided roll that it made itself; `state` is the one before that roll."""
        return state

    def dice_needed(self, state: S) -> Dice | None:
        """Return dice that are not a member's roll (such as whose turn is first), thrown with the step that needs them;
        None for none. Ties may take more of the same throw.
        """
        return None

    def apply_dice(self, state: S, faces: Faces) -> S | StepResult[S]:
        """Return the state once the dice that it needed have fallen."""
        return state


class SheetFollow:
    """The rule for a kind of sheet that cannot stay as it is, such as one with a full track (`Ruleset.follows`). It is
    asked in the operation that wrote there (a roll, a procedure or a person) about player characters in play and crews;
    NPCs' sheets stay as GMs write them.
    """

    def due(self, values: Mapping[str, Any], settings: Any) -> bool:
        """Return whether anything follows from a sheet with these values, by the ruleset's settings (None if it has none)."""
        raise NotImplementedError

    def effects(self, snapshot: Snapshot) -> Sequence[Effect]:
        """Return the effects for `snapshot.sheets`, all of which are due. After them nothing more may follow from the
        sheets; otherwise the rule has to see an open procedure that settles it.
        """
        raise NotImplementedError
