"""Clocks as pies: the outline of each segment for SVG, in a square of 100 by 100, clockwise from the top."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin

CENTRE = 50
RADIUS = 48
MOST = 12


@lru_cache(maxsize=16)
def slices(segments: int) -> tuple[str, ...]:
    """The path data of each of 2 to 12 segments, as ready strings: one string a size, whatever the machine's locale."""
    if not 2 <= segments <= MOST:
        raise ValueError(f"no clock has {segments} segments")
    corners = [_corner(at, segments) for at in range(segments + 1)]
    return tuple(f"M{CENTRE} {CENTRE}L{start}A{RADIUS} {RADIUS} 0 0 1 {end}Z" for start, end in pairwise(corners))


def _corner(at: int, segments: int) -> str:
    angle = 2 * pi * at / segments
    return f"{CENTRE + RADIUS * sin(angle):.2f} {CENTRE - RADIUS * cos(angle):.2f}"
