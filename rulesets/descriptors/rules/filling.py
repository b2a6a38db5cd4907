"""Pools while they are filled, each by its owner: what is in them, what they cost and give, and who is ready (descriptors.txt,
"Before rolling"). A contest has two sides that are filled against each other, a recovery one for each who helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar, Final, Self, TypeVar

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, RuleError, whole
from rolls.rules.procedures import Act, Actor, AvailableAct, Values
from rulesets.descriptors.rules.states import Fund, barred
from rulesets.descriptors.rules.will import pay_for_roll
from rulesets.descriptors.settings import Settings

USE, TAKE_OUT, STRIKE, ACCEPT, READY, NOT_READY = "use", "take_out", "strike", "accept", "ready", "not_ready"
MOST_ENTRIES: Final = 40
LONGEST_NAME: Final = 80
SCENE: Final = "scene"
"""Before the id of a Scene Descriptor in the source of an entry; before a row stand its character and list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What the campaign has decided (settings.Settings) of all that contests and recoveries go by."""

    sides: int = 10
    fewest_dice: int = 0
    once_per_roll: bool = True
    gains_pay: bool = False
    last_point_rolls: bool = True
    injury_instead_of_bump: bool = False
    excess_may_be_injury: bool = True
    full_track_puts_out: bool = True
    recovery_pays_bearer: bool = False

    @property
    def settings(self) -> Settings:
        return Settings(**asdict(self))


def decisions_of(settings: Settings) -> Decisions:
    return Decisions(**{field.name: getattr(settings, field.name) for field in fields(Decisions)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A Descriptor in a pool. `key` is its own in the procedure; `source` where it is written ("" for one named in words).

    `theirs`: it is the other side's, who gains by it. `pending`: it was named in words, and nobody has accepted it yet.
    """

    key: str
    source: str
    name: str
    dice: int
    theirs: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One who fills a pool: a character, or (without one) what a GM sets against it. `dice` are those without a name.

    `number` counts its entries, so that no key is given twice. `fund` is known to GMs alone; what follows from it for all to see
    are `short` (it costs more Will than there is) and `last` (it takes the last point). `gone`: they are not in play any more.
    `allowed`: a GM lets them in whatever state they are in. `extra` are dice that an add-on puts into the pool as it falls.
    """

    key: str
    name: str
    character: str | None = None
    dice: int = 0
    used: tuple[Entry, ...] = ()
    number: int = 0
    ready: bool = False
    fund: Fund | None = None
    short: bool = False
    last: bool = False
    gone: bool = False
    allowed: bool = False
    extra: int = 0

    @property
    def pool(self) -> int:
        return self.dice + sum(one.dice for one in self.used)

    @property
    def costs(self) -> int:
        return len(self.used)

    @property
    def gives(self) -> int:
        """What the other side gains by it."""
        return sum(one.theirs for one in self.used)

    @property
    def pending(self) -> tuple[Entry, ...]:
        return tuple(one for one in self.used if one.pending)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """`news` says why pools were corrected last ("pool", "will", "left", "dice", or nothing), `corrected` what of them was."""

    TOGETHER: ClassVar[bool] = True
    """Whether what one side changes takes everybody's readiness back."""

    sides: tuple[Side, ...]
    decisions: Decisions
    news: str = ""
    corrected: tuple[str, ...] = ()

    def side(self, whom: str) -> Side:
        """The side of this key, or that of the entry with this key."""
        found = next((one for one in self.sides if one.key == whom[:1]), None)
        if found is None:
            raise NotPossible(
                "whom", whom, allowed="those who take part", message="They take no part in this any more."
            )
        return found

    def other(self, side: Side) -> Side | None:
        """Who stands against this side; nobody against those who mend an Injury."""
        if not self.TOGETHER:
            return None
        return next(one for one in self.sides if one.key != side.key)

    def entry(self, key: str) -> Entry:
        found = next((one for one in self.side(key).used if one.key == key), None)
        if found is None:
            raise NotPossible("whom", key, allowed="what is in a pool", message="That is in no pool any more.")
        return found

    def with_side(self, side: Side) -> Self:
        """With this side as it is now, and what the pools cost reckoned anew."""
        changed = replace(self, sides=tuple(side if one.key == side.key else one for one in self.sides))
        return changed.weighed()

    def weighed(self) -> Self:
        return replace(self, sides=tuple(_weighed(self, one) for one in self.sides))

    def unready(self, side: Side) -> Self:
        """Without the readiness of who was ready for another pool than this side has now."""
        return replace(
            self,
            sides=tuple(
                replace(one, ready=False) if self.TOGETHER or one.key == side.key else one for one in self.sides
            ),
        )


F = TypeVar("F", bound=Filling)


def _weighed(state: Filling, side: Side) -> Side:
    other = state.other(side)
    if side.fund is None:
        return replace(side, short=False, last=False)
    gained = other.gives if other else 0
    try:
        paid = pay_for_roll(side.fund.will, invoked=side.costs, used_against=gained, settings=state.decisions.settings)
    except RuleError:
        return replace(side, short=True, last=False)
    return replace(side, short=False, last=paid.out_after_roll and bool(paid.spent))


# What may be done


def offers(state: Filling, side: Side, who: Actor) -> Iterator[AvailableAct]:
    """What this person may do about the pool of a side while it is filled."""
    other = state.other(side)
    if who.plays(side.character):
        yield AvailableAct(USE, side.key)
        # Ready is who has seen the pools; whether others are ready commits to nothing.
        shown = tuple((one.dice, one.extra, one.used) for one in (side, *([other] if other else ())))
        yield AvailableAct(NOT_READY, side.key) if side.ready else AvailableAct(READY, side.key, shown)
    for one in side.used:
        against = one.theirs and other is not None and other.character in who.characters
        if one.pending and (who.is_gm or against):
            yield AvailableAct(ACCEPT, one.key, (one,))
        if who.plays(side.character):
            yield AvailableAct(TAKE_OUT, one.key, (one,))
        if (who.is_gm and side.character is not None) or (one.pending and against):
            yield AvailableAct(STRIKE, one.key, (one,))


