"""Pools while their owners fill them: their content, costs and gains, and who is ready (descriptors.txt, "Before
rolling"). A contest has two sides that are filled against each other, a recovery one for each helper.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self, TypeVar

from campaigns.schema import Code, Name, Uid
from characters.sheets.fields import RowGone
from languages.letters import same
from languages.text import gettext
from rules.acts import Actor, act, player_of
from rules.dice import LARGEST_POOL
from rules.errors import NotPossible, RuleError, whole
from rules.procedures import Act, Parties, ProcedureRules, Snapshot, Values
from rulesets.descriptors.rules.contest import called
from rulesets.descriptors.rules.will import Fund, already_used, blocked, fund_of, pay_for_roll
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

USE, TAKE_OUT, STRIKE, ACCEPT, READY, NOT_READY = "use", "take_out", "strike", "accept", "ready", "not_ready"
MOST_ENTRIES: Final = 40
LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class RowSource:
    """The row of a sheet with a pool's entry: whose, in which list, by its id."""

    character: str
    rows: str
    row: str

    def __str__(self) -> str:
        return f"{self.character}/{self.rows}/{self.row}"


@dataclass(frozen=True, slots=True)
class SceneSource:
    """A Scene Descriptor on the table, by its id."""

    descriptor: str

    def __str__(self) -> str:
        return f"scene/{self.descriptor}"


def source_of(stored: str) -> RowSource | SceneSource | None:
    """Return the source from its `str` in a state or a form; None for a Descriptor named in words."""
    match stored.split("/"):
        case ["scene", descriptor]:
            return SceneSource(descriptor)
        case [character, rows, row]:
            return RowSource(character, rows, row)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A Descriptor in a pool. `key` is unique in the procedure; `source` is where it is written, as a `str` (`source_of`).

    `theirs`: it is the other side's, which gains Will by it. `pending`: it was named in words, and nobody has accepted it yet.
    """

    key: Code
    source: Code
    name: Name
    dice: int
    theirs: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One who fills a pool: a character, or (without one) what a GM sets against it. `dice` are those without a name.

    `number` counts its entries, so that no key is given twice. Only GMs know the `fund`; what follows from it for all to see
    are `short` (it costs more Will than there is) and `last` (it takes the last point). `gone`: they are not in play any more.
    `allowed`: a GM lets them in whatever state they are in. `extra` are dice that a Burn puts into the pool as it falls.
    """

    key: Code
    name: Name
    character: Uid | None = None
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
        return self.dice + sum(entry.dice for entry in self.used)

    @property
    def costs(self) -> int:
        return len(self.used)

    @property
    def gives(self) -> int:
        """Return the Will that the other side gains by this pool."""
        return sum(entry.theirs for entry in self.used)

    @property
    def pending(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.used if entry.pending)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """`news` says why pools were corrected last ("pool", "will", "left", "dice", or nothing), `corrected` what of them was."""

    TOGETHER: ClassVar[bool] = True
    """Whether a change by one side cancels everyone's readiness."""

    sides: tuple[Side, ...]
    decisions: Settings
    news: Code = ""
    corrected: tuple[Name, ...] = ()

    @property
    def filled_now(self) -> tuple[Side, ...]:
        """Return the sides whose pools are still filled."""
        return self.sides

    @property
    def opposed(self) -> str:
        """Return the source of what all roll against, which gives no dice against itself; "" if they roll against each other."""
        return ""

    def seen_with(self, side: Side) -> tuple[Any, ...]:
        """Return what a side has seen when it says it is ready: the pools. Whether others are ready does not matter."""
        other = self.other(side)
        return tuple(
            (side_seen.dice, side_seen.extra, side_seen.used) for side_seen in (side, *([other] if other else ()))
        )

    def side(self, whom: str) -> Side:
        """Return the side of this key, or that of the entry with this key."""
        side = next((side for side in self.sides if side.key == whom[:1]), None)
        if side is None:
            message = gettext("They’re no longer taking part.")
            raise NotPossible("whom", whom, allowed="those who take part", message=message)
        return side

    def other(self, side: Side) -> Side | None:
        """Return the opponent of this side; None in a recovery, where all roll against an Injury."""
        if not self.TOGETHER:
            return None
        return next(opposite for opposite in self.sides if opposite.key != side.key)

    def entry(self, key: str) -> Entry:
        entry = next((entry for entry in self.side(key).used if entry.key == key), None)
        if entry is None:
            message = gettext("That Descriptor is no longer in a pool.")
            raise NotPossible("whom", key, allowed="what is in a pool", message=message)
        return entry

    def with_side(self, side: Side) -> Self:
        """Return the state with this side replaced, and the pools' costs computed again."""
        changed = replace(self, sides=tuple(side if other.key == side.key else other for other in self.sides))
        return changed.weighed()

    def weighed(self) -> Self:
        return replace(self, sides=tuple(_weighed(self, side) for side in self.sides))

    def unready(self, side: Side) -> Self:
        """Take back the readiness of who was ready for another pool than this side has now."""
        return replace(
            self,
            sides=tuple(
                replace(other, ready=False) if self.TOGETHER or other.key == side.key else other for other in self.sides
            ),
        )


