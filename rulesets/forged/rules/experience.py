"""Experience at the end of a session: each player answers what their character did, and marks xp for it; so does the crew (public
rules, Advancement).

Once is a mark, more than once are two, on the playbook's track or on an attribute's, as the player chooses for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from languages.text import gettext as _
from rules.errors import NotPossible, whole, word
from rulesets.forged import sheet
from rulesets.forged.rules.body import ACTIONS, Attribute
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.settings import DEFAULTS, Settings

MOST_XP_AT_ONCE: Final = 100


class Track(StrEnum):
    """The track that is marked: one of the three attributes', or the playbook's."""

    ATTRIBUTE = "attribute"
    PLAYBOOK = "playbook"


BOXES: Final[Mapping[Track, int]] = MappingProxyType({Track.ATTRIBUTE: 6, Track.PLAYBOOK: 8})


@dataclass(frozen=True, slots=True)
class Marked:
    """A track after marking it: its marks (below its boxes), and the resulting advances."""

    marks: int
    advances: int


def mark(track: Track, marks: int, xp: int, settings: Settings = DEFAULTS) -> Marked:
    """Mark `xp` (0 to 100) on a track with `marks` (0 to 5, or to 7 on the playbook's). A full one empties for an advance.

    The surplus starts the track again, and may fill it again; or is lost if the campaign has it so.
    """
    boxes = BOXES[word("track", track, Track)]
    after = whole("marks", marks, 0, boxes - 1) + whole("xp", xp, 0, MOST_XP_AT_ONCE)
    if after < boxes:
        return Marked(after, 0)
    if settings.xp_rolls_over:
        advances, left = divmod(after, boxes)
        return Marked(left, advances)
    return Marked(0, 1)


def advanced(dots: int, attribute: Attribute, action: str) -> int:
    """Return the dots after an advance in an action of the attribute whose track was full.

    NotPossible for an action of another attribute, and above 4.
    """
    actions = ACTIONS[attribute]
    if action not in actions:
        message = _("This advance goes to one of these actions: {actions}.").format(
            actions=", ".join(map(sheet.called, actions))
        )
        raise NotPossible("action", action, allowed=", ".join(actions), message=message)
    if dots >= HIGHEST_RATING:
        message = _("{action} can’t go any higher.").format(action=sheet.called(action))
        raise NotPossible("action", action, allowed=f"below {HIGHEST_RATING} dots", message=message)
    return dots + 1
