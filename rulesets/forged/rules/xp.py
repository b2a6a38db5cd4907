"""Forged in the Dark: xp tracks and the dots that a full one buys (public rules, Advancement)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rolls.rules.errors import NotPossible, whole, word
from rulesets.forged.rules.body import ACTIONS, Attribute, Ratings, dots_of
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.settings import DEFAULTS, Settings

MOST_XP_AT_ONCE: Final = 100


class Track(StrEnum):
    """What is marked: one of the three attributes', or the playbook's."""

    ATTRIBUTE = "attribute"
    PLAYBOOK = "playbook"


BOXES: Final[Mapping[Track, int]] = MappingProxyType({Track.ATTRIBUTE: 6, Track.PLAYBOOK: 8})


@dataclass(frozen=True, slots=True)
class Marked:
    """A track after marking it: its marks (below its boxes), the advances that came of it, and marks that were lost."""

    marks: int
    advances: int
    lost: int = 0


def mark(track: Track, marks: int, xp: int, settings: Settings = DEFAULTS) -> Marked:
    """Mark `xp` (0 to 100) on a track with `marks` (0 to 5, or to 7 on the playbook's). A full one empties for an advance.

    What is over begins the track anew, and may fill it again; or is lost where a campaign has it so.
    """
    boxes = BOXES[word("track", track, Track)]
    after = whole("marks", marks, 0, boxes - 1) + whole("xp", xp, 0, MOST_XP_AT_ONCE)
    if after < boxes:
        return Marked(after, 0)
    if settings.xp_rolls_over:
        advances, left = divmod(after, boxes)
        return Marked(left, advances)
    return Marked(0, 1, lost=after - boxes)


def advance(ratings: Ratings, attribute: Attribute, action: str) -> Ratings:
    """The ratings with one more dot in an action of the attribute whose track was full.

    NotPossible for an action of another attribute, and above 4.
    """
    actions = ACTIONS[word("attribute", attribute, Attribute)]
    if action not in actions:
        message = f"This advance goes to one of {', '.join(actions)}."
        raise NotPossible("action", action, allowed=", ".join(actions), message=message)
    before = dots_of(action, ratings)
    if before == HIGHEST_RATING:
        message = f"{action.capitalize()} is as high as it goes."
        raise NotPossible("action", action, allowed=f"below {HIGHEST_RATING} dots", message=message)
    return MappingProxyType({**ratings, action: before + 1})
