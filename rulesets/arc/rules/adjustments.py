"""The other adjustments of a check: what the GM finds in the situation, sizes, and special rules (arc.txt, V.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rolls.rules.errors import RuleError, whole

HUGE: Final = 2
"""A huge advantage or disadvantage counts double, exceptionally (arc.txt, V.9)."""

PER_SIZE_STEP: Final = 1
"""In combat, for each step of difference: plus for the smaller side, minus for the larger one; both sides apply theirs."""

MOST_CIRCUMSTANCES: Final = 20
LARGEST_SIZE_DIFFERENCE: Final = 6
LARGEST_SPECIAL: Final = 30
LONGEST_WORD: Final = 60

ADVANTAGES: Final = (
    "fights in a higher position than the opponent",
    "is affected by a spell that grants a bonus",
    "is exalted, ideally with an action in line with the Path",
)
DISADVANTAGES: Final = (
    "is on the ground, prone or supine, in combat",
    "is in a state that provides a malus, panicked for instance",
    "wears an armour with a low score in Trained in Armor",
)
"""What the text prints as examples (arc.txt, V.9); neither list is meant to be complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What speaks for and against one side. Advantages and disadvantages are counted, 0 to 20 of each kind.

    `size_steps`: how many sizes larger the opponent is, -6 to +6, in combat. `special` is what special rules add (armour, the
    level of a weapon), -30 to +30. The total of all that is always an `other` that an Ask takes. OutOfRange otherwise.
    """

    advantages: int = 0
    disadvantages: int = 0
    huge_advantages: int = 0
    huge_disadvantages: int = 0
    size_steps: int = 0
    special: int = 0

    def __post_init__(self) -> None:
        for field in ("advantages", "disadvantages", "huge_advantages", "huge_disadvantages"):
            whole(field, getattr(self, field), 0, MOST_CIRCUMSTANCES)
        whole("size_steps", self.size_steps, -LARGEST_SIZE_DIFFERENCE, LARGEST_SIZE_DIFFERENCE)
        whole("special", self.special, -LARGEST_SPECIAL, LARGEST_SPECIAL)

    @property
    def total(self) -> int:
        """The other adjustments of the check: -96 to +96."""
        plain = self.advantages - self.disadvantages
        huge = self.huge_advantages - self.huge_disadvantages
        return plain + HUGE * huge + PER_SIZE_STEP * self.size_steps + self.special


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One thing that speaks for a side or against it, in 1 to 60 letters: an advantage +1, a disadvantage -1, a huge one 2 as an
    exception (arc.txt, V.9). What a special rule adds or takes, -30 to +30, is `special`. Never 0. RuleError otherwise.
    """

    word: str
    value: int
    special: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.word, str) or not 1 <= len(self.word.strip()) <= LONGEST_WORD:
            message = f"Say in a word or two, {LONGEST_WORD} letters at most, what it is."
            raise RuleError("word", self.word, allowed=f"1 to {LONGEST_WORD} letters", message=message)
        furthest = LARGEST_SPECIAL if self.special else HUGE
        if type(self.value) is not int or not 1 <= abs(self.value) <= furthest:
            message = (
                f"A special rule adds or takes 1 to {LARGEST_SPECIAL}."
                if self.special
                else "An advantage is +1 and a disadvantage −1; a huge one is 2, as an exception."
            )
            raise RuleError("value", self.value, allowed=f"-{furthest} to {furthest}, not 0", message=message)


def counted(chips: Iterable[Chip], *, size_steps: int = 0) -> Circumstances:
    """Return what all chips of one side come to, with the sizes of a fight. OutOfRange for more than 20 of a kind."""
    laid = list(chips)
    values = [chip.value for chip in laid if not chip.special]
    return Circumstances(
        advantages=values.count(1),
        disadvantages=values.count(-1),
        huge_advantages=values.count(HUGE),
        huge_disadvantages=values.count(-HUGE),
        size_steps=size_steps,
        special=sum(chip.value for chip in laid if chip.special),
    )