def waits(state: Filling, side: Side) -> Iterator[tuple[str, str]]:
    """Who is waited for, and for what: a Descriptor that was typed waits for a GM, and for the other side where it is theirs."""
    for one in side.pending:
        if one.theirs and (other := state.other(side)) and other.character:
            yield other.key, f"to accept “{one.name}” {one.dice}D of theirs in the pool of {side.name}, or strike it"
        yield "", f"to accept “{one.name}” {one.dice}D of {side.name}, or strike it"
    if not side.ready:
        yield side.key, "to fill the pool and be ready" if not side.pool else "to be ready"


# What is done


def filled(state: F, who: Actor, act: Act) -> F:
    """One act of filling. Raises NotPossible for what the rules do not allow, Barred for who is kept out."""
    side = state.side(act.whom)
    state = replace(state, news="", corrected=())
    match act.name:
        case "use":
            return _changed(state, side, _used(state, side, who, act.values))
        case "take_out" | "strike":
            gone = state.entry(act.whom)
            return _changed(state, side, replace(side, used=tuple(one for one in side.used if one is not gone)))
        case "accept":
            wanted = state.entry(act.whom)
            used = (replace(one, pending=False) if one is wanted else one for one in side.used)
            return state.with_side(replace(side, used=tuple(used)))
        case "not_ready":
            return state.with_side(replace(side, ready=False))
        case "ready":
            return _ready(state, side, override=act.override)
    raise NotPossible("act", act.name, allowed="what is shown", message="That cannot be done here now.")


def _changed(state: F, before: Side, after: Side) -> F:
    return state if after == before else state.with_side(after).unready(after)


def _ready(state: F, side: Side, *, override: bool) -> F:
    if side.gone:
        raise _refused(f"{side.name} is not in play any more.")
    bar = side.fund.bar if side.fund else None
    if bar and not override and not side.allowed:
        raise barred(side.name, bar)
    other = state.other(side)
    for one in (*side.pending, *(other.pending if other else ())):
        raise _refused(f"“{one.name}” has yet to be accepted, or struck.")
    if side.short:
        raise _refused(f"{side.name} has not Will enough for this pool.")
    if side.pool < state.decisions.fewest_dice:
        raise _refused(f"{side.name} needs a die at least.")
    return state.with_side(replace(side, ready=True, allowed=side.allowed or bool(bar and override)))


def _used(state: Filling, side: Side, who: Actor, given: Values) -> Side:
    """`given`: `add` (each the `source`, `name` and `dice` of something written somewhere), `drop` (sources), `words` (the
    `name`, `dice` and `theirs` of something that is not, or None), and `dice` without a name, where a GM sets them."""
    dropped = set(given.get("drop", ()))
    side = replace(side, used=tuple(one for one in side.used if not one.source or one.source not in dropped))
    for one in given.get("add", ()):
        if all(one["source"] != there.source for there in side.used):
            side = _with(state, side, theirs=_is_theirs(state, side, one["source"]), pending=False, **one)
    if words := given.get("words"):
        side = _with(state, side, source="", pending=not who.is_gm, **words)
    if who.is_gm and given.get("dice") is not None:
        side = replace(side, dice=whole("dice", given["dice"], 0, LARGEST_POOL))
    if side.pool > LARGEST_POOL:
        raise NotPossible("dice", side.pool, allowed=f"up to {LARGEST_POOL}", message=f"At most {LARGEST_POOL} dice.")
    return side


def _with(state: Filling, side: Side, *, source: str, name: str, dice: int, theirs: bool, pending: bool) -> Side:
    if len(side.used) >= MOST_ENTRIES:
        raise _refused(f"A pool has at most {MOST_ENTRIES} Descriptors.")
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME:
        message = f"The name of a Descriptor has 1 to {LONGEST_NAME} characters."
        raise NotPossible("name", name, allowed=f"1 to {LONGEST_NAME} characters", message=message)
    whole("dice", dice, 1, LARGEST_POOL)
    if theirs and state.other(side) is None:
        raise _refused("Nobody stands against them whose Descriptor that could be.")
    entry = Entry(
        key=f"{side.key}{side.number + 1}", source=source, name=name, dice=dice, theirs=theirs, pending=pending
    )
    if state.decisions.once_per_roll:
        _refuse_twice(state, side, entry)
    return replace(side, used=(*side.used, entry), number=side.number + 1)


def _refuse_twice(state: Filling, side: Side, new: Entry) -> None:
    """A Descriptor serves one pool, once: by where it is written, or by whose it is and what it is called."""
    other = state.other(side)
    for whose in (side, *([other] if other else [])):
        for one in whose.used:
            same_place = bool(new.source) and one.source == new.source
            same_owner = (one.theirs == new.theirs) is (whose.key == side.key)
            if same_place or (same_owner and one.name.casefold() == new.name.casefold()):
                raise _refused(f"“{new.name}” is in this roll already: a Descriptor serves one pool, once.")


def _is_theirs(state: Filling, side: Side, source: str) -> bool:
    whose, other = source.partition("/")[0], state.other(side)
    if whose in (SCENE, side.character):
        return False
    if other is not None and whose == other.character:
        return True
    raise _refused("That is nobody’s who takes part in this.")


def _refused(message: str) -> NotPossible:
    return NotPossible("act", None, allowed="what is shown", message=message)
