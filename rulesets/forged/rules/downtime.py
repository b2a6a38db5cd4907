"""The rules of what follows a score: heat, wanted levels and entanglements, downtime activities and vice (public rules, Heat
and Downtime)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from campaigns.schema import Code, Name, Uid
from characters.sheets.steps import Add, Put, Shift, Step, Take
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import Target
from rules.errors import NotPossible, whole, word, yes_or_no
from rulesets.forged.rules.consequence import HARM_SLOTS, heal
from rulesets.forged.rules.roll import ORDER, Result
from rulesets.forged.rules.score import HIGHEST_TIER

HEAT_BOXES: Final = 9
MOST_HEAT_AT_ONCE: Final = 100
HIGHEST_WANTED: Final = 4
KILLING_HEAT: Final = 2
COLUMNS: Final = (3, 5, HEAT_BOXES - 1)
"""The most heat of each column of entanglements: 0 to 3, 4 and 5, 6 and more."""


class Exposure(StrEnum):
    """The way in which a score was done."""

    UNSEEN = "unseen"
    CONTAINED = "contained"
    LOUD = "loud"
    WILD = "wild"


EXPOSURE_HEAT: Final[Mapping[Exposure, int]] = MappingProxyType(
    {Exposure.UNSEEN: 0, Exposure.CONTAINED: 2, Exposure.LOUD: 4, Exposure.WILD: 6}
)

ENTANGLEMENTS: Final[Mapping[Result, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        Result.BAD: (
            ("own_people", "law_takes_friend"),
            ("own_people", "law_questions"),
            ("friend_informs", "law_interrogates"),
        ),
        Result.PARTIAL: (
            ("rival", "the_dead"),
            ("enemy_strikes", "the_dead"),
            ("dark_power", "enemy_claims"),
        ),
        Result.FULL: (
            ("favour",),
            ("enemy_claims",),
            ("law_arrests",),
        ),
    }
)
"""By result and column, as codes; of two, the GM picks one. A critical counts as a 6."""

ENTANGLEMENT_WORDS: Final[Mapping[str, str]] = {
    "own_people": gettext_lazy("Trouble with their own people"),
    "law_takes_friend": gettext_lazy("The law picks up someone close to them"),
    "law_questions": gettext_lazy("The law questions one of them"),
    "friend_informs": gettext_lazy("A friend informs on them"),
    "law_interrogates": gettext_lazy("The law interrogates one of them"),
    "rival": gettext_lazy("A rival makes trouble"),
    "the_dead": gettext_lazy("The dead stir"),
    "enemy_strikes": gettext_lazy("An enemy strikes back"),
    "dark_power": gettext_lazy("A dark power takes notice"),
    "enemy_claims": gettext_lazy("An enemy claims ground"),
    "favour": gettext_lazy("Someone powerful asks a favour"),
    "law_arrests": gettext_lazy("The law comes to arrest them"),
}
"""The entries in words, which are ours."""


def score_heat(
    exposure: Exposure, *, prominent: bool = False, hostile_turf: bool = False, war: bool = False, killing: bool = False
) -> int:
    """Return the heat of a score, 0 to 11: 0, 2, 4 or 6, +1 each for a prominent target, hostile turf and war, +2 for killing."""
    each = {"prominent": prominent, "hostile_turf": hostile_turf, "war": war}
    more = sum(yes_or_no(field, value) for field, value in each.items())
    return EXPOSURE_HEAT[word("exposure", exposure, Exposure)] + more + KILLING_HEAT * yes_or_no("killing", killing)


def entanglement(present: int, result: Result) -> tuple[str, ...]:
    """Return the entanglement after a score, by heat (0 to 8) and result: a code, or two for the GM to pick from."""
    whole("heat", present, 0, HEAT_BOXES - 1)
    column = next(at for at, most in enumerate(COLUMNS) if present <= most)
    came = word("result", result, Result)
    return ENTANGLEMENTS[Result.FULL if came is Result.CRITICAL else came][column]


FREE_ACTIVITIES: Final = 2
FREE_AT_WAR: Final = 1
MOST_BOUGHT: Final = 100
COIN_PER_TIER: Final = 2
"""The cost in coin of each further Tier of an asset beyond the best result."""
TRAINING_XP: Final = 1
AMOUNTS: Final[Mapping[Result, int]] = MappingProxyType(
    {Result.BAD: 1, Result.PARTIAL: 2, Result.FULL: 3, Result.CRITICAL: 5}
)
"""Segments of a project or of the healing clock, or heat taken off."""
ASSET_TIERS: Final[Mapping[Result, int]] = MappingProxyType(
    {Result.BAD: -1, Result.PARTIAL: 0, Result.FULL: 1, Result.CRITICAL: 2}
)
"""The Tier of an asset, from the crew's."""


