"""What the pages of sessions, their replay and their check read of the Scale by name (campaigns/shapes.py)."""

from __future__ import annotations

from campaigns.finding import Topic
from campaigns.shapes import UID, ListOf, Maybe, Shape, of_kinds
from rolls.finding import READERS as ROLLS
from rolls.shapes import PROOF
from rulesets.scale.finding import READERS

SCALE: Shape = {
    "id": str,
    "name": Maybe(str),
    "value": int,
    "pending": Maybe(str),
    "banked": Maybe(str),
    "order": int,
}
BURN: Shape = {
    "id": UID,
    "order": int,
    "waits": bool,
    "kept": bool,
    "stops": bool,
    "oracles": Maybe(ListOf(dict)),
    "seen_by": Maybe(ListOf(dict)),
    "narration": Maybe(str),
}
# Whatever can stand among what moved a Scale before a session.
_MOVING: dict[str, Shape] = {"scale": Maybe(SCALE), "burns": Maybe(ListOf(BURN))}

SHAPES: dict[str, Shape] = {
    **of_kinds([kind for kind, reader in ROLLS.items() if reader is not Topic.TABLE], _MOVING),
    **of_kinds(
        [kind for kind, reader in READERS.items() if reader is not Topic.TABLE], _MOVING | {"proof": Maybe(PROOF)}
    ),
}
