"""What a ruleset does with rolls at the table. A ruleset's `table` package makes a `TableRules` of functions such as these:

plan(context, ask) -> PreparedRoll     check what is asked for, under the lock; nothing is changed yet
read(terms, faces) -> Outcome          what the rules make of the faces; used again when a roll is corrected
writes(roll) -> what to write          its costs and gains on sheets: done with it, undone with it, and as a correction says
card(roll) -> payload                  what the log keeps for its card, in codes, for ever
describe(payload) -> words             what people read of that, drawn when it is read
preview(context, ask) -> Odds          what the composer shows before the dice fall; nothing where it raises Invalid
request(context, ask) -> Requested     what a GM may ask somebody else to roll, or a player may announce
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, ClassVar, Final, TypeAlias
from uuid import UUID

from campaigns.kinds import Payload
from campaigns.models import Campaign, Event, Membership
from campaigns.schema import CODE, Fields, ListOf, Maybe, Schema
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rolls.countable import Countable
from rolls.joining import HookContext
from rolls.models import Audience, Roll, RollRequest
from rolls.rules.bars import Bar, Barred
from rolls.rules.dice import D10, Die, Faces
from rolls.rules.effects import Write
from rolls.rules.states import stored
from rolls.settings import RollSettings

LONGEST_NOTE: Final = 200
MARKED: Final[Fields] = {"given": Maybe(int), "given_to": Maybe(CODE)}
"""What add-ons write on a die (rolls/joining.py), beside what its ruleset tells of it in the schema of a card."""

Written: TypeAlias = dict[str, Any]
"""What a roll has written on a sheet: the `write` as it was asked for, and how it is undone (`done`), in JSON's own types."""
Terms: TypeAlias = dict[str, Any]
"""What a roll keeps of what was asked, in JSON's own types: `note`, all that `read` needs, and what its card says of it. Like the
terms of a request it holds codes, numbers and names, and no words of ours."""


@dataclass(frozen=True, kw_only=True)
class RollInput:
    """What can be said of any roll: whose it is, a note of up to 200 characters, and the GM's request that it answers."""

    system: ClassVar[str]

    character: UUID | None = None
    note: str = ""
    request: UUID | None = None
    override: bool = False
    """A GM allows what the state of the character forbids."""


@dataclass(frozen=True, kw_only=True)
class RollContext:
    """Who rolls, for whose eyes, and under which settings: found and checked under the lock."""

    work: UnitOfWork
    character: Character | None
    request: RollRequest | None
    audience: Audience
    settings: RollSettings
    override: bool = False
    overridden: list[str] = field(default_factory=list, compare=False)
    remembered: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def bar(self, bar: Bar, message: str) -> None:
        """What the state of somebody forbids: raises Barred with the message, unless a GM allows it, which is told with the
        roll."""
        if not self.override:
            raise Barred(bar, message)
        self.overridden.append(bar.code)

    @property
    def requested(self) -> Terms:
        """The terms of the request that it answers; {} where it answers none."""
        return self.request.terms if self.request else {}

    def hook_context(self, system: str, kind: str, *, has_dice: bool = True) -> HookContext:
        """What add-ons are told of the roll before it falls."""
        return HookContext(
            campaign=self.work.campaign,
            character=self.character,
            system=system,
            kind=kind,
            audience=self.audience,
            settings=self.settings,
            has_dice=has_dice,
            remembered=self.remembered,
        )


@dataclass(frozen=True, kw_only=True)
class PreparedRoll:
    """A roll that may fall: everything checked, nothing changed yet.

    `count` dice of one kind have to fall, 0 for none. `amends` is the event whose card this roll completes; everybody who sees
    that one will see this roll, and `audience` says so where it is not the one asked for.
    """

    kind: str
    terms: Terms
    count: int
    die: Die = D10
    amends: Event | None = None
    audience: Audience | None = None

    @property
    def spec(self) -> str:
        """The dice as their proof names them, such as "5d10"."""
        return f"{self.count}{self.die}"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the rules make of the faces that fell.

    `outcome` is what the Roll keeps, in JSON's own types: `result`, `dice` and what else its card tells, in codes.
    """

    faces: tuple[int, ...]
    outcome: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class OddsContext:
    """For whom odds are shown, so that what a player may not know stays out; who would see the roll, and who asks for it."""

    campaign: Campaign
    character: Character | None
    settings: RollSettings
    is_gm: bool = False
    by: Membership | None = None
    audience: Audience = Audience.TABLE
    remembered: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def hook_context(self, system: str, kind: str, *, has_dice: bool = True) -> HookContext:
        """What add-ons are told of the roll before it falls."""
        return HookContext(
            campaign=self.campaign,
            character=self.character,
            system=system,
            kind=kind,
            audience=self.audience,
            settings=self.settings,
            has_dice=has_dice,
            remembered=self.remembered,
        )


@dataclass(frozen=True, kw_only=True)
class Requested:
    """What a GM asks for: `terms`, without what is left to the player.

    Those asked are told them, so they hold nothing that players may not know. `audience` is whose eyes the roll is for, where
    that follows from what is asked for.
    """

    terms: Terms
    audience: Audience | None = None


@dataclass(frozen=True, kw_only=True)
class Again:
    """A roll that may be made again: what it is called, and the fields of the roll form that ask for it, without what it cost."""

    words: str
    fields: Terms


Odds: TypeAlias = dict[str, Any]
"""As rolls/_odds.html draws them; see `bar.bar`."""


class Change(Enum):
    """What a GM may do to a roll that has fallen."""

    VOID = auto()
    CORRECT = auto()
    SHOW = auto()


def as_written(one: Write, done: list[dict[str, Any]]) -> Written:
    """A write as a roll keeps it, without words of ours, which may be others one day; `done` are its steps as they were taken."""
    return {"write": {**stored(one), "why": one.why.code}, "done": {"character": one.character, "steps": done}}


def _writes_nothing(roll: Roll) -> Sequence[Write]:
    """Most rolls stay off the sheets."""
    return ()


def _names_nobody(roll: Roll) -> list[Character]:
    """Most cards name nobody but the one who rolled."""
    return []


def _nothing_more(roll: Roll) -> dict[str, Any]:
    """Most cards say the same to everybody who sees them, and change no other card."""
    return {}


def _holds_nothing(roll: Roll, change: Change) -> None:
    """Most rolls stand by themselves."""


def _asks_the_gm(ask: Any) -> tuple[str, Mapping[str, Any]] | None:
    """What is announced is a request of the player's own."""
    return None


