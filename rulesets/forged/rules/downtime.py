"""Forged in the Dark: a score from the engagement roll, which the crew makes at the table, to the payoff; and what follows it:
heat, wanted levels and entanglements, downtime activities and vice (public rules)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from campaigns.schema import Code, Name
from languages.text import gettext_lazy
from rules.errors import NotPossible, whole, word, yes_or_no
from rules.messages import Words, ngettext, worded
from rules.messages import gettext as _
from rulesets.forged.rules import ORDER, Result
from rulesets.forged.rules.action import Position
from rulesets.forged.sheet import SHEET

HIGHEST_TIER: Final = 6
REP: Final = 2
MOST_EXTRA_COIN: Final = 100


class Load(StrEnum):
    """The load that a character has chosen to carry on the score."""

    LIGHT = "light"
    NORMAL = "normal"
    HEAVY = "heavy"
    ENCUMBERED = "encumbered"


MOST_ITEMS: Final[Mapping[Load, int]] = MappingProxyType(
    {Load.LIGHT: 3, Load.NORMAL: 5, Load.HEAVY: 6, Load.ENCUMBERED: 9}
)


FLASHBACK_STRESS: Final = (0, 1, 2)
"""For what there was every occasion to do, for something unlikely, and for what took occasions and luck."""


class Take(StrEnum):
    """The size of the haul."""

    MINOR = "minor"
    SMALL = "small"
    STANDARD = "standard"
    BIG = "big"
    MAJOR = "major"


COIN: Final[Mapping[Take, int]] = MappingProxyType(
    {Take.MINOR: 2, Take.SMALL: 4, Take.STANDARD: 6, Take.BIG: 8, Take.MAJOR: 10}
)
"""The coin for each size of take; a major one may be worth more."""


class Score(BaseModel):
    """The gains of the crew: `rep` is 0 to 8, `coin` 2 and more."""

    rep: int
    coin: int
    heat: int = 0


def engagement(result: Result) -> Position | None:
    """Return the position in which a score opens; None on a critical: past the first obstacle already."""
    opens = {Result.BAD: Position.DESPERATE, Result.PARTIAL: Position.RISKY, Result.FULL: Position.CONTROLLED}
    return opens.get(word("result", result, Result))


def payoff(tier: int, target_tier: int, take: Take, extra: int = 0) -> Score:
    """Return what a score earns: rep of 2, more for each Tier (0 to 6) of the target above the crew's and less for each
    below, never below 0; and coin.

    `extra` coin (0 to 100) needs a major haul. Raises NotPossible otherwise.
    """
    above = whole("target_tier", target_tier, 0, HIGHEST_TIER) - whole("tier", tier, 0, HIGHEST_TIER)
    haul = word("take", take, Take)
    if whole("extra", extra, 0, MOST_EXTRA_COIN) and haul is not Take.MAJOR:
        message = str(_("Only a major haul can bring extra coin."))
        raise NotPossible("extra", extra, allowed="0", message=message)
    return Score(rep=max(0, REP + above), coin=COIN[haul] + extra)


FACTORS: Final[Mapping[str, int]] = {
    "bold": 1,
    "weak_spot": 1,
    "friends": 1,
    "smaller": 1,
    "for_it": 1,
    "complex": -1,
    "strong_spot": -1,
    "rivals": -1,
    "larger": -1,
    "against_it": -1,
}
"""Major advantages and disadvantages (public rules, Engagement Roll); the last of each is "anything else"."""
OPPOSITES: Final[Mapping[str, str]] = {
    "bold": "complex",
    "weak_spot": "strong_spot",
    "smaller": "larger",
    "complex": "bold",
    "strong_spot": "weak_spot",
    "larger": "smaller",
}
"""Pairs of which only one can hold."""


# What follows

HEAT_BOXES: Final = 9
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

ENTANGLEMENT: Final = "entanglement"
"""What a roll for one settles."""
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


def indulged(stress: int, face: int) -> tuple[int, bool]:
    """Return the stress that a vice clears, and whether it was too much: the die was above what was marked (public rules,
    Vice)."""
    return min(stress, face), face > stress


# What a downtime knows of each who spends it (procedures/downtime.py)


class Away(StrEnum):
    """Why someone takes no more activities. Who has overindulged may be lost: they are gone for a while."""

    PRISON = "prison"
    LOST = "lost"


AWAY: Final = {Away.PRISON: gettext_lazy("in prison"), Away.LOST: gettext_lazy("gone for a while")}


class Plan(BaseModel):
    """An activity whose dice are about to fall: `rating` dice, of an `action` where one is rolled, a die each of a `friend` and
    of a `push`. Of a project its `clock` by id, or the `segments` of a new one, called `name`. Of an asset its `name`."""

    what: Activity
    rating: int
    action: Code = ""
    friend: bool = False
    push: bool = False
    clock: Code = ""
    name: Name = ""
    segments: int = 0


class Taken(BaseModel):
    """An activity that was taken, and its `amount`: segments, heat, stress, xp, or the Tier of an asset.

    `bettered` is the coin paid to improve it, `rating` the dice without bonus. An asset is written on the sheet with its dice.
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

    @property
    def gain(self) -> Words:
        """Return words such as "−2 heat"."""
        name, count = self.name, self.amount
        match self.what:
            case Activity.PROJECT:
                return ngettext("{name}: {count} segment", "{name}: {count} segments", count, name=name)
            case Activity.RECOVER:
                return _("{count} on the healing clock", count=count)
            case Activity.HEAT:
                return _("−{count} heat", count=count)
            case Activity.ACQUIRE:
                return _("{name}, Tier {count}", name=name, count=count)
            case Activity.TRAIN:
                return _("{name} +{count}", name=worded(SHEET.field(name).label), count=count)
        return _("{count} stress cleared", count=count)

    def better(self, coin: int) -> int:
        """Return the amount for so much coin more."""
        return amount_of(self.what, self.result or Result.BAD, coin=self.bettered + coin, tier=self.rating)


class Person(BaseModel):
    """The downtime of one character; `over`: they have overindulged, and have yet to choose what comes of it."""

    bought: int = 0
    taken: list[Taken] = []
    plan: Plan | None = None
    over: bool = False
    away: Away | None = None
    done: bool = False

    def has(self, what: Activity, name: str = "") -> bool:
        """Return whether they took an activity in this downtime, with this name."""
        return any(taken.what is what and taken.name == name for taken in self.taken)
