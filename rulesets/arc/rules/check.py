"""Checks of the VI-VIII-X rules, the arc system: two scores and one die, against a threshold or another (arc.txt, V.7, V.8).

    check = resolve(Ask(ks=7, us=4, es=5, threshold=9), faces=iter([5]))
    check.total, check.margin, check.success  # 16, 7, True

Reaction and actions in a turn come first, the other adjustments last; body.py has size, movement and load, procedures/check.py a
check that the table settles. Decisions of our own are in settings.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.dice import D10, LARGEST_POOL, Die, Faces, draw
from rules.errors import NotPossible, RuleError, whole, word
from rulesets.arc.settings import DEFAULTS, SCORES, THRESHOLDS, Level, Settings

# Who keeps their nerve in a turn of the arc rules, and how often one acts (arc.txt, V.1, V.5, V.7).
#
# The State of Mind, SOM, runs from 1 (panicked) to 10 (exalted).


SUCCESS, FAILURE, UNDECIDED = "success", "failure", "open"
"""What comes of a roll; undecided is the first of two."""

COMBAT_OCCASIONS: Final = (
    gettext_lazy("ambushed"),
    gettext_lazy("the first ally falls"),
    gettext_lazy("more than half of the allies die"),
    gettext_lazy("cornered"),
    gettext_lazy("attacked by two or more enemies"),
)
OTHER_OCCASIONS: Final = (
    gettext_lazy("has to act in a hurry"),
    gettext_lazy("is threatened, with words or violence"),
    gettext_lazy("witnesses something strongly against their Morality"),
    gettext_lazy("has to act against their Morality"),
)
"""When the GM may ask for a Reaction check; neither list is meant to be complete (arc.txt, V.5)."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A Reaction check: the SOM (1 to 10) and the face of the d10."""

    som: int
    face: int

    def __post_init__(self) -> None:
        whole("som", self.som, *SCORES)
        D10.face(self.face)

    @property
    def success(self) -> bool:
        """Return whether the face is no higher than the SOM: with 10 always, with 1 only on a 1 (arc.txt, V.5)."""
        return self.face <= self.som


def actions_in_turn(es_scores: Sequence[int], settings: Settings = DEFAULTS) -> int:
    """Return how often one may act in a turn with these ES, 1 to 100 of them from 1 to 10 (arc.txt, V.7).

    A single ES has the number of actions of its score; of several the smallest number counts. 0 where a campaign has no action
    for a score that low. OutOfRange for a score that cannot be, or for none.
    """
    whole("actions", len(es_scores), 1, LARGEST_POOL)
    allowed = [sum(whole("es", es, *SCORES) >= needed for needed in settings.actions_from) for es in es_scores]
    return min(allowed) if settings.smallest_allowance_counts else max(allowed)


LARGEST_OTHER: Final = 100
"""Other adjustments have no cap in the text, and no table gets here."""


class Role(StrEnum):
    """The role of the die in its check."""

    BONUS = "bonus"  # no higher than the ES: its face is added
    MALUS = "malus"  # higher than the ES: the excess is subtracted


