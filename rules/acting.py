"""Procedures as ordinary classes: what several people settle together, one method an act.

    class Wager(Procedure):
        label = gettext_lazy("Wager")
        stakes: dict[str, int] = {}

        @act(gettext_lazy("Raise"), says=gettext_lazy("{who} raised to {to}."), by=owner, each=bettors)
        def raise_to(self, table: Table, who: Bettor, *, to: Annotated[int, Between(1, 9), gettext_lazy("Stake")] = 1) -> None:
            self.stakes[who.id] = to

Its fields are its state, and each method with `@act` is what somebody can do: what stands before the star of its signature is
whom or what it is for, of which `each` yields all that there is; what stands behind it is asked by a form, and what `**` takes is
only given by the rules (`Table.begin`). An act raises
`Refused` with a sentence, and what would be refused is not offered. Its line in the log is what `says` says, which may name its
arguments, what the method returns, and `line_names`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from characters.reasons import Reason
from languages.text import pgettext_lazy
from rules.acts import Actor, AvailableAct
from rules.errors import BlockedByState, RuleError, whole
from rules.messages import Message, Words, gettext, stored, worded
from rules.procedures import Answer
from rules.procedures import Asked as Request
from rules.table import Refused, Row, Sheet, Table

F = TypeVar("F", bound=Callable[..., Any])
M = TypeVar("M")
ACT = "__act_of_procedure__"
OPEN = "open"
"""The act that begins a procedure: its `by` is `gm`, `anyone` where players may, or `nobody` where only the rules do."""

# What an argument behind the star may be, in its annotation. A text beside it is its label, or a function of the procedure, the
# table and the target that says it; of several the last one. What has none is not drawn.


class OfArgument:
    """Whatever stands in an annotation beside its type and its label."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Between(OfArgument):
    """A whole number from `low` to `high`; `words` refuse any other, where they are not made of the label."""

    low: int
    high: int
    words: Any = ""


@dataclass(frozen=True, slots=True)
class Text(OfArgument):
    """A line that a person types, of at most so many letters; erasing finds it."""

    most: int = 120


@dataclass(frozen=True, slots=True)
class OneOf(OfArgument):
    """One of what `choices(procedure, table, *target)` yields: rows, members of an enum, or pairs of a value and its words.
    What may be left out is called `none`; `nothing` is read where there is nothing to choose."""

    choices: Callable[..., Iterable[Any]]
    none: Words = ""
    nothing: Words = ""

    @classmethod
    def of(cls, words: Mapping[Any, Any], none: Words = "") -> OneOf:
        """Let one of these values be chosen, by their words."""
        return cls(lambda *_where: ((one, worded(said)) for one, said in words.items()), none)


@dataclass(frozen=True, slots=True)
class Like(OfArgument):
    """An example, which is seen in the field as long as it is empty."""

    words: str


@dataclass(frozen=True, slots=True)
class Under(OfArgument):
    """The head of a part of the form, which begins here: words, or a function that says them; "" for none."""

    words: Any


@dataclass(frozen=True, slots=True)
class When(OfArgument):
    """What is asked only where `holds(procedure, table, *target)`; elsewhere its default counts, whatever was sent."""

    holds: Callable[..., bool]


FOR_GM: Final = When(lambda procedure, table, *target: table.by.is_gm)


@dataclass(frozen=True, slots=True)
class AsRead(OfArgument):
    """What the form has read, as it is: a line of at most so many letters, unless the kind's own form has a field of this name
    that reads something else. No erasing finds it."""

    most: int = 80


@dataclass(frozen=True, slots=True)
class Unasked(OfArgument):
    """What no form asks for: another part of the game gives it, or the kind's own form makes it of its fields."""