F = TypeVar("F", bound=Filling)


def _weighed(state: Filling, side: Side) -> Side:
    other = state.other(side)
    if side.fund is None:
        return replace(side, short=False, last=False)
    gained = other.gives if other else 0
    try:
        paid = pay_for_roll(side.fund.will, invoked=side.costs, used_against=gained, settings=state.decisions)
    except RuleError:
        return replace(side, short=True, last=False)
    return replace(side, short=False, last=paid.out_after_roll and bool(paid.spent))


def _without_news(state: F) -> F:
    return replace(state, news="", corrected=())


def _changed(state: F, before: Side, after: Side) -> F:
    state = _without_news(state)
    return state if after == before else state.with_side(after).unready(after)


def _ready(state: F, side: Side, *, override: bool) -> F:
    if side.gone:
        raise _refused(gettext("{name} is no longer in play.").format(name=side.name))
    block = side.fund.block if side.fund else None
    if block and not override and not side.allowed:
        raise blocked(side.name, block)
    other = state.other(side)
    for entry in (*side.pending, *(other.pending if other else ())):
        raise _refused(gettext("First accept “{name}” or strike it.").format(name=entry.name))
    if side.short:
        raise _refused(gettext("{name} doesn’t have enough Will for this pool.").format(name=side.name))
    if side.pool < state.decisions.fewest_dice:
        raise _refused(gettext("{name} needs at least 1 die.").format(name=side.name))
    return state.with_side(replace(side, ready=True, allowed=side.allowed or bool(block and override)))


def _used(state: Filling, side: Side, who: Actor, given: Values) -> Side:
    """Change a side's pool by `given`: `add` (each the `source`, `name` and `dice` of a written Descriptor), `drop`
    (sources), `words` (the `name`, `dice` and `theirs` of an unwritten one, or None), and unnamed `dice` if a GM sets them.
    """
    dropped = set(given.get("drop", ()))
    side = replace(side, used=tuple(entry for entry in side.used if not entry.source or entry.source not in dropped))
    for added in given.get("add", ()):
        if added["source"] == state.opposed:
            raise _refused(gettext("An Injury gives no dice against itself."))
        if all(added["source"] != entry.source for entry in side.used):
            side = _with(state, side, theirs=_is_theirs(state, side, added["source"]), pending=False, **added)
    if words := given.get("words"):
        side = _with(state, side, source="", pending=not who.is_gm, **words)
    if who.is_gm and given.get("dice") is not None:
        side = replace(side, dice=whole("dice", given["dice"], 0, LARGEST_POOL))
    if side.pool > LARGEST_POOL:
        message = gettext("A pool has at most {count} dice.").format(count=LARGEST_POOL)
        raise NotPossible("dice", side.pool, allowed=f"up to {LARGEST_POOL}", message=message)
    return side


def _with(state: Filling, side: Side, *, source: str, name: str, dice: int, theirs: bool, pending: bool) -> Side:
    if len(side.used) >= MOST_ENTRIES:
        raise _refused(gettext("A pool has at most {count} Descriptors.").format(count=MOST_ENTRIES))
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME:
        message = gettext("A Descriptor’s name has 1 to {count} characters.").format(count=LONGEST_NAME)
        raise NotPossible("name", name, allowed=f"1 to {LONGEST_NAME} characters", message=message)
    whole("dice", dice, 1, LARGEST_POOL)
    if theirs and state.other(side) is None:
        raise _refused(gettext("There is no other side whose Descriptor that could be."))
    entry = Entry(
        key=f"{side.key}{side.number + 1}", source=source, name=name, dice=dice, theirs=theirs, pending=pending
    )
    if state.decisions.once_per_roll:
        _refuse_twice(state, side, entry)
    return replace(side, used=(*side.used, entry), number=side.number + 1)


