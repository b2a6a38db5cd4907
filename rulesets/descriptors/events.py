"""The kinds of events of this ruleset (campaigns/kinds.py)."""

from __future__ import annotations

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import CODE, UID, ListOf
from rulesets.descriptors.table.ask import NAME
from rulesets.descriptors.table.card import FOLLOWED
from rulesets.descriptors.table.words import describe_follow


def _followed(payload: Payload) -> Indexed:
    return Indexed(system=NAME, words=payload["words"])


ROLL_FOLLOWED = EventKind(
    "descriptors.roll_followed",
    topic=Topic.ROLL,
    schema={"roll": UID, "of": UID, "what": CODE, "done": ListOf(FOLLOWED)},
    index=_followed,
    describe=describe_follow,
)