class Asked(NamedTuple):
    """An argument that the form of an act asks for: its type, what stands beside it in the annotation, and its default, which is
    `inspect.Parameter.empty` where it has to be given."""

    name: str
    kind: Any
    about: tuple[Any, ...]
    default: Any

    @property
    def label(self) -> Any:
        """Return its label; "" for one whose form's own template says it."""
        return ["", *(one for one in self.about if not isinstance(one, OfArgument))][-1]

    @property
    def none(self) -> Words:
        """Return the words for choosing none; "" where one has to be chosen."""
        return listed.none if (listed := self.mark(OneOf)) else ""

    @property
    def is_several(self) -> bool:
        return get_origin(self.kind) is list

    @property
    def is_needed(self) -> bool:
        """Return whether it has to be given."""
        return self.default is inspect.Parameter.empty

    @property
    def is_row(self) -> bool:
        """Return whether it is a row of the table."""
        return any(isinstance(kind, type) and issubclass(kind, Row) for kind in self._kinds)

    @property
    def is_chosen(self) -> bool:
        """Return whether it is one of what there is."""
        return self.is_row or self.mark(OneOf) is not None

    @property
    def _kinds(self) -> tuple[Any, ...]:
        return get_args(self.kind) or (self.kind,)

    def mark(self, kind: type[M]) -> M | None:
        """Return what the annotation says of this kind, the outermost of several; None if it says nothing of it."""
        return next((one for one in reversed(self.about) if isinstance(one, kind)), None)

    def is_asked(self, procedure: Procedure, table: Table, target: tuple[Any, ...] = ()) -> bool:
        """Return whether the form asks for it at all."""
        when = self.mark(When)
        return when is None or when.holds(procedure, table, *target)

    def choices(self, procedure: Procedure, table: Table, target: tuple[Any, ...] = ()) -> list[tuple[str, Any, Words]]:
        """Return what there is to choose for a target: as addresses name it, as it is, and its words. [] where nothing is
        chosen."""
        listed = self.mark(OneOf)
        found = [*listed.choices(procedure, table, *target)] if listed else [*self._of_its_kind(table)]
        pairs = (one if isinstance(one, tuple) else (one, called(one)) for one in found)
        return [(key_of(value), value, words) for value, words in pairs]

    def _of_its_kind(self, table: Table) -> Iterator[Any]:
        for kind in self._kinds:
            if isinstance(kind, type) and issubclass(kind, Row):
                yield from table.all(kind)
            elif isinstance(kind, type) and issubclass(kind, Enum):
                yield from kind

    def read(self, given: Any, procedure: Procedure, table: Table, target: tuple[Any, ...] = ()) -> Any:
        """Return the argument for the checked value of a field. Raises Refused for what is not there to choose."""
        if not self.is_asked(procedure, table, target) or (given in (None, "") and not self.is_needed):
            return self.default
        if between := self.mark(Between):
            return whole(self.name, given, between.low, between.high)
        if isinstance(given, bool) or any(isinstance(one, Text | AsRead) for one in self.about):
            return given
        if isinstance(given, list | tuple):
            return [self._chosen(one, procedure, table, target) for one in given] if self.is_chosen else given
        return self._chosen(given, procedure, table, target)

    def _chosen(self, given: Any, procedure: Procedure, table: Table, target: tuple[Any, ...]) -> Any:
        for key, value, _words in self.choices(procedure, table, target):
            if key == key_of(given):
                return value
        raise Refused(gettext("Choose from the list."), self.name)


