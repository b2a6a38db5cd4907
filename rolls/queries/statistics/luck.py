"""What figures can say, and what they cannot: in words that raise no false alarm."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, gamma, log, sqrt
from typing import Final

FEWEST_ROLLS: Final = 20
FEWEST_A_FACE: Final = 5
"""Below, counts are too small to be compared with what was to be expected."""

USUAL: Final = 0.05
RARE: Final = 0.001


def of_successes(rolls: int, succeeded: int, chance: float, spread: float) -> str:
    """Return how far `succeeded` is from the `chance` (its expectation) of all rolls together; `spread` is one standard
    deviation."""
    if rolls < FEWEST_ROLLS:
        return f"{_count(rolls, 'roll is', 'rolls are')} too few to tell luck from anything else."
    if not spread:
        return "Nothing here was left to chance."
    off = abs(succeeded - chance) / spread
    within = f"In 19 of 20 such series chance alone leads up to {2 * spread:.0f} away from it, to either side"
    if off < 2:
        return f"{within}, so this is nothing but chance."
    if off < 3:
        return f"{within}. This is a little further; of all the figures on such a page some have to be."
    return f"{within}. This is far outside, which is rare; it is no proof of anything, and a session’s check says more."


def of_faces(counts: Sequence[int]) -> str:
    """Return how even the faces of one kind of die are."""
    dice, sides = sum(counts), len(counts)
    even = dice / sides
    if even < FEWEST_A_FACE:
        return f"{_count(dice, 'die is', 'dice are')} too few to compare: from about {FEWEST_A_FACE * sides} on one can begin to."
    chance = beyond(sum((count - even) ** 2 for count in counts) / even, sides - 1)
    if chance >= USUAL:
        return f"Fair dice come out this unevenly, or more so, in {round(100 * chance)} of 100 such series: nothing to see."
    if chance >= RARE:
        often = max(2, round(1000 * chance))
        return (
            f"Fair dice come out this unevenly in about {often} of 1,000 such series. Some series have to be among them, "
            "so that by itself it says little."
        )
    return (
        "Fair dice come out this unevenly in fewer than 1 of 1,000 such series. That is rare, and still no proof: "
        "where each roll’s dice came from, the check of its session shows."
    )


def beyond(squares: float, freedom: int) -> float:
    """Return the chance that a chi-squared sum with 1 or more degrees of freedom is at least `squares`, exactly but for
    floats."""
    half = squares / 2
    if freedom % 2 == 0:
        return exp(-half) * sum(half**k / gamma(k + 1) for k in range(freedom // 2))
    return erfc(sqrt(half)) + exp(-half) * sum(half ** (k - 0.5) / gamma(k + 0.5) for k in range(1, (freedom + 1) // 2))


def usual_run(rolls: int, share: float) -> int | None:
    """About how long the longest run is of what comes with the chance `share`; None where that cannot be said."""
    if rolls < FEWEST_ROLLS or not 0 < share < 1:
        return None
    return max(1, round(log(rolls * (1 - share)) / -log(share))) if rolls * (1 - share) > 1 else None


def _count(number: int, singular: str, many: str) -> str:
    return f"{number:,} {singular if number == 1 else many}"
