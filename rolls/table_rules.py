"""A ruleset's rolls at the table, and the values that pass between the site and its `TableRules`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, ClassVar, Final, TypeAlias
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from campaigns.models import Campaign, Event, Membership
from campaigns.schema import Code, Schema
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.sheets.steps import Shift
from rolls.models import Audience, Roll, RollRequest
from rolls.settings import RollSettings
from rules.checked import stored
from rules.dice import D10, Dice, Die, Faces
from rules.effects import Write
from rules.errors import Block, BlockedByState
from scale.counting import Countable, countable
from scale.queries.scale import Standing
from scale.services.moving import Falling

LONGEST_NOTE: Final = 200


class CardDie(Schema):
    """A die of a card: its face, its role by the ruleset, its `sides` if those of a game's rolls differ, and the Scale's marks
    on it (scale.services.moving.Marks).
    """

    face: int
    role: Code
    sides: int | None = None
    given: int | None = None
    given_to: Code | None = None


Written: TypeAlias = dict[str, Any]
"""What a roll of an earlier version wrote on a sheet: the `write` as requested, and its steps as they were `done`."""
Terms: TypeAlias = dict[str, Any]
"""The stored terms of a roll, in JSON's types: `note`, all that `read` needs, and data for its card. Like the terms of
a request they hold codes, numbers and names, none of our words.
"""


@dataclass(frozen=True, kw_only=True)
class RollInput:
    """The input of any roll: its character, a note of up to 200 characters, and the GM's request that it answers."""

    system: ClassVar[str]

    character: UUID | None = None
    note: str = ""
    request: UUID | None = None
    kind: str = ""
    """The kind of roll, in a game that has several."""
    override: bool = False
    """A GM allows what the state of the character forbids."""


def falling(
    campaign: Campaign,
    character: Character | None,
    system: str,
    kind: str,
    audience: Audience,
    settings: RollSettings,
    *,
    has_dice: bool = True,
    remembered: dict[UUID, Standing] | None = None,
) -> Falling:
    """Return dice that fall, or may fall, as the Scale knows them."""
    counted = countable(system)
    return Falling(
        campaign=campaign,
        character=character,
        counted=counted if counted and counted.wanted(settings) else None,
        kind=kind,
        audience=audience,
        settings=settings.scale,
        has_dice=has_dice,
        remembered={} if remembered is None else remembered,
    )


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
    remembered: dict[UUID, Standing] = field(default_factory=dict, repr=False, compare=False)

    def block(self, block: Block, message: str) -> None:
        """Refuse what a character's state forbids: raise BlockedByState, unless a GM overrides it, which the roll then keeps."""
        if not self.override:
            raise BlockedByState(block, message)
        self.overridden.append(block.code)

    @property
    def requested(self) -> Terms:
        """Return the terms of the request that it answers; {} where it answers none."""
        return self.request.terms if self.request else {}

    def falling(self, system: str, kind: str, *, has_dice: bool = True) -> Falling:
        """Return the roll as the Scale knows it before it falls."""
        return falling(
            self.work.campaign,
            self.character,
            system,
            kind,
            self.audience,
            self.settings,
            has_dice=has_dice,
            remembered=self.remembered,
        )


