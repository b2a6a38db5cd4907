"""Storyteller rolls: pools of ten-sided dice against a difficulty, the Rule of One, botches and Willpower (storyteller.txt).

    ask = Ask(pool=typed_pool(5), difficulty=7)
    outcome = resolve(ask, faces=iter([10, 7, 4, 2, 1]))

One outcome keeps every die with its role. Decisions of our own are the fields of `Settings` and the constants below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from characters.sheets.traits import Trait
from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rules.dice import D10, LARGEST_POOL, Faces, draw
from rules.errors import NotPossible, UnknownWord, whole, yes_or_no
from rulesets.storyteller.settings import DEFAULTS, HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings

FEWEST_DICE: Final = 1
"""Modifiers, Burns and wounds never take the last die: our decision."""

HUMAN_POOL: Final = 10
"""More dice than this are beyond a human: shown as a warning, never a limit."""

RATING_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: pgettext_lazy("a rating", "abysmal"),
        1: pgettext_lazy("a rating", "poor"),
        2: pgettext_lazy("a rating", "average"),
        3: pgettext_lazy("a rating", "good"),
        4: pgettext_lazy("a rating", "exceptional"),
        5: pgettext_lazy("a rating", "superb"),
    }
)
"""storyteller.txt, Trait Ratings. Ratings above 5 have no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The dice of one roll: `dots` from traits (or typed in), then modifier, Burn dice and the dice that `wounds` take, together
    1 to 100 dice. What wounds would take and does not count is `wounds_left_out`.

    `ability` is the rating of the Ability rolled with, 0 for none: it decides on Botch Cancellation.
    """

    dots: int
    modifier: int = 0
    extra_dice: int = 0
    wounds: int = 0
    wounds_left_out: int = 0
    ability: int = 0
    traits: tuple[Trait, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        whole("pool", self.dots, 0, LARGEST_POOL)
        whole("modifier", self.modifier, -LARGEST_POOL, LARGEST_POOL)
        whole("extra_dice", self.extra_dice, -LARGEST_POOL, LARGEST_POOL)
        whole("wounds", self.wounds, 0, LARGEST_POOL)
        whole("ability", self.ability, 0, LARGEST_POOL)
        if not self.dots:
            message = _("You need at least 1 dot to roll. Modifiers and Burn dice only add to a pool.")
            raise NotPossible("pool", self.dots, allowed="1 dot or more", message=message)
        whole("pool", self.dice, FEWEST_DICE, LARGEST_POOL)

    @property
    def dice(self) -> int:
        """Return how many dice are rolled: at least one."""
        return max(FEWEST_DICE, self.dots + self.modifier + self.extra_dice - self.wounds)

    @property
    def is_beyond_human(self) -> bool:
        return self.dice > HUMAN_POOL


def typed_pool(dice: int, *, modifier: int = 0, extra_dice: int = 0, ability: int = 0) -> Pool:
    """Return a typed number of dice, 1 to 100, as a pool; `ability` if it is to count for Botch Cancellation."""
    whole("pool", dice, FEWEST_DICE, LARGEST_POOL)
    return Pool(dots=dice, modifier=modifier, extra_dice=extra_dice, ability=ability)


def wound_penalty(marked: int, penalties: Sequence[int]) -> int:
    """Return the dice lost to wounds, by the number of marked health levels: those of the last one, 0 without wounds.

    storyteller.txt has no figures for wounds; that they count, and how much (`Settings.wound_penalties`), is our decision.
    """
    return penalties[min(marked, len(penalties)) - 1] if marked else 0


DIFFICULTY_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {
        3: pgettext_lazy("a difficulty", "trivial"),
        4: pgettext_lazy("a difficulty", "easy"),
        5: pgettext_lazy("a difficulty", "straightforward"),
        6: pgettext_lazy("a difficulty", "standard"),
        7: pgettext_lazy("a difficulty", "challenging"),
        8: pgettext_lazy("a difficulty", "difficult"),
        9: pgettext_lazy("a difficulty", "extremely difficult"),
    }
)
"""storyteller.txt, Success and Failure. 2 and 10 can be set and have no name."""


def difficulties() -> list[tuple[int, str]]:
    """Return every difficulty with its words, such as (7, "7 challenging")."""
    every = range(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY + 1)
    return [(number, f"{number} {DIFFICULTY_NAMES.get(number, '')}".strip()) for number in every]


DEGREES: Final = ("marginal", "moderate", "complete", "exceptional", "phenomenal")
"""For one success, two, three, four, and five or more (storyteller.txt, Degrees of Success)."""

RESULT_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "success": gettext_lazy("success"),
        "failure": gettext_lazy("failure"),
        "botch": gettext_lazy("botch"),
        "marginal": pgettext_lazy("a degree of success", "marginal"),
        "moderate": pgettext_lazy("a degree of success", "moderate"),
        "complete": pgettext_lazy("a degree of success", "complete"),
        "exceptional": pgettext_lazy("a degree of success", "exceptional"),
        "phenomenal": pgettext_lazy("a degree of success", "phenomenal"),
    }
)
"""The words for results and degrees."""

SEVERITY_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "minor": pgettext_lazy("a botch", "minor"),
        "serious": pgettext_lazy("a botch", "serious"),
        "major": pgettext_lazy("a botch", "major"),
        "disastrous": pgettext_lazy("a botch", "disastrous"),
        "catastrophic": pgettext_lazy("a botch", "catastrophic"),
    }
)
"""The words for our names of botches; names that a group has typed are shown unchanged."""

MASTERY: Final[Mapping[int, int]] = MappingProxyType({5: 1, 6: 2})
"""1s that an Ability may take out of a botch (storyteller.txt, Botch Cancellation). Above 6 counts as 6: our decision."""

AUTOMATIC_SUCCESSES: Final = 1
"""The successes of a pool that need not be rolled (storyteller.txt, Automatic Successes). Willpower adds nothing: our
decision.
"""


class Kind(StrEnum):
    """Names what a roll is for. Only action rolls feed the Scale."""

    ACTION = "action"
    SOAK = "soak"
    WILLPOWER = "willpower"
    INSPIRATION = "inspiration"
    HUMANITY = "humanity"
    VIRTUE = "virtue"
    INITIATIVE = "initiative"
    DAMAGE = "damage"
    OTHER = "other"


class Role(StrEnum):
    """Names what one die did in its roll."""

    SUCCESS = "success"  # reached the difficulty and is not cancelled
    CANCELLED = "cancelled"  # reached the difficulty, struck out by a 1
    CANCELS = "cancels"  # a 1 that struck out a success
    ONE = "one"  # a 1 with nothing left to strike
    SPARED = "spared"  # a 1 taken out of a botch by the Ability
    BLANK = "blank"  # below the difficulty


class Result(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    BOTCH = "botch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A roll before the dice fall. Difficulty 2 to 10; Burn dice come along on action rolls alone."""

    pool: Pool
    difficulty: int = 6
    kind: Kind = Kind.ACTION
    willpower: bool = False

    def __post_init__(self) -> None:
        whole("difficulty", self.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        yes_or_no("willpower", self.willpower)
        if not isinstance(self.kind, Kind):
            raise UnknownWord("kind", self.kind, Kind)
        if self.pool.extra_dice and self.kind is not Kind.ACTION:
            message = _("Burn dice only count on action rolls.")
            raise NotPossible("extra_dice", self.pool.extra_dice, allowed="0", message=message)


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die: its face and its role."""

    face: int
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A resolved roll. `dice` are in the order in which they fell; there are none for an automatic success.

    `total` are the successes that no 1 has struck, with the automatic one (of Willpower, or without a roll). `degree` is
    empty unless the result is a success, `severity` (the 1s of a botch) is 0 and `severity_name` empty unless it is one.
    """

    dice: tuple[RolledDie, ...]
    difficulty: int
    total: int
    result: Result
    degree: str
    severity: int
    severity_name: str

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(die.face for die in self.dice)


def resolve(ask: Ask, faces: Faces, settings: Settings = DEFAULTS) -> Outcome:
    """Roll `ask.pool.dice` dice and read them (storyteller.txt, Success and Failure, Rule of One, Botch Cancellation).

    Which success a 1 strikes is left open by the text: it is the lowest one, and the one rolled first among equals, so that the
    best dice stay on the table and a roll can be read in one way only.
    """
    rolled = draw(ask.pool.dice, D10, faces)
    reached = sum(face >= ask.difficulty for face in rolled)
    ones = rolled.count(1)
    # A success rolled, even one that is struck out, keeps a roll from botching.
    botching = reached == 0 and not (ask.willpower and settings.willpower_prevents_botch)
    botching = botching and may_botch(ask.kind, settings)
    spared = min(ones, mastery(ask.pool.ability)) if botching and settings.botch_cancellation else 0
    severity = ones - spared if botching else 0
    dice = _dice(rolled, ask.difficulty, cancelled=min(reached, ones), spared=spared)
    return _outcome(ask, dice, automatic=int(ask.willpower and not severity), severity=severity, settings=settings)


def may_botch(kind: Kind, settings: Settings = DEFAULTS) -> bool:
    """Return whether a roll may botch: damage and soak cannot unless the campaign decided so (our decision)."""
    return settings.damage_botches or kind not in (Kind.DAMAGE, Kind.SOAK)


def succeed_automatically(ask: Ask) -> Outcome:
    """Return the roll that need not be made: exactly one success and no dice (storyteller.txt, Automatic Successes).

    Modifiers and Burn dice do not count. Raises NotPossible when the dots fall short, or when Willpower is to be added to it.
    """
    if ask.pool.dots < ask.difficulty:
        message = _("You need {count} dots to succeed automatically at difficulty {count}.").format(
            count=ask.difficulty
        )
        raise NotPossible("pool", ask.pool.dots, allowed=f"{ask.difficulty} or more dots", message=message)
    if ask.willpower:
        message = _("Willpower can’t be added to an automatic success.")
        raise NotPossible("willpower", ask.willpower, allowed="no", message=message)
    return _outcome(ask, (), automatic=AUTOMATIC_SUCCESSES)


def mastery(ability: int) -> int:
    """Return how many 1s this Ability takes out of a botch: 0, 1 at five dots, 2 from six on."""
    return MASTERY.get(min(ability, max(MASTERY)), 0)


def degree(total: int) -> str:
    """Return the name of so many successes, empty for none."""
    return DEGREES[min(total, len(DEGREES)) - 1] if total > 0 else ""


def severity_name(severity: int, settings: Settings = DEFAULTS) -> str:
    """Return the name of a botch with so many 1s, empty for none."""
    return settings.botch_names[min(severity, len(settings.botch_names)) - 1] if severity > 0 else ""


def severity_words(name: str) -> str:
    """Return how the name of a botch is read."""
    return str(SEVERITY_WORDS.get(name, name))


def _dice(rolled: tuple[int, ...], difficulty: int, cancelled: int, spared: int) -> tuple[RolledDie, ...]:
    lowest_first = sorted((i for i, face in enumerate(rolled) if face >= difficulty), key=rolled.__getitem__)
    struck = frozenset(lowest_first[:cancelled])
    ones_seen = 0
    dice = []
    for i, face in enumerate(rolled):
        if face == 1:
            role = Role.CANCELS if ones_seen < cancelled else Role.SPARED if ones_seen < spared else Role.ONE
            ones_seen += 1
        elif face < difficulty:
            role = Role.BLANK
        else:
            role = Role.CANCELLED if i in struck else Role.SUCCESS
        dice.append(RolledDie(face, role))
    return tuple(dice)


WHY: Final[Mapping[Role, str]] = MappingProxyType(
    {
        Role.SUCCESS: gettext_lazy("success: {difficulty} or higher"),
        Role.CANCELLED: gettext_lazy("success, cancelled by a 1"),
        Role.CANCELS: gettext_lazy("cancels a success (Rule of One)"),
        Role.ONE: gettext_lazy("a 1 with no success to cancel"),
        Role.SPARED: gettext_lazy("a 1 that the Ability ignores (Botch Cancellation)"),
        Role.BLANK: gettext_lazy("no success: below {difficulty}"),
    }
)


def why(role: Role, difficulty: int) -> str:
    """Return a few words for why a die has its role."""
    return WHY[role].format(difficulty=difficulty)


def _outcome(
    ask: Ask, dice: tuple[RolledDie, ...], *, automatic: int, severity: int = 0, settings: Settings = DEFAULTS
) -> Outcome:
    standing = [die.face for die in dice if die.role is Role.SUCCESS]
    total = automatic + len(standing) + (standing.count(10) if settings.tens_count_twice else 0)
    return Outcome(
        dice=dice,
        difficulty=ask.difficulty,
        total=total,
        result=Result.BOTCH if severity else Result.SUCCESS if total else Result.FAILURE,
        degree=degree(total),
        severity=severity,
        severity_name=severity_name(severity, settings),
    )
