"""What the pages of sessions, their replay and their check read of events by name (campaigns/shapes.py)."""

from __future__ import annotations

import re

from campaigns.finding import Topic
from campaigns.shapes import UID, ListOf, Maybe, Shape, of_kinds
from rolls.finding import READERS
from rolls.services.fair import BLIND_REVEALED, COMMITTED, REVEALED

SPEC = re.compile(r"[0-9]{1,3}d[0-9]{1,3}(,[0-9]{1,3}d[0-9]{1,3}){0,19}")
"""As rolls/rules/fairness.py reads dice; no rule throws more kinds of them at once."""

PROOF: Shape = {"epoch": str, "spec": SPEC, "faces": ListOf(int)}

SHAPES: dict[str, Shape] = {
    **of_kinds([kind for kind, reader in READERS.items() if reader is not Topic.TABLE], {"proof": Maybe(PROOF)}),
    **of_kinds([COMMITTED, REVEALED, BLIND_REVEALED], {"epoch": str}),
    "campaigns.clock_ticked": {"clock": {"id": UID, "name": str}, "full": bool, "ticks": Maybe(int)},
    "characters.xp_awarded": {"character": {"name": str}, "entry": {"amount": int, "unit": str, "label": str}},
}
