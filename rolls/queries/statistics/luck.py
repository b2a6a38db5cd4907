"""What figures can say, and what they cannot: in words that raise no false alarm."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, gamma, log, sqrt
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

FEWEST_ROLLS: Final = 20
FEWEST_A_FACE: Final = 5
"""Below, counts are too small to be compared with what was to be expected."""

USUAL: Final = 0.05
RARE: Final = 0.001


def of_successes(rolls: int, succeeded: int, chance: float, spread: float) -> str:
    """Return how far `succeeded` is from the `chance` (its expectation) of all rolls together; `spread` is one standard
    deviation."""
    if rolls < FEWEST_ROLLS:
        words = ngettext(
            "{count} roll is too few to tell luck from anything else.",
            "{count} rolls are too few to tell luck from anything else.",
            rolls,
        )
        return words.format(count=rolls)
    if not spread:
        return _("Nothing here was left to chance.")
    off = abs(succeeded - chance) / spread
    if off < 2:
        words = _("Usual range: {least} to {most} (95 %). This is within it.")
    elif off < 3:
        words = _(
            "Usual range: {least} to {most} (95 %). This is a little outside it: among so many figures, some are."
        )
    else:
        words = _(
            "Usual range: {least} to {most} (95 %). This is far outside it, which is rare but proves nothing. Verify a "
            "session’s dice to learn more."
        )
    least, most = max(0, round(chance - 2 * spread)), min(rolls, round(chance + 2 * spread))
    return words.format(least=least, most=most)


def of_faces(counts: Sequence[int]) -> str:
    """Return how even the faces of one kind of die are."""
    dice, sides = sum(counts), len(counts)
    even = dice / sides
    if even < FEWEST_A_FACE:
        words = ngettext(
            "{count} die is too few to compare. It takes about {fewest}.",
            "{count} dice are too few to compare. It takes about {fewest}.",
            dice,
        )
        return words.format(count=dice, fewest=FEWEST_A_FACE * sides)
    chance = beyond(sum((count - even) ** 2 for count in counts) / even, sides - 1)
    if chance >= USUAL:
        words = _("Fair dice come out at least this uneven in {count} of 100 such series: nothing unusual.")
        return words.format(count=round(100 * chance))
    if chance >= RARE:
        often = max(2, round(1000 * chance))
        words = _(
            "Fair dice come out this uneven in about {count} of 1,000 such series. Some series have to, so by itself it says "
            "little."
        )
        return words.format(count=often)
    return _(
        "Fair dice come out this uneven in fewer than 1 of 1,000 such series. That’s rare, but still no proof: verify a "
        "session to see where each roll’s dice came from."
    )


def beyond(squares: float, freedom: int) -> float:
    """Return the chance that a chi-squared sum with 1 or more degrees of freedom is at least `squares`, exact up to
    float error.
    """
    half = squares / 2
    if freedom % 2 == 0:
        return exp(-half) * sum(half**k / gamma(k + 1) for k in range(freedom // 2))
    return erfc(sqrt(half)) + exp(-half) * sum(half ** (k - 0.5) / gamma(k + 0.5) for k in range(1, (freedom + 1) // 2))


def usual_run(rolls: int, share: float) -> int | None:
    """About how long the longest run is of what comes with the chance `share`; None where that cannot be said."""
    if rolls < FEWEST_ROLLS or not 0 < share < 1:
        return None
    return max(1, round(log(rolls * (1 - share)) / -log(share))) if rolls * (1 - share) > 1 else None