def _refuse_twice(state: Filling, side: Side, new: Entry) -> None:
    """Refuse a Descriptor used twice: by its source, or by its owner and name."""
    other = state.other(side)
    for whose in (side, *([other] if other else [])):
        for entry in whose.used:
            same_place = bool(new.source) and entry.source == new.source
            same_owner = (entry.theirs == new.theirs) is (whose.key == side.key)
            if same_place or (same_owner and same(entry.name, new.name)):
                raise _refused(already_used(new.name))


def _is_theirs(state: Filling, side: Side, source: str) -> bool:
    written, other = source_of(source), state.other(side)
    whose = written.character if isinstance(written, RowSource) else None
    if isinstance(written, SceneSource) or (whose and whose == side.character):
        return False
    if other is not None and whose and whose == other.character:
        return True
    raise _refused(gettext("Only Descriptors of people in this contest can be used."))


def _refused(message: str) -> NotPossible:
    return NotPossible("act", None, allowed="what is shown", message=message)


def _pools(state: Filling) -> list[str]:
    return [side.key for side in state.filled_now]


def _entries(state: Filling) -> list[str]:
    return [entry.key for side in state.filled_now for entry in side.used]


def _as_seen(state: Filling, key: str) -> tuple[Any, ...]:
    return state.seen_with(state.side(key))


def _entry_as_seen(state: Filling, key: str) -> tuple[Any, ...]:
    return (state.entry(key),)


_owner = player_of(lambda state, key: state.side(key).character)


def _stands_against(state: Filling, who: Actor, key: str) -> bool:
    """Return whether the actor plays the side that gains by this entry."""
    other = state.other(state.side(key))
    return state.entry(key).theirs and other is not None and other.character in who.characters


def _accepts(state: Filling, who: Actor, key: str) -> bool:
    return who.is_gm or _stands_against(state, who, key)


def _strikes(state: Filling, who: Actor, key: str) -> bool:
    """Return whether the actor may strike the entry: a GM any entry of a character, the opponent a typed one."""
    if who.is_gm and state.side(key).character is not None:
        return True
    return state.entry(key).pending and _stands_against(state, who, key)


def without_funds(state: F) -> F:
    return replace(state, sides=tuple(replace(side, fund=None) for side in state.sides))


class FillingRules(ProcedureRules[F]):
    """Owners fill their own pool, a GM everyone's. An act clears the news of the last corrections."""

    @act(by=_owner, each=_pools, asks=True)
    def use(self, state: F, step: Act, key: str) -> F:
        """Put something in or take it out, as a form says (`_used`)."""
        side = state.side(key)
        return _changed(state, side, _used(state, side, step.by, step.values))

    @act(by=_owner, each=lambda state: [side.key for side in state.filled_now if side.ready])
    def not_ready(self, state: F, step: Act, key: str) -> F:
        return _without_news(state).with_side(replace(state.side(key), ready=False))

    @act(
        by=_owner,
        each=lambda state: [side.key for side in state.filled_now if not side.ready],
        terms=_as_seen,
        tried=False,
    )
    def ready(self, state: F, step: Act, key: str) -> F:
        return _ready(_without_news(state), state.side(key), override=step.override)

    @act(
        by=_accepts,
        each=lambda state: [key for key in _entries(state) if state.entry(key).pending],
        terms=_entry_as_seen,
    )
    def accept(self, state: F, step: Act, key: str) -> F:
        side, wanted = state.side(key), state.entry(key)
        used = (replace(entry, pending=False) if entry is wanted else entry for entry in side.used)
        return _without_news(state).with_side(replace(side, used=tuple(used)))

    @act(by=_owner, each=_entries, terms=_entry_as_seen)
    def take_out(self, state: F, step: Act, key: str) -> F:
        side, gone = state.side(key), state.entry(key)
        return _changed(state, side, replace(side, used=tuple(entry for entry in side.used if entry is not gone)))

    @act(by=_strikes, each=_entries, terms=_entry_as_seen)
    def strike(self, state: F, step: Act, key: str) -> F:
        return self.take_out(state, step, key)

    def parties(self, state: F) -> Parties:
        """Return the sides, and the Descriptors of their pools, which nobody plays."""
        entries = {entry.key: (f"{entry.name} {entry.dice}D", None) for side in state.sides for entry in side.used}
        return entries | {side.key: (side.name, side.character) for side in state.sides}

    def shown(self, state: F) -> F:
        """Return the state without Will and Power tracks, beyond what is paid and crossed off."""
        return without_funds(state)

    def waits_of(self, state: F, side: Side) -> Iterator[tuple[str, str]]:
        """Yield who is waited for, and for what: a Descriptor that was typed waits for a GM, and for the other side where it is
        theirs."""
        for entry in side.pending:
            if entry.theirs and (other := state.other(side)) and other.character:
                words = gettext("to accept or strike their own “{entry}” {dice}D in {name}’s pool")
                yield other.key, words.format(entry=entry.name, dice=entry.dice, name=called(side.name))
            words = gettext("to accept or strike “{entry}” {dice}D in {name}’s pool")
            yield "", words.format(entry=entry.name, dice=entry.dice, name=called(side.name))
        if not side.ready:
            yield side.key, gettext("to be ready") if side.pool else gettext("to fill the pool and be ready")


