"""Size, movement and load of the arc rules (arc.txt, V.2 to V.4). Metres and kilograms are exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import isfinite
from typing import Final, TypeAlias

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.errors import Block, RuleError, whole, word
from rulesets.arc.settings import DEFAULTS, SCORES, Burden, Settings

Weight: TypeAlias = int | float | Decimal | Fraction
"""Kilograms, 0 to 100,000."""

HUMAN_BASE: Final = 8
"""Metres a turn of a human with average Control (arc.txt, V.3)."""

LARGEST_BASE: Final = 1000

SLOWEST: Final = 0
"""A low base and a low Control never make somebody walk backwards: our decision."""

LOAD_PER_BUILD: Final = 3
"""Kilograms: LOADT = Build x 3 kg at medium size (arc.txt, V.4)."""

LARGEST_WEIGHT: Final = 100_000
FINEST_DECIMAL: Final = -9
"""The power of ten where a Decimal may begin: 1e-999999 would be a fraction of a million digits."""


class Size(StrEnum):
    """Three sizes down from the human's and three up (arc.txt, V.2). The outermost names are ours: the table is lost."""

    MINUSCULE = "minuscule"
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GIGANTIC = "gigantic"

    @property
    def steps(self) -> int:
        """Return the steps up from medium: -3 to +3."""
        return list(Size).index(self) - list(Size).index(Size.MEDIUM)


@dataclass(frozen=True, slots=True)
class Movement:
    """Metres a turn, and how they are computed: (base + bonus of Control) x factor of the size x factor of the burden."""

    base: int
    bonus: int
    size_factor: Fraction
    burden_factor: Fraction

    @property
    def metres(self) -> Fraction:
        return max(SLOWEST, self.base + self.bonus) * self.size_factor * self.burden_factor


@dataclass(frozen=True, slots=True)
class Load:
    """The burden of a weight for a character: kilograms of the LOADT, of the most allowed, and of the most bearable.

    `weight` is what counts. Above `bearable` the burden is immobile: no movement and no action.
    """

    weight: Fraction
    loadt: Fraction
    maximum: Fraction
    bearable: Fraction
    burden: Burden

    @property
    def may_act(self) -> bool:
        return self.burden is not Burden.IMMOBILE


def size_steps(own: Size, opponent: Size) -> int:
    """Return how many sizes larger the opponent is, -6 to +6: what the other adjustments of a fight count (arc.txt, V.9)."""
    return word("opponent", opponent, Size).steps - word("size", own, Size).steps


def movement(
    control: int,
    *,
    base: int = HUMAN_BASE,
    size: Size = Size.MEDIUM,
    burden: Burden = Burden.NONE,
    settings: Settings = DEFAULTS,
) -> Movement:
    """Return how far a character gets in a turn (arc.txt, V.3, V.4): Control 1 to 10, the base of their kind at medium
    size 0 to 1000.
    """
    return Movement(
        base=whole("base", base, 0, LARGEST_BASE),
        bonus=settings.control_bonus[whole("control", control, *SCORES) - 1],
        size_factor=_size_factor(size, settings),
        burden_factor=_burden_factor(burden, settings),
    )


def load(
    build: int, weight: Weight, *, clothing: Weight = 0, size: Size = Size.MEDIUM, settings: Settings = DEFAULTS
) -> Load:
    """Return the burden of everything carried: Build 1 to 10, `weight` and `clothing` in kilograms (arc.txt, V.4).

    Light is up to one LOADT, medium up to two, heavy up to three, each if the Build allows it; more is overloaded. For
    a Build that may carry nothing but clothing, clothing does not count.
    """
    loadt = whole("build", build, *SCORES) * LOAD_PER_BUILD * _size_factor(size, settings)
    most = heaviest(build, settings)
    worn = _kilograms("clothing", clothing)
    counted = _kilograms("weight", weight) + (worn if most is not Burden.NONE else 0)
    maximum = loadt * _loads(most)
    bearable = maximum + loadt * settings.overload
    if counted > bearable:
        burden = Burden.IMMOBILE
    elif counted > maximum:
        burden = Burden.OVERLOADED
    else:
        burden = next(step for step in Burden if counted <= loadt * _loads(step))
    return Load(counted, loadt, maximum, bearable, burden)


def heaviest(build: int, settings: Settings = DEFAULTS) -> Burden:
    """Return the heaviest burden that a Build (1 to 10) may carry without being overloaded (arc.txt, V.4)."""
    whole("build", build, *SCORES)
    if build >= settings.heavy_from:
        return Burden.HEAVY
    if build >= settings.medium_from:
        return Burden.MEDIUM
    return Burden.LIGHT if build >= settings.light_from else Burden.NONE


def _loads(burden: Burden) -> int:
    """Return how many LOADT a burden within the limits reaches up to: none 0, light 1, medium 2, heavy 3."""
    return list(Burden).index(burden)


def _size_factor(size: Size, settings: Settings) -> Fraction:
    return Fraction(settings.size_factor) ** word("size", size, Size).steps


def _burden_factor(burden: Burden, settings: Settings) -> Fraction:
    known = word("burden", burden, Burden)
    return Fraction(0) if known is Burden.IMMOBILE else settings.burden_speed[list(Burden).index(known)]


def _kilograms(field: str, value: object) -> Fraction:
    """Return a finite number of kilograms, exactly. Booleans, NaN, infinities and digits in quotes are none."""
    # The range is looked at before anything is converted: a number of a million digits is only compared.
    if isinstance(value, int | float | Decimal | Fraction) and _is_sane(value) and 0 <= value <= LARGEST_WEIGHT:
        return Fraction(value)
    allowed = f"0 to {LARGEST_WEIGHT}"
    message = _("Enter a weight from 0 to {most} kilograms.").format(most=LARGEST_WEIGHT)
    raise RuleError(field, value, allowed=allowed, message=message)


def _is_sane(value: Weight) -> bool:
    if isinstance(value, Decimal):
        return value.is_finite() and value.adjusted() >= FINEST_DECIMAL
    return not isinstance(value, bool) and (not isinstance(value, float) or isfinite(value))


IMMOBILE: Final = Block("arc_immobile", gettext_lazy("an action under too much weight"))
UNCONSCIOUS: Final = Block("arc_unconscious", gettext_lazy("a roll while unconscious"))
