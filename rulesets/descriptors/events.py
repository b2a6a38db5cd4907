"""The kinds of events of this ruleset (campaigns/kinds.py)."""

from __future__ import annotations

from campaigns.kinds import EventKind, Indexed, Topic
from campaigns.schema import Code, PayloadSchema, Uid
from rulesets.descriptors.table.ask import NAME
from rulesets.descriptors.table.card import Followed, describe_follow


class RollFollowed(PayloadSchema):
    roll: Uid
    of: Uid
    what: Code
    done: list[Followed]


ROLL_FOLLOWED = EventKind(
    "descriptors.roll_followed",
    topic=Topic.ROLL,
    schema=RollFollowed,
    index=lambda payload: Indexed(system=NAME, words=payload["words"]),
    describe=describe_follow,
)