# Pools being filled, updated from the sheets and the Scene Descriptors: values that changed or are gone, Will spent
# elsewhere, a character who has left play.


SCENE_DESCRIPTOR = "scene_descriptor"
"""The kind of procedure that is a Scene Descriptor on the table."""


def funds_now(state: F, seen: Snapshot) -> F:
    """Return the names and sheets of those who take part, and the campaign's decisions; the pools as they were."""
    state = replace(state, decisions=seen.settings) if seen.settings else state
    return replace(state, sides=tuple(_whose(side, seen) for side in state.sides))


def pools_now(state: F, seen: Snapshot) -> F:
    """Return the state with the pools as they are now; a side whose pool changed is not ready. `news` and `corrected`
    say what changed.
    """
    now = funds_now(state, seen)
    corrected: list[str] = []
    for side in now.sides:
        used = tuple(_entry_now(entry, seen) for entry in side.used)
        corrected += [entry.name for entry, now_it_is in zip(side.used, used, strict=True) if now_it_is != entry]
        if used != side.used:
            other = replace(side, used=tuple(entry for entry in used if entry is not None))
            now = now.with_side(other).unready(other)
    now = now.weighed()
    left = [side.name for side, before in zip(now.sides, state.sides, strict=True) if side.gone and not before.gone]
    kept_out = [side for side in now.sides if side.ready and (side.gone or side.short or _is_barred(side))]
    for excluded in kept_out:
        now = now.unready(excluded)
    now = now.weighed()
    news = "left" if left else "pool" if corrected else "will" if kept_out else ""
    if not news:
        return now
    return replace(now, news=news, corrected=tuple(left or corrected or [excluded.name for excluded in kept_out]))


def dice_now(state: F, seen: Snapshot) -> F:
    """Return the state with the dice that Burns put into the pool of the first side, whose roll it will be."""
    mine = state.sides[0]
    extra = seen.extra_dice.get(mine.character or "", 0)
    if extra == mine.extra:
        return state
    now = state.with_side(replace(mine, extra=extra)).unready(mine)
    return now if state.news else replace(now, news="dice", corrected=(mine.name,))


def _whose(side: Side, seen: Snapshot) -> Side:
    if side.character is None:
        return side
    sheet = seen.sheets.get(side.character)
    if sheet is None:
        return replace(side, gone=True)
    return replace(side, name=sheet.name, gone=False, fund=_fund(side.character, seen))


def _fund(character: str, seen: Snapshot) -> Fund | None:
    sheet = seen.sheets[character]
    return fund_of(sheet.values, seen.settings) if sheet.system == SHEET.name else None


def _is_barred(side: Side) -> bool:
    return side.fund is not None and side.fund.block is not None and not side.allowed


def _entry_now(entry: Entry, seen: Snapshot) -> Entry | None:
    source = source_of(entry.source)
    if source is None:
        return entry
    if isinstance(source, SceneSource):
        descriptor = dict(seen.open.get(SCENE_DESCRIPTOR, ())).get(source.descriptor)
        return replace(entry, name=descriptor.name, dice=descriptor.dice) if descriptor else None
    sheet = seen.sheets.get(source.character)
    if sheet is None or sheet.system != SHEET.name:
        return None
    try:
        row = SHEET.row(sheet.values, source.rows, source.row)
    except RowGone:
        return None
    return replace(entry, name=row["name"], dice=row["dice"])