@dataclass(frozen=True, slots=True)
class Row:
    """One column of the core table: the die of an ES, its lowest adjustment and its highest, which is the ES (arc.txt, V.7).

    `lowest` is 1 where a campaign's die has no face above the ES.
    """

    die: Die
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The die of a check: its face, its role and the ES adjustment (never 0)."""

    die: Die
    face: int
    role: Role
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A check before the die falls: KS, US and ES from 1 to 10, the US no higher than its KS; other adjustments -100 to +100.

    It has to exceed a `threshold`, 0 to 100, or the total of the other side, which rolled `first`; who `counters` need only
    equal that (arc.txt, V.8). With neither it is open.

    OutOfRange for a score that cannot be, also for an ES of 0; NotPossible for a US above its KS.
    """

    ks: int
    us: int
    es: int
    other: int = 0
    threshold: int | None = None
    first: int | None = None
    counters: bool = False

    def __post_init__(self) -> None:
        whole("ks", self.ks, *SCORES)
        whole("us", self.us, *SCORES)
        whole("es", self.es, *SCORES)
        whole("other", self.other, -LARGEST_OTHER, LARGEST_OTHER)
        if self.threshold is not None:
            whole("threshold", self.threshold, *THRESHOLDS)
        if self.us > self.ks:
            # Neither score in the message: it may come before a player's eyes.
            message = _("An Unknown Stat can’t be higher than its Known Stat.")
            raise NotPossible("us", self.us, allowed=f"{SCORES[0]} to {self.ks}", message=message)

    @property
    def before_the_die(self) -> int:
        """Return all of the total but the ES adjustment."""
        return self.ks + self.us + self.other

    @property
    def against(self) -> int | None:
        """Return the threshold or the other total; None while it is open."""
        return self.first if self.threshold is None else self.threshold

    @property
    def needed(self) -> int | None:
        """Return what the ES adjustment has to exceed; None while it is open."""
        return None if self.against is None else self.against - self.counters - self.before_the_die


@dataclass(frozen=True, slots=True)
class Check:
    """A rolled check. ARC = KS + US + ES adjustment + other adjustments (arc.txt, V.7)."""

    ask: Ask
    adjustment: Adjustment

    @property
    def total(self) -> int:
        return self.ask.before_the_die + self.adjustment.value

    @property
    def margin(self) -> int | None:
        """Return how far it is above what it is against; None while it is open."""
        return None if self.ask.against is None else self.total - self.ask.against

    @property
    def success(self) -> bool:
        """Return whether it exceeds what it is against: a tie fails for the side that acts (arc.txt, V.8)."""
        return self.ask.needed is not None and self.adjustment.value > self.ask.needed


def core_row(es: int, settings: Settings = DEFAULTS) -> Row:
    """Return the die of an ES (1 to 10) and how far it can move a check (arc.txt, V.7)."""
    die = Die(settings.dice[whole("es", es, *SCORES) - 1])
    return Row(die, lowest=es - die.sides if die.sides > es else 1, highest=es)


def adjustment(es: int, face: int, settings: Settings = DEFAULTS) -> Adjustment:
    """Return the ES adjustment: the face itself up to the ES (1 to 10), above it ES - face (arc.txt, V.7).

    OutOfRange for an ES that cannot be or a face that its die does not have.
    """
    die = core_row(es, settings).die
    value = value_of(es, die.face(face))
    return Adjustment(die, face, Role.BONUS if value > 0 else Role.MALUS, value)


def value_of(es: int, face: int) -> int:
    """Return what this face adds to its check, whatever die the campaign has for that ES now."""
    return face if face <= es else es - face


def die_words(die: Die) -> str:
    """Return a die as people write it in the language that is active: "d8"."""
    return _("d{sides}").format(sides=die.sides)


def why(es: int, face: int) -> str:
    """Return words for what a die did in its check."""
    if face <= es:
        return _("a bonus: not above the skill score of {score}").format(score=es)
    return _("a malus: {over} above the skill score of {score}").format(over=face - es, score=es)


def resolve(ask: Ask, faces: Faces, settings: Settings = DEFAULTS) -> Check:
    """Roll the one die of a check (arc.txt, V.7). NotPossible when there is no face."""
    (face,) = draw(1, core_row(ask.es, settings).die, faces)
    return Check(ask, adjustment(ask.es, face, settings))


def threshold_of(level: str, settings: Settings = DEFAULTS) -> int:
    """Return the threshold of a level of complexity (arc.txt, V.8). UnknownWord for any other level."""
    return settings.thresholds[list(Level).index(word("level", level, Level))]


HUGE: Final = 2
"""A huge advantage or disadvantage counts double, exceptionally (arc.txt, V.9)."""