def _leaves_something(terms: Terms) -> bool:
    """Whoever is asked has mostly something to say themselves."""
    return False


def _begins_nothing(roll: Roll) -> tuple[str, Mapping[str, Any]] | None:
    """Nothing has to be settled after most rolls."""
    return None


def _same(terms: Terms) -> Terms:
    """Most terms go by the names of the form's fields, and hold what is typed there."""
    return terms


@dataclass(frozen=True, kw_only=True)
class TableRules:
    """What a ruleset does with rolls at the table; see the head of this module.

    `request` raises Invalid for what the rules do not allow; `plan` binds the roll to it with `requested.as_requested`.
    `read` also takes the settings; `correctable` are the terms that a correction may change. `names` finds the further characters
    whom a roll's card names. Without `card`, it keeps of the roll's terms and outcome what its schema names.
    `card_for_gm` is what its card says to GMs alone: it is told in their stream, never beside what others are told. `held` raises
    Blocked for a change that another roll stands in the way of; `taken_back` is what is told beside, when a roll is taken back.
    `schema` is that of its card, on whose `dice` add-ons may write (MARKED), `back_schema` that of what is told when it is taken
    back, both in codes, numbers and names; `typed` are the texts in its card that whoever rolled has typed. `describe` gives the
    words for a card, when it is drawn: `words` that name the roll, `headline`, `detail` and what else its template shows. Of the
    payload it reads `kind`, `outcome` and the card, which are also told when a roll is taken back; then with `back`, for whose
    parts it may give words as well.
    `writes` says by the terms and the outcome alone, whatever stands on the sheets, what a roll costs there and gives; `plan`
    refuses what is not there to be spent. `wrote` is what a roll of a version that kept nothing of it has written: without it,
    the shifts among its `writes` (rolls/services/roll_writes.py).
    `again` says of a roll how it is asked for again, by its terms alone; None for one that stands by no form of its own. Without
    it, rolls are not offered again.
    `announces` is the kind of procedure in which what a player announces before everybody is settled, with the values of the form
    that opens it; without one it is a request of theirs, as is what they announce in private. `whole` says of the terms of a
    request that they leave nothing to whoever rolls, so that one press rolls it.
    `begins` is the kind of procedure that settles what follows from a roll, with what its `start` takes.
    Of the terms of a request `request_words` says to people what is asked for, `request_fields` what they put into the roll form;
    `request_schema` is their schema.
    """

    plan: Callable[[RollContext, Any], PreparedRoll]
    read: Callable[[Terms, Faces, RollSettings], Outcome]
    schema: Fields
    describe: Callable[[Payload], Payload]
    preview: Callable[[OddsContext, Any], Odds | None]
    request: Callable[[OddsContext, Any], Requested]
    request_schema: Schema
    request_words: Callable[[Terms], str]
    card: Callable[[Roll], dict[str, Any]] | None = None
    writes: Callable[[Roll], Sequence[Write]] = _writes_nothing
    wrote: Callable[[Roll], list[Written]] | None = None
    correctable: tuple[str, ...] = ()
    names: Callable[[Roll], list[Character]] = _names_nobody
    card_for_gm: Callable[[Roll], dict[str, Any]] = _nothing_more
    taken_back: Callable[[Roll], dict[str, Any]] = _nothing_more
    held: Callable[[Roll, Change], None] = _holds_nothing
    back_schema: Schema = field(default_factory=dict)
    typed: tuple[str, ...] = ()
    request_fields: Callable[[Terms], Terms] = _same
    again: Callable[[Roll], Again | None] | None = None
    counted: Countable | None = None
    announces: Callable[[Any], tuple[str, Mapping[str, Any]] | None] = _asks_the_gm
    whole: Callable[[Terms], bool] = _leaves_something
    begins: Callable[[Roll], tuple[str, Mapping[str, Any]] | None] = _begins_nothing

    def __post_init__(self) -> None:
        dice = self.schema.get("dice")
        if isinstance(dice, ListOf) and isinstance(dice.each, Mapping):
            object.__setattr__(self, "schema", {**self.schema, "dice": ListOf({**dice.each, **MARKED})})
