"""Checks of the VI-VIII-X rules, the arc system: two scores and one die, against a threshold or another (arc.txt, V.7, V.8).

    check = resolve(Ask(ks=7, us=4, es=5), faces=iter([5]))
    check.total, versus_threshold(check, 9).success  # 16, True

`arc_adjustments.py` counts the other adjustments, `arc_turn.py` has reaction, actions and order of declaration, `arc_body.py`
size, movement and load. Decisions of our own are in `arc_settings.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rolls.rules.dice import Die, Faces, draw
from rolls.rules.errors import NotPossible, whole, word
from rulesets.arc.settings import DEFAULTS, SCORES, THRESHOLDS, Level, Settings

LARGEST_OTHER: Final = 100
"""Other adjustments have no cap in the text, and no table gets here."""


class Role(StrEnum):
    """What the die did in its check."""

    BONUS = "bonus"  # no higher than the ES: its face is added
    MALUS = "malus"  # higher than the ES: what it is over is taken off


@dataclass(frozen=True, slots=True)
class Row:
    """One column of the core table: the die of an ES, its lowest adjustment and its highest, which is the ES (arc.txt, V.7).

    `lowest` is 1 where a campaign's die has no face above the ES.
    """

    es: int
    die: Die
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The die of a check: its face, what it did, the ES adjustment (never 0) and why in a few words."""

    es: int
    die: Die
    face: int
    role: Role
    value: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A check before the die falls: KS, US and ES from 1 to 10, the US no higher than its KS; other adjustments -100 to +100.

    OutOfRange for a score that cannot be, also for an ES of 0; NotPossible for a US above its KS.
    """

    ks: int
    us: int
    es: int
    other: int = 0

    def __post_init__(self) -> None:
        whole("ks", self.ks, *SCORES)
        whole("us", self.us, *SCORES)
        whole("es", self.es, *SCORES)
        whole("other", self.other, -LARGEST_OTHER, LARGEST_OTHER)
        if self.us > self.ks:
            # Neither score in the message: it may come before a player's eyes.
            message = "A US never exceeds its KS."
            raise NotPossible("us", self.us, allowed=f"{SCORES[0]} to {self.ks}", message=message)

    @property
    def before_the_die(self) -> int:
        """All of the total but the ES adjustment."""
        return self.ks + self.us + self.other


@dataclass(frozen=True, slots=True)
class Check:
    """A rolled check. ARC = KS + US + ES adjustment + other adjustments (arc.txt, V.7)."""

    ask: Ask
    adjustment: Adjustment

    @property
    def total(self) -> int:
        return self.ask.before_the_die + self.adjustment.value


@dataclass(frozen=True, slots=True)
class AgainstThreshold:
    """An ARCT: a check against a fixed value, 0 to 100."""

    check: Check
    threshold: int

    @property
    def margin(self) -> int:
        return self.check.total - self.threshold

    @property
    def success(self) -> bool:
        """Higher succeeds; a tie fails (arc.txt, V.8)."""
        return self.margin > 0


@dataclass(frozen=True, slots=True)
class Opposed:
    """An ARCO: the check of the acting side against that of the side that counters it."""

    acting: Check
    countering: Check

    @property
    def margin(self) -> int:
        return self.acting.total - self.countering.total

    @property
    def success(self) -> bool:
        """Return whether the acting side succeeds: higher does; a tie fails (arc.txt, V.8)."""
        return self.margin > 0


def core_row(es: int, settings: Settings = DEFAULTS) -> Row:
    """The die of an ES (1 to 10) and how far it can move a check (arc.txt, V.7)."""
    die = Die(settings.dice[whole("es", es, *SCORES) - 1])
    return Row(es, die, lowest=es - die.sides if die.sides > es else 1, highest=es)


def adjustment(es: int, face: int, settings: Settings = DEFAULTS) -> Adjustment:
    """The ES adjustment: the face itself up to the ES (1 to 10), above it ES - face (arc.txt, V.7).

    OutOfRange for an ES that cannot be or a face that its die does not have.
    """
    die = core_row(es, settings).die
    value = value_of(es, die.face(face))
    return Adjustment(es, die, face, Role.BONUS if value > 0 else Role.MALUS, value, why(es, face))


def value_of(es: int, face: int) -> int:
    """Return what a die that fell so adds to its check, whatever die the campaign has for that ES now."""
    return face if face <= es else es - face


def why(es: int, face: int) -> str:
    """Return what a die did in its check, in a few words."""
    return f"a bonus: no higher than the ES of {es}" if face <= es else f"a malus: {face - es} over the ES of {es}"


def resolve(ask: Ask, faces: Faces, settings: Settings = DEFAULTS) -> Check:
    """Roll the one die of a check (arc.txt, V.7). NotPossible when there is no face."""
    (face,) = draw(1, core_row(ask.es, settings).die, faces)
    return Check(ask, adjustment(ask.es, face, settings))


def threshold_of(level: Level, settings: Settings = DEFAULTS) -> int:
    """The threshold of a level of complexity (arc.txt, V.8). UnknownWord for any other level."""
    return settings.thresholds[list(Level).index(word("level", level, Level))]


def versus_threshold(check: Check, threshold: int) -> AgainstThreshold:
    """Return a check beside the threshold, 0 to 100, that it has to exceed (arc.txt, V.8)."""
    return AgainstThreshold(check, whole("threshold", threshold, *THRESHOLDS))


def versus(acting: Check, countering: Check) -> Opposed:
    """Return the check of the acting side beside that of the other, which it has to exceed (arc.txt, V.8)."""
    return Opposed(acting, countering)