KINDS: Final = {"advantages": 1, "disadvantages": -1, "huge_advantages": HUGE, "huge_disadvantages": -HUGE}
MOST_CIRCUMSTANCES: Final = 20
"""Of each kind."""

LARGEST_SPECIAL: Final = 30
LONGEST_WORD: Final = 60

ADVANTAGES: Final = (
    gettext_lazy("fights from higher ground than the opponent"),
    gettext_lazy("is under a spell that grants a bonus"),
    gettext_lazy("is exalted, ideally with an action in line with their Path"),
)
DISADVANTAGES: Final = (
    gettext_lazy("is lying on the ground in combat"),
    gettext_lazy("is in a state that gives a malus, such as panicked"),
    gettext_lazy("wears armour with a low score in Trained in Armor"),
)
"""What the text prints as examples (arc.txt, V.9); neither list is meant to be complete."""


EXALTED, PANICKED = "exalted", "panicked"
MOOD_WORDS: Final = {EXALTED: gettext_lazy("exalted"), PANICKED: gettext_lazy("panicked")}
"""The states of mind that are an advantage and a disadvantage (arc.txt, V.5, V.9), by their codes."""


MIND: Final = (
    gettext_lazy("panicked"),
    gettext_lazy("afraid"),
    gettext_lazy("shaken"),
    gettext_lazy("uneasy"),
    gettext_lazy("calm"),
    gettext_lazy("composed"),
    gettext_lazy("assured"),
    gettext_lazy("eager"),
    gettext_lazy("elated"),
    gettext_lazy("exalted"),
)
"""By the state of mind from 1 to 10. The text names the first and the last (arc.txt, V.5); the others are our decision."""


def mood(som: int | None) -> str:
    """Return the code of the state of mind at this SOM, "" for one that counts for nothing."""
    return {SCORES[0]: PANICKED, SCORES[1]: EXALTED}.get(som or 0, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One adjustment for or against a side, named in 1 to 60 letters: an advantage +1, a disadvantage -1, a huge one 2 as an
    exception (arc.txt, V.9); what a special rule adds or takes goes up to 30. Never 0. One of our words has a `code`. Raises
    RuleError otherwise.
    """

    word: str
    value: int
    code: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.word, str) or not 1 <= len(self.word.strip()) <= LONGEST_WORD:
            message = _("Say what it is in a word or two, {most} letters at most.").format(most=LONGEST_WORD)
            raise RuleError("word", self.word, allowed=f"1 to {LONGEST_WORD} letters", message=message)
        if self.value == 0:
            message = _("An advantage is +1 and a disadvantage −1; a huge one counts 2.")
            raise RuleError("value", self.value, allowed="not 0", message=message)
        if type(self.value) is not int or abs(self.value) > LARGEST_SPECIAL:
            message = _("A special rule adds or subtracts 1 to {most}.").format(most=LARGEST_SPECIAL)
            raise RuleError("value", self.value, allowed=f"-{LARGEST_SPECIAL} to {LARGEST_SPECIAL}", message=message)

    @property
    def written(self) -> dict[str, Any]:
        """Return it as terms and cards keep it."""
        return ({"code": self.code} if self.code else {"word": self.word.strip()}) | {"value": self.value}


@dataclass(frozen=True, slots=True)
class Typed:
    """The total of the typed adjustments, and the named ones."""

    total: int = 0
    chips: tuple[Chip, ...] = ()


def counted(values: Iterable[int]) -> int:
    """Return the sum of what all chips of one side are worth: -90 to +90. Raises OutOfRange for more than 20 of a kind."""
    laid = [*values]
    for field, value in KINDS.items():
        whole(field, laid.count(value), 0, MOST_CIRCUMSTANCES)
    special = sum(value for value in laid if abs(value) > HUGE)
    whole("special", special, -LARGEST_SPECIAL, LARGEST_SPECIAL)
    return sum(laid)
