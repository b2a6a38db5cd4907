"""Forged in the Dark: pools of d6 and what the highest die says (forged.txt, Action Roll, Add Bonus Dice, Fortune Roll); and the
settings that a campaign may decide, where the text and its public rules are silent or differ.

    outcome = resolve(action_pool(rating=2, push=True), faces=iter([4, 1, 6]))
    outcome.value, outcome.result   # 6, Result.FULL

Beside this module: `action` (position, effect, trade, push, judgement, stress, resistance, harm, armour) and `downtime` (scores,
and what follows them). Clocks of all kinds are ticked by the campaign, for every system, and need
no rule here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final

from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rules.checked import Checked, Whole, YesNo
from rules.dice import LARGEST_POOL, Die, Faces, draw
from rules.errors import NotPossible, whole, yes_or_no

MOST_TICKS_A_LEVEL: Final = 4
MOST_BOXES: Final = 9
MOST_TRAUMAS: Final = 4
"""A sheet has room for no more of either."""


class Settings(Checked):
    """A campaign's choices, with our defaults. Raises OutOfRange or UnknownWord for impossible values.

    `only_gm_sets`: players announce their actions, and the GM sets position and effect; what they roll unasked is risky
    with standard effect. Off, a player may say what they take them for and roll, and it is told as that. `gambits`:
    whether the crew has gambits at all; they come from another game, so they are off. No sheet says so beside.
    `trade_into_zero`: a trade may leave no effect at all; off, that is refused. `trade_beyond_extreme`: a trade may add
    to an extreme effect, for the ticks alone; off, that is refused. `ticks_beyond_extreme`: what each level above
    extreme ticks on top, 0 to 4 (printed nowhere). `boxes` of stress, 1 to 9, and `last_trauma`, the one that retires,
    1 to 4 (public rules). `filling_stress_counts`: a push or an assist that fills the track still gives what was paid
    for; off, it is refused. `xp_rolls_over`: marks beyond a full xp track begin the next one; off, they are lost.
    """

    only_gm_sets: YesNo = True
    gambits: YesNo = False
    trade_into_zero: YesNo = False
    trade_beyond_extreme: YesNo = False
    ticks_beyond_extreme: Annotated[int, Whole(0, MOST_TICKS_A_LEVEL)] = 1
    boxes: Annotated[int, Whole(1, MOST_BOXES)] = 9
    last_trauma: Annotated[int, Whole(1, MOST_TRAUMAS)] = 4
    filling_stress_counts: YesNo = True
    xp_rolls_over: YesNo = True


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "only_gm_sets": gettext_lazy("Only the GM sets position and effect: players announce their actions"),
    "gambits": gettext_lazy("The crew has gambits"),
    "trade_into_zero": gettext_lazy("A trade may leave no effect"),
    "trade_beyond_extreme": gettext_lazy("A trade may add to an extreme effect"),
    "ticks_beyond_extreme": gettext_lazy("Ticks for each level of effect above extreme"),
    "boxes": gettext_lazy("Stress boxes"),
    "last_trauma": gettext_lazy("Traumas that retire a character"),
    "filling_stress_counts": gettext_lazy("A push or assist that fills the stress track still counts"),
    "xp_rolls_over": gettext_lazy("XP beyond a full track starts the next one"),
}
"""The labels of the settings."""


# The dice

D6: Final = Die(6)
HIGHEST_RATING: Final = 4
ZERO_DICE: Final = 2
"""A pool of zero or less rolls two dice and keeps the lowest; the text is silent, its public rules are not."""
HELPERS: Final = 1
"""The most characters who assist one roll (forged.txt, Assist)."""
SIXES_OF_A_CRITICAL: Final = 2
MOST_MORE: Final = 6
"""The most dice that special abilities and the like add to one roll, or take: our decision."""


class Result(StrEnum):
    BAD = "1-3"
    PARTIAL = "4/5"
    FULL = "6"
    CRITICAL = "crit"


ORDER: Final = tuple(Result)
"""The results from the worst to the best."""


class Role(StrEnum):
    """The role of one die: it was kept, it made the critical with the kept one, or it was dropped."""

    KEPT = "kept"
    CRITICAL = "critical"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Pool:
    """-100 to 100 dice. `rolled` is how many fall, `lowest` whether the lowest is kept."""

    dice: int

    def __post_init__(self) -> None:
        whole("pool", self.dice, -LARGEST_POOL, LARGEST_POOL)

    @property
    def lowest(self) -> bool:
        return self.dice <= 0

    @property
    def rolled(self) -> int:
        return ZERO_DICE if self.lowest else self.dice


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die: its face, and its role. Of equal faces the one rolled first is kept."""

    face: int
    role: Role


@dataclass(frozen=True, slots=True)
class Outcome:
    """A resolved roll: the dice as they fell, the face that counts (1 to 6), and the result."""

    pool: Pool
    dice: tuple[RolledDie, ...]
    value: int
    result: Result


def resolve(pool: Pool, faces: Faces) -> Outcome:
    """Roll and judge (forged.txt, Roll the Dice and Judge the Result). Two dice of a pool of zero never make a critical."""
    rolled = draw(pool.rolled, D6, faces)
    value = min(rolled) if pool.lowest else max(rolled)
    critical = not pool.lowest and rolled.count(6) >= SIXES_OF_A_CRITICAL
    kept = rolled.index(value)
    dice = tuple(RolledDie(face, _role(face, i == kept, critical=critical)) for i, face in enumerate(rolled))
    return Outcome(pool, dice, value, Result.CRITICAL if critical else read(value))


def read(value: int) -> Result:
    """Return the result of a single face (1 to 6)."""
    if whole("dice", value, 1, 6) == 6:
        return Result.FULL
    return Result.PARTIAL if value >= 4 else Result.BAD