@dataclass(frozen=True, kw_only=True)
class PreparedRoll:
    """A roll that is checked and may fall; nothing is changed yet.

    It takes `count` dice of one kind (0 for none). `parent` is the event whose card this roll completes; everyone who sees that
    event sees this roll, and `audience` names them if it is not the audience asked for.
    """

    kind: str
    terms: Terms
    count: int
    die: Die = D10
    parent: Event | None = None
    audience: Audience | None = None

    @property
    def dice(self) -> Dice:
        return Dice(count=self.count, die=self.die)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of fallen faces by the rules.

    `outcome` is what the Roll keeps, in JSON's own types: `result`, `dice` and other values of its card, in codes.
    """

    faces: tuple[int, ...]
    outcome: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class OddsContext:
    """Who asks for odds, for which character, and who would see the roll, so that odds show a player nothing they may
    not know.
    """

    campaign: Campaign
    character: Character | None
    settings: RollSettings
    is_gm: bool = False
    by: Membership | None = None
    audience: Audience = Audience.TABLE
    remembered: dict[UUID, Standing] = field(default_factory=dict, repr=False, compare=False)

    def falling(self, system: str, kind: str, *, has_dice: bool = True) -> Falling:
        """Return the roll as the Scale knows it before it falls."""
        return falling(
            self.campaign,
            self.character,
            system,
            kind,
            self.audience,
            self.settings,
            has_dice=has_dice,
            remembered=self.remembered,
        )


@dataclass(frozen=True, kw_only=True)
class Requested:
    """A GM's request: `terms`, without what is left to the player.

    Those asked are told them, so they hold nothing that players may not know. `audience` is who sees the roll, if that
    follows from the terms.
    """

    terms: Terms
    audience: Audience | None = None


@dataclass(frozen=True, kw_only=True)
class Again:
    """A roll that may be repeated: its words, and the fields of the roll form for it, without what it cost."""

    words: str
    fields: Terms


Odds: TypeAlias = dict[str, Any]
"""Odds for rolls/_odds.html; see `rolls.odds.bar`."""


class Change(Enum):
    """A GM's change to a roll that has fallen."""

    VOID = auto()
    CORRECT = auto()
    SHOW = auto()


def as_asked(one: Write) -> dict[str, Any]:
    """Return a write as a roll keeps it, without our words, which may change."""
    return {
        "character": one.character,
        "steps": [stored(step) for step in one.steps],
        "why": one.why.code,
    }


def as_written(one: Write, done: list[dict[str, Any]]) -> Written:
    """Return a write with its steps as they were `done`, each {"address", "before", "after", "counts"}."""
    return {"write": as_asked(one), "done": {"character": one.character, "steps": done}}


