"""The state of a downtime: the payoff of a score, and each scoundrel's activities (public rules)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Code, Name, Uid
from characters.sheets.steps import Add, Put, Shift, Step, Take
from languages.text import gettext as _
from rules.acts import Target
from rules.errors import NotPossible
from rulesets.forged.rules.consequence import HARM_SLOTS, heal
from rulesets.forged.rules.downtime import (
    FREE_ACTIVITIES,
    FREE_AT_WAR,
    HEAT_BOXES,
    HIGHEST_WANTED,
    Activity,
    entanglement,
)
from rulesets.forged.rules.roll import Result

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

    `bettered` is the coin paid to improve it, `rating` the dice without bonus. An asset is `written` on the sheet with
    its dice; for older downtimes, once its owner is done.
    """

    what: Activity
    amount: int
    result: Result | None = None
    name: Name = ""
    clock: Code = ""
    rating: int = 0
    bettered: int = 0
    written: bool = False

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