def action_pool(
    *,
    rating: int,
    assists: int = 0,
    push: bool = False,
    bargain: bool = False,
    gambit: bool = False,
    level2_harm: bool = False,
    more: int = 0,
    settings: Settings = DEFAULTS,
) -> Pool:
    """Return the pool of a rating of 0 to 4 and bonus dice (forged.txt, Add Bonus Dice), `more` of them from abilities. Raises
    NotPossible for push with bargain, and for unknown gambits."""
    whole("rating", rating, 0, HIGHEST_RATING)
    whole("assists", assists, 0, HELPERS)
    extras = {"push_die": push, "bargain": bargain, "gambit": gambit, "level2_harm": level2_harm}
    for field, value in extras.items():
        yes_or_no(field, value)
    if push and bargain:
        message = _("The second bonus die comes from a push or from a Devil’s Bargain, not from both.")
        raise NotPossible("bargain", bargain, allowed="push or bargain", message=message)
    if gambit and not settings.gambits:
        raise NotPossible("gambit", gambit, allowed="no", message=_("This crew has no gambits."))
    return with_more(Pool(rating + assists + push + bargain + gambit - level2_harm), more)


def with_more(pool: Pool, more: int, *, push: bool = False) -> Pool:
    """Return a pool with as many dice more or fewer as abilities give, and one for a push (forged.txt, Pushing Yourself: any
    roll where extra effort would help)."""
    return Pool(pool.dice + whole("more", more, -MOST_MORE, MOST_MORE) + push)


def check_more(said: Mapping[str, Any], field: str = "why") -> None:
    """Raise a RuleError for `more` dice from abilities without a word on where they come from (`why`)."""
    if whole("more", said["more"], -MOST_MORE, MOST_MORE) and not str(said["why"]).strip():
        message = _("Say where the extra dice come from.")
        raise NotPossible(field, said["why"], allowed="a reason", message=message)


def fortune_pool(*, trait: int = 1, advantages: int = 0, disadvantages: int = 0) -> Pool:
    """Return the pool of a trait (0 to 100; 1 is sheer luck), +1d a major advantage, -1d a major disadvantage (forged.txt,
    Fortune Roll)."""
    whole("trait", trait, 0, LARGEST_POOL)
    whole("advantages", advantages, 0, LARGEST_POOL)
    whole("disadvantages", disadvantages, 0, LARGEST_POOL)
    return Pool(trait + advantages - disadvantages)


def why(role: Role, pool: Pool) -> str:
    """Return a few words for what a die did in its pool."""
    if role is Role.CRITICAL:
        return _("another 6: critical")
    if role is Role.DROPPED:
        return _("not the lowest") if pool.lowest else _("not the highest")
    return _("the lowest of two") if pool.lowest else _("the highest")


def _role(face: int, kept: bool, *, critical: bool) -> Role:
    if kept:
        return Role.KEPT
    return Role.CRITICAL if critical and face == 6 else Role.DROPPED


# What a fortune result says, and the table of magnitudes (public rules, Magnitude)


@dataclass(frozen=True, slots=True)
class Performance:
    """A fortune result in words: how it turned out, as a headline and in a sentence, and with how much effect."""

    headline: str
    quality: str
    effect: str


PERFORMANCES: Final[Mapping[Result, Performance]] = MappingProxyType(
    {
        Result.CRITICAL: Performance(
            gettext_lazy("Exceptional"), gettext_lazy("exceptional"), gettext_lazy("great effect")
        ),
        Result.FULL: Performance(
            pgettext_lazy("fortune", "Good"), pgettext_lazy("fortune", "good"), gettext_lazy("standard effect")
        ),
        Result.PARTIAL: Performance(
            pgettext_lazy("fortune", "Mixed"), pgettext_lazy("fortune", "mixed"), gettext_lazy("limited effect")
        ),
        Result.BAD: Performance(
            pgettext_lazy("fortune", "Bad"), pgettext_lazy("fortune", "bad"), gettext_lazy("little effect")
        ),
    }
)


MAGNITUDES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "people": ("1-2", "3-6", "12", "20", "40", "80", "160"),
        "time": (
            pgettext_lazy("time", "moments"),
            pgettext_lazy("time", "minutes"),
            pgettext_lazy("time", "hour"),
            pgettext_lazy("time", "hours"),
            pgettext_lazy("time", "day"),
            pgettext_lazy("time", "days"),
            pgettext_lazy("time", "week"),
        ),
        "reach": (
            pgettext_lazy("reach", "touch"),
            pgettext_lazy("reach", "dozen paces"),
            pgettext_lazy("reach", "stone’s throw"),
            pgettext_lazy("reach", "down the road"),
            pgettext_lazy("reach", "blocks"),
            pgettext_lazy("reach", "district"),
            pgettext_lazy("reach", "city"),
        ),
        "quality": (
            pgettext_lazy("quality", "poor"),
            pgettext_lazy("quality", "adequate"),
            pgettext_lazy("quality", "good"),
            pgettext_lazy("quality", "excellent"),
            pgettext_lazy("quality", "superior"),
            pgettext_lazy("quality", "impeccable"),
            pgettext_lazy("quality", "legendary"),
        ),
        "force": (
            pgettext_lazy("force", "weak"),
            pgettext_lazy("force", "moderate"),
            pgettext_lazy("force", "strong"),
            pgettext_lazy("force", "serious"),
            pgettext_lazy("force", "powerful"),
            pgettext_lazy("force", "overwhelming"),
            pgettext_lazy("force", "devastating"),
        ),
    }
)
"""What each measure comes to, by its magnitude from 0."""


LONGEST_NAME = 80
MOST_TRAIT = 12
MOST_MAJOR = 9