class RollKind:
    """One kind of roll of a game, from its input to the words of its card.

    A game overrides `prepare`, `read`, `describe`, `preview`, `request` and `request_words`, and of the rest what it
    needs. `prepare` runs under the campaign's lock and may raise, but changes nothing; all other methods only read.
    `writes` returns the writes on sheets, which the site carries out.
    """

    schema: type[Schema] = Schema
    """The schema of a card, in codes, numbers and names. The Scale writes on its `dice` (CardDie)."""

    # A roll

    def prepare(self, context: RollContext, ask: Any) -> PreparedRoll:
        """Check the roll before the dice fall; nothing is changed yet.

        Bind a roll that answers a request with `as_requested`. Raises Invalid for what the rules do not allow, at the
        wrong field; BlockedByState for what a state forbids (`context.block`).
        """
        raise NotImplementedError

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return the outcome of these faces. It is read again when a roll is corrected and when its dice are checked."""
        raise NotImplementedError

    def writes(self, roll: Roll) -> Sequence[Write]:
        """Return what a roll costs and gives on sheets, from its terms and outcome alone.

        Each write is done once in the roll's transaction, before its card is made, and undone when the roll is voided;
        when it is corrected, equal writes stay. `prepare` refuses to spend what is not there.
        """
        return ()

    def wrote(self, roll: Roll) -> list[Written]:
        """Return what a roll wrote that was made by a version which did not keep it: the shifts among its `writes`."""
        return [_shifted(write) for write in self.writes(roll)]

    def begins(self, roll: Roll) -> tuple[str, Mapping[str, Any]] | None:
        """Return the kind of procedure that settles what follows from a roll, with what its `open` takes; None for nothing."""
        return None

    def held(self, roll: Roll, change: Change) -> None:
        """Raise Blocked for a change that another roll prevents."""

    # Its descriptions

    def card(self, roll: Roll) -> dict[str, Any]:
        """Return the permanent card of a roll: the fields of `schema`, from its terms and its outcome."""
        kept = roll.ask | roll.outcome
        return {name: kept[name] for name in self.schema.model_fields if name in kept}

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        """Return the part of the card for GMs alone: it is told in their stream, never in others'."""
        return {}

    def describe(self, payload: Payload) -> Payload:
        """Return the words for a card whenever it is drawn: `words` that name the roll, `headline`, `detail`, and other
        values of its template.

        It reads `kind`, `outcome` and the card from the payload, which a voided roll has too, then with `back`.
        """
        raise NotImplementedError

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return additional fields for the event of a voided roll (`back_schema`)."""
        return {}

    def names(self, roll: Roll) -> list[Character]:
        """Return the other characters that the card names; if they are hidden, the roll reveals them."""
        return []

    def again(self, roll: Roll) -> Again | None:
        """Return how a roll is asked for again, by its terms alone; None where it is not offered again."""
        return None

    # Before the dice fall

    def preview(self, context: OddsContext, ask: Any) -> Odds | None:
        """Return the odds that the composer shows; None if there are none. Raises Invalid for what cannot be rolled."""
        raise NotImplementedError

    def request(self, context: OddsContext, ask: Any) -> Requested:
        """Return a GM's request for a roll, or a player's announcement. Raises Invalid for what the rules do not allow."""
        raise NotImplementedError

    def request_words(self, terms: Terms) -> str:
        """Return words for the terms of a request."""
        raise NotImplementedError

    def request_fields(self, terms: Terms) -> Terms:
        """Return the values of the roll form for a request's terms; usually the names are the same."""
        return terms

    def whole(self, terms: Terms) -> bool:
        """Return whether a request's terms are complete, so that one press rolls it."""
        return False

    def announces(self, ask: Any) -> tuple[str, Mapping[str, Any]] | None:
        """Return the kind of procedure that settles a player's announcement to the table, with the values of its opening form.

        None if it becomes a request, as private announcements always do.
        """
        return None


class TableRules(RollKind):
    """A ruleset's rolls at the table: its `kinds`, and what all of them share.

    A game with one kind of roll names no `kinds` and overrides the methods of `RollKind` here.
    """

    request_schema: type[Schema] = Schema
    """The schema of the terms of a request."""
    back_schema: type[Schema] = Schema
    """The schema of the data from `taken_back`."""
    correctable: tuple[str, ...] = ()
    """The terms that a correction may change."""
    typed: tuple[str, ...] = ()
    """The texts in a card that whoever rolled has typed, so that erasing finds them."""
    counted: Countable | None = None
    """How the Scale counts the dice; None if it has no part in these rolls."""
    kinds: Mapping[str, RollKind] = {}
    """The kinds of rolls of a game that has several, by the `kind` of a RollInput, a PreparedRoll and the terms of a request."""

    def kind(self, name: str) -> RollKind:
        """Return the kind of roll of this name. Raises Invalid, at `kind`, for an unknown name."""
        kind = self.find_kind(name)
        if kind is None:
            raise Invalid(_("The roll type must be one of {names}.").format(names=", ".join(self.kinds)), field="kind")
        return kind

    def find_kind(self, name: str) -> RollKind | None:
        """Return the kind of roll of this name; None where these rules have none, as in a log from elsewhere."""
        return self.kinds.get(name) if self.kinds else self

    def kind_of_request(self, terms: Terms) -> RollKind:
        """Return the kind of roll that the terms of a request ask for."""
        return self.kind(terms.get("kind", ""))


def _shifted(write: Write) -> Written:
    """Return a write with the steps of its shifts, each as if it had moved by its full amount."""
    steps = [
        {"address": step.address, "before": 0, "after": step.by, "counts": True}
        for step in write.steps
        if isinstance(step, Shift)
    ]
    return as_written(write, steps)