def asked_of(kind: Any) -> tuple[Asked, ...]:
    """Return what the annotated fields of a class ask for, as the arguments of an act do."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        Asked(name, hint.__origin__, hint.__metadata__, getattr(kind, name))
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    )


# Acts


def gm(procedure: Any, who: Actor, *target: Any) -> bool:
    """Let GMs take an act."""
    return who.is_gm


def anyone(procedure: Any, who: Actor, *target: Any) -> bool:
    """Let every player take an act."""
    return True


def nobody(procedure: Any, who: Actor, *target: Any) -> bool:
    """Let only the rules take an act: that which opens a procedure (`Table.begin`)."""
    return False


def owner(procedure: Any, who: Actor, whom: Row, *more: Any) -> bool:
    """Let those take an act who play whom it is for, and GMs."""
    return who.plays(whom.id)


def _always(procedure: Any, table: Table) -> bool:
    return True


def _for_nothing(procedure: Any, table: Table) -> Iterable[Any]:
    return ((),)


def _nothing(procedure: Any, table: Table, *target: Any) -> Any:
    return ()


Label: TypeAlias = "str | Callable[..., Words]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What `act` says of a method."""

    name: str
    label: Label
    says: str | Callable[..., str]
    by: Callable[..., bool]
    when: Callable[..., bool]
    each: Callable[..., Iterable[Any]]
    terms: Callable[..., Any]
    primary: bool | Callable[..., bool]
    tried: bool
    takes: tuple[str, ...] = ()
    asks: tuple[Asked, ...] = ()

    def target(self, procedure: Any, table: Table, keys: Sequence[str]) -> tuple[Any, ...] | None:
        """Return what addresses name so, of what the act could be for now; None if there is none."""
        every = self.targets(procedure, table)
        return next((one for one in every if [*map(key_of, one)] == [*keys]), None)

    def targets(self, procedure: Any, table: Table) -> Iterator[tuple[Any, ...]]:
        """Yield all that the act could be for now; () for what is for nobody in particular."""
        for target in self.each(procedure, table) if self.when(procedure, table) else ():
            yield target if isinstance(target, tuple) else (target,)

    def found(self, procedure: Any, table: Table, target: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the same target on another table, where this procedure stands. Raises Refused if it is not there."""
        if any(isinstance(one, BaseModel) and not isinstance(one, Row) for one in target):
            if (there := self.target(procedure, table, [*map(key_of, target)])) is None:
                raise Refused(gettext("That’s no longer there."))
            return there
        return tuple(_on(table, one) for one in target)

    def moves_on(self, procedure: Any, table: Table, target: tuple[Any, ...]) -> bool:
        """Return whether it moves the procedure on."""
        return self.primary(procedure, table, *target) if callable(self.primary) else self.primary

    def line(self, procedure: Any, table: Table, named: Mapping[str, Any]) -> Words:
        """Return what it says in the log, of what its sentence may name; "" for nothing."""
        says = self.says(procedure, table) if callable(self.says) else self.says
        return worded(says, **named) if says else ""

    def words(self, procedure: Any, table: Table, target: tuple[Any, ...]) -> Words:
        """Return the words on its button, which may name its targets."""
        if callable(self.label):
            return self.label(procedure, table, *target)
        return worded(self.label, **dict(zip(self.takes, map(called, target), strict=True)))


def act(
    label: Label,
    *,
    says: str | Callable[..., str] = "",
    by: Callable[..., bool] = gm,
    when: Callable[..., bool] = _always,
    each: Callable[..., Iterable[Any]] = _for_nothing,
    terms: Callable[..., Any] = _nothing,
    primary: bool | Callable[..., bool] = False,
    tried: bool = True,
) -> Callable[[F], F]:
    """Make a method an act. `label` is what its button says, or a function of the procedure, the table and the target that says
    it; `says` is its line in the log, which may name its arguments and what the method returns as a dictionary.

    `by(procedure, who, *target)` says who may take it, `when(procedure, table)` whether it can be done at all, and
    `each(procedure, table)` yields its targets, one alone or several as a tuple. `terms(procedure, table, *target)` are what
    whoever presses has to have seen beside the words of the button. A `primary` act moves the procedure on; it may be a function
    of the procedure, the table and the target as well. Without `tried` it is offered even where it would be refused, and the
    refusal is read when it is pressed.
    """

    def mark(method: F) -> F:
        vars(method)[ACT] = Act(
            name=method.__name__,
            label=label,
            says=says,
            by=by,
            when=when,
            each=each,
            terms=terms,
            primary=primary,
            tried=tried,
        )
        return method

    return mark


def called(target: Any) -> Any:
    """Return what a sentence calls an argument: a row's name, the words of a member of an enum, anything else as it is."""
    return getattr(target, "label", None) or getattr(target, "name", target)


# Procedures


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A roll that a procedure makes: which `part` of it this is, its input, a `RollInput` of the game, and what a request of it
    would say (`terms`)."""

    part: str
    ask: Any
    terms: Mapping[str, Any] = field(default_factory=dict)


class Waits(NamedTuple):
    """Somebody who is waited for, by the id of the character ("" for the GM), with the words for what; the `name` of one without
    a sheet, and the `key` of what they act for, where that is not the character; `own` are words for whoever it is, where they
    differ."""

    who: str
    words: Words
    name: Words = ""
    key: str = ""
    own: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An act that can be taken now, with those who may beside the GMs, by their numbers."""

    act: Act
    target: tuple[Any, ...]
    words: Words
    terms: Any
    members: tuple[int, ...]
    primary: bool = False

    @property
    def available(self) -> AvailableAct:
        """Return it as a button names it; its mark is a digest of what whoever presses has to have seen."""
        return AvailableAct(self.act.name, tuple(map(key_of, self.target)), (str(stored([self.words, self.terms])),))


class Standing(NamedTuple):
    """A procedure as it stands on a table."""

    row: Procedure
    table: Table


def digest(terms: Any) -> str:
    """Return a digest of the terms that somebody has agreed to, to compare them with those of now."""
    return sha256(json.dumps(stored(terms)).encode()).hexdigest()[:16]


def key_of(target: Any) -> str:
    """Return a target as addresses name it: a row by its id, anything else as it is written."""
    return str(getattr(target, "id", target))


class Procedure(Row):
    """What several people settle together. Its fields are its state, which is stored between the steps."""

    label: ClassVar[str]
    """Its name, also on the button that opens it."""
    why: ClassVar[Reason] = Reason("procedure", pgettext_lazy("why a sheet changed", "settled at the table"))
    """The reason of what it writes on sheets, for their histories."""
    acts: ClassVar[Mapping[str, Act]] = {}
    token: ClassVar[bool] = False
    """Whether it is kept on the table until it is used, and drawn small, with its `chip`; that opens its card."""
    runs_turns: ClassVar[bool] = False
    """Whether it runs turns by which rolls may spend something (RollForm.spent): roll forms ask again when it changes."""
    against: ClassVar[tuple[str, str]] = ("", "")
    """What `open` asks for: who acts, and against whom. A press on a character opens it with both; `at_once`, without its form,
    if that needs no more."""
    at_once: ClassVar[bool] = False
    on_card: ClassVar[Mapping[str, str]] = {}
    """Templates by acts, for the part of an act's form that is pressed on the card itself, in place of its button."""
    chip_template: ClassVar[str] = ""
    """Draws beside a token what works without opening its card."""

    over: bool = False

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        acts = {}
        for base in reversed(cls.__mro__):
            for name, method in vars(base).items():
                if isinstance(marked := getattr(method, ACT, None), Act):
                    acts[name] = _with_arguments(marked, method)
        hiding = [name for name, one in cls.model_fields.items() if hasattr(one.default, ACT)]
        if hiding := [*hiding, *(name for name in acts if hasattr(Procedure, name))]:
            raise TypeError(f"An act of {cls.__name__} hides another name: `{'`, `'.join(hiding)}`.")
        cls.acts = acts

    def next_roll(self, table: Table) -> Roll | None:
        """Return a roll for which all is said that it needs; None, unless overridden."""
        return None

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Go on from a roll that has fallen, and return the line that says so; "" for none."""
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        """Go back before a roll that it made itself and that was voided: it stands as it stood then. By default nothing more
        changes."""

    def requests(self, table: Table) -> Sequence[Request]:
        """Return the rolls of members that it waits for (rules/procedures.py), each asked for as any other. By default none."""
        return ()

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        """Count just these of the rolls that it asked for: without one that was voided, with one that was corrected."""

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        """Return the line of a roll that it asked for and that has been counted; `again` after one was voided or corrected."""
        return ""

    def scene_ended(self, table: Table) -> Words:
        """Do what the end of the scene does to it, and return the line that says so. By default it goes on."""
        return ""

    def stands(self, table: Table) -> Words:
        """Return the line that goes with an undo, and with its end by a GM: how it stands; "" for none."""
        return ""

    def aside(self, table: Table) -> Words:
        """Return what GMs alone read behind the line of the step that has led here; "" for nothing."""
        return ""

    def used(self, table: Table) -> Words:
        """Return the line that goes with its end by another procedure, which uses it up; "" for none."""
        return ""

    def waits(self, table: Table) -> Sequence[Waits]:
        """Return who is waited for, and for what. By default nobody is."""
        return ()

    def chip_words(self, table: Table) -> Words:
        """Return the words of a token; by default its name."""
        return worded(self.label)

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        """Return the name of whom a target's first part stands for, and the character that it is, if any; ("", None) for nobody.
        By default it is the id of a character."""
        whom = table.find(Sheet, key)
        return (whom.name, whom.id) if whom else ("", None)

    def card(self, table: Table, buttons: Sequence[Any]) -> Any:
        """Return what is to be seen (rolls/stage.py), from the rows that its readers know."""
        raise NotImplementedError

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        """Return what stands in the form of an act before anything is typed there: by default its own fields of those names."""
        return {one.name: getattr(self, one.name) for one in self.acts[act].asks if one.name in type(self).model_fields}

    def line_names(self, table: Table) -> Mapping[str, Words]:
        """Return what the lines of its acts may name beside what an act takes and returns, as it is once that is done."""
        return {}

    # What events of 0.2 told, with a state in place of a line

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table | None:
        """Return the table that such an event tells of, by its state: the procedure, and who is in it. By default None: no more
        is seen of it than its name."""
        return None

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        """Return the line of an act for `whom`, by their name, or of another change (rules/procedures.py), in such an event; ""
        for none. By default it is what the act says, of `line_names`."""
        if act not in self.acts:
            return ""
        return self.acts[act].line(self, table, {"who": whom, "whom": whom} | dict(self.line_names(table)))

    # What can be done

    def offers(self, table: Table, members: Mapping[int, Actor], named: str = "") -> list[Offer]:
        """Return all that can be done now, or what one act that is named can be done for. An act without a form is tried first,
        on copies; what a state forbids is offered to GMs alone."""
        if self.over:
            return []
        acts = [act for act in self.acts.values() if act.name != OPEN and named in ("", act.name)]
        every = ((act, target) for act in acts for target in act.targets(self, table))
        return [offer for act, target in every if (offer := self._offer(table, members, act, target))]

    def _offer(self, table: Table, members: Mapping[int, Actor], act: Act, target: tuple[Any, ...]) -> Offer | None:
        blocked = False
        if act.tried and not act.asks:
            try:
                self._done(table.trial(), act, target, {})
            except BlockedByState:
                blocked = True
            except RuleError:
                return None
        those = {} if blocked or act.by is gm else members
        return Offer(
            act=act,
            target=target,
            words=act.words(self, table, target),
            terms=act.terms(self, table, *target),
            members=tuple(one for one, who in those.items() if act.by(self, who, *target)),
            primary=act.moves_on(self, table, target),
        )

    def take(
        self, table: Table, act: Act, target: tuple[Any, ...], asked: Mapping[str, Any] = MappingProxyType({})
    ) -> Words:
        """Take an act on a table, where this procedure, the targets and what was asked are found anew. Return its line, "" for
        none. Raises a RuleError."""
        procedure, there, given, returned = self._done(table, act, target, asked)
        if isinstance(returned, Message):
            return returned
        if not act.says:
            return ""
        named = {**procedure.line_names(table), **dict(zip(act.takes, there, strict=True)), **given, **(returned or {})}
        return act.line(procedure, table, {name: called(one) for name, one in named.items()})

    def _done(
        self, table: Table, act: Act, target: tuple[Any, ...], asked: Mapping[str, Any]
    ) -> tuple[Procedure, tuple[Any, ...], Mapping[str, Any], Any]:
        """Return this procedure on the table once the act is done there, its target, what was asked, and what came back."""
        procedure = _on(table, self)
        there = act.found(procedure, table, target)
        given = {name: _on(table, one) for name, one in asked.items()}
        return procedure, there, given, getattr(procedure, act.name)(table, *there, **given)


def _on(table: Table, one: Any) -> Any:
    if isinstance(one, list):
        return [_on(table, each) for each in one]
    return table.get(type(one), one.id) if isinstance(one, Row) else one


def _with_arguments(act: Act, method: Callable[..., Any]) -> Act:
    """Return an act with what its method takes. Raises TypeError for an argument behind the star without a type."""
    hints = get_type_hints(method, include_extras=True)
    own = [*inspect.signature(method).parameters.values()][2:]
    asked = [one for one in own if one.kind is one.KEYWORD_ONLY]
    if bare := [one.name for one in asked if one.name not in hints]:
        raise TypeError(f"`{act.name}` asks for `{'`, `'.join(bare)}` without a type.")
    asks = tuple(_asked(one, hints[one.name]) for one in asked)
    takes = tuple(one.name for one in own if one.kind is one.POSITIONAL_OR_KEYWORD)
    values = {name: getattr(act, name) for name in act.__slots__}
    return Act(**values | {"takes": takes, "asks": asks})


def _asked(parameter: inspect.Parameter, hint: Any) -> Asked:
    kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return Asked(parameter.name, kind, tuple(about), parameter.default)