class Activity(StrEnum):
    PROJECT = "project"
    RECOVER = "recover"
    HEAT = "heat"
    ACQUIRE = "acquire"
    TRAIN = "train"
    VICE = "vice"


def amount_of(what: Activity, result: Result, *, coin: int = 0, tier: int = 0) -> int:
    """Return the amount of an activity other than a vice: segments, heat, the Tier of an asset, or xp.

    Each coin (0 to 100) spent after the roll improves the result by one. Beyond a critical, 2 coin buy another Tier of
    an asset (the crew's is `tier`, 0 to 6); for other activities more coin does nothing. Training gives its xp whatever
    the result.
    """
    at = ORDER.index(word("result", result, Result)) + whole("coin", coin, 0, MOST_BOUGHT)
    whole("tier", tier, 0, HIGHEST_TIER)
    best = min(at, len(ORDER) - 1)
    if what is Activity.TRAIN:
        return TRAINING_XP
    if what is Activity.ACQUIRE:
        return max(0, tier + ASSET_TIERS[ORDER[best]] + (at - best) // COIN_PER_TIER)
    return AMOUNTS[ORDER[best]]


# The state of a downtime: the payoff of a score, and each scoundrel's activities (public rules).


MOST_THERE: Final = 20
LONGEST_NAME: Final = 80


class DowntimeStage(StrEnum):
    """The stages of a downtime: the payoff of a score is recorded first; without one the activities begin at once."""

    SCORE = "score"
    ACTIVITIES = "activities"
    ENDED = "ended"


class Away(StrEnum):
    """Why someone takes no more activities."""

    PRISON = "prison"
    LOST = "lost"
    """They have overindulged, and are gone for a while."""
    LEFT = "left"
    """They are no longer in play; if they return, they take part again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The crew as its sheet says, by its id: Tier 0 to 6, rep, coin, heat 0 to 9, wanted level 0 to 4."""

    id: Uid
    name: Name
    tier: int = 0
    rep: int = 0
    coin: int = 0
    heat: int = 0
    wanted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """An action and its dots, or an xp track and its marks."""

    name: Code
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """A harm on a sheet: its row there, its level 1 to 3, and its name."""

    row: Code
    level: int
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """An item on a sheet: its row there, and its name."""

    row: Code
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The figures of a scoundrel's sheet that a downtime needs; only the GM sees them here."""

    stress: int = 0
    traumas: int = 0
    healing: int = 0
    coin: int = 0
    actions: tuple[Rated, ...] = ()
    tracks: tuple[Rated, ...] = ()
    harms: tuple[Harm, ...] = ()
    load: Code = ""
    carried: tuple[Code, ...] = ()
    items: tuple[Thing, ...] = ()

    def rated(self, action: str) -> int:
        return next((rating.number for rating in self.actions if rating.name == action), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An activity whose dice are about to fall: `rating` dice, of an `action` where one is rolled, a die each of a `friend` and
    of a `push`. Of a project its `clock` by id; with `segments` it is a new one, called `name`. Of an asset its `name`."""

    what: Activity
    rating: int
    action: Code = ""
    friend: bool = False
    push: bool = False
    clock: Code = ""
    name: Name = ""
    segments: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """An activity that was taken, and its `amount`: segments, heat, stress, xp, or the Tier of an asset.

    `bettered` is the coin paid to improve it, `rating` the dice without bonus. An asset is written on the sheet with
    its dice.
    """

    what: Activity
    amount: int
    result: Result | None = None
    name: Name = ""
    clock: Code = ""
    rating: int = 0
    bettered: int = 0

    @property
    def asset(self) -> str:
        """Return the name of an acquired asset on a sheet, which is the same in every language."""
        return f"{self.name} (Tier {self.amount})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoundrel:
    """A player character in a downtime. `at` counts their steps: each has its number, so that none is taken twice.

    `over`: they have overindulged, and have yet to choose the consequence. `can` are their own steps that can be taken
    now, for readers without their `sheet`.
    """

    key: Code
    name: Name
    character: Uid
    at: int = 0
    bought: int = 0
    taken: tuple[Taken, ...] = ()
    plan: Plan | None = None
    over: bool = False
    away: Away | None = None
    done: bool = False
    sheet: Sheet | None = None
    can: tuple[Code, ...] = ()

    @property
    def target(self) -> Target:
        """Return the target of this scoundrel's steps."""
        return self.key, self.at

    @property
    def indulged(self) -> bool:
        return any(activity.what is Activity.VICE for activity in self.taken)

    @property
    def known(self) -> Sheet:
        """Return their sheet; of one that was not read, an empty one."""
        return self.sheet or Sheet()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The gains of the crew: rep and coin, heat, and by how many wanted levels the heat goes up."""

    rep: int
    coin: int
    heat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """An entanglement that was rolled, by the heat it was rolled at; `chosen` of those that the result has, None before."""

    heat: int
    result: Result
    chosen: int | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        return entanglement(self.heat, self.result)

    @property
    def entry(self) -> str:
        """Return the code of the chosen entry, "" before the choice."""
        return "" if self.chosen is None else self.entries[self.chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class Downtime:
    """A downtime. `entangle` is how many entanglements are still to be rolled. `left_open` are the ids of the score's
    own procedures on the table, `clocks` those of running projects that are not full.

    `boxes` of stress, and whether a push that fills them counts (`filling_counts`), are the campaign's.
    """

    stage: DowntimeStage
    war: bool
    those: tuple[Scoundrel, ...]
    crew: Crew | None = None
    score: Score | None = None
    entangle: int = 0
    troubles: tuple[Trouble, ...] = ()
    left_open: tuple[Uid, ...] = ()
    clocks: tuple[Uid, ...] = ()
    boxes: int = 9
    filling_counts: bool = True

    @property
    def free(self) -> int:
        return FREE_AT_WAR if self.war else FREE_ACTIVITIES

    def left(self, scoundrel: Scoundrel) -> int:
        """Return how many activities a scoundrel has left; 0 for one who takes no more."""
        if scoundrel.done or scoundrel.away:
            return 0
        return max(0, self.free + scoundrel.bought - len(scoundrel.taken))

    def found(self, key: str) -> Scoundrel:
        scoundrel = next((scoundrel for scoundrel in self.those if scoundrel.key == key), None)
        if scoundrel is None:
            raise NotPossible("whom", key, allowed="who is in it", message=_("They aren’t part of this downtime."))
        return scoundrel

    def with_(self, key: str, change: Callable[[Scoundrel], Scoundrel]) -> Downtime:
        """Return the state with someone changed; it is another step of theirs from now on."""
        scoundrels = (
            replace(change(scoundrel), at=scoundrel.at + 1) if scoundrel.key == key else scoundrel
            for scoundrel in self.those
        )
        return replace(self, those=tuple(scoundrels))

    def known_crew(self) -> Crew:
        if self.crew is None:
            message = _("There’s no crew sheet in this campaign yet. Create one first.")
            raise NotPossible("crew", None, allowed="a crew with a sheet", message=message)
        return self.crew


NAMES: Final = {level: f"harm_{level}" for level in HARM_SLOTS}


def heat_steps(present: int, wanted: int, added: int) -> tuple[Step, ...]:
    """Mark heat: each full track is a wanted level, and the rest begins the next. A ninth box that was marked by hand was one
    already. Levels above the highest are lost (our decision). `added` may be below 0: it never goes below 0, and the wanted level
    stays."""
    if added < 0:
        return (Shift("heat", max(-present, added)),)
    levels, left = divmod(present + added, HEAT_BOXES)
    raised = min(levels, HIGHEST_WANTED - wanted)
    return (Shift("heat", left - present), *((Shift("wanted", raised),) if raised else ()))


def check_harmed(sheet: Sheet) -> None:
    """Raise NotPossible if there is no harm to heal."""
    if not sheet.harms:
        raise NotPossible("harm", 0, allowed="at least one", message=_("There’s no harm to heal."))


def healing_steps(sheet: Sheet, ticks: int) -> tuple[Step, ...]:
    """Tick the healing clock: once full, every harm goes down a level and the surplus stays. A clock that was filled by
    hand counts as full.
    """
    rows = {level: sum(harm.level == level for harm in sheet.harms) for level in HARM_SLOTS}
    healed = heal(rows, 0, sheet.healing + ticks)
    return (*_brought_down(sheet.harms, healed.levels_down), Put("healing", healed.healing))


def _brought_down(harms: Sequence[Harm], levels: int) -> list[Step]:
    """Return the steps that lower harm, from the lowest row up, which makes room for the next."""
    steps: list[Step] = []
    for harm in sorted(harms, key=lambda harm: harm.level) if levels else ():
        steps.append(Take(NAMES[harm.level], harm.row))
        if harm.level > levels:
            steps.append(Add(NAMES[harm.level - levels], {"name": harm.name}))
    return steps
