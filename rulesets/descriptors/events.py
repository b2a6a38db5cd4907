"""The kinds of events of this ruleset (campaigns/kinds.py)."""

from __future__ import annotations

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import CODE, NAME, UID, ListOf
from rulesets.descriptors.table.ask import NAME as DESCRIPTORS


def _followed(payload: Payload) -> Indexed:
    return Indexed(system=DESCRIPTORS, words=payload["words"])


ROLL_FOLLOWED = EventKind(
    "descriptors.roll_followed",
    topic=Topic.ROLL,
    schema={"roll": UID, "of": UID, "what": CODE, "words": NAME, "done": ListOf(NAME)},
    index=_followed,
)
