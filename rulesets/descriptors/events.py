"""The kinds of events of this ruleset (campaigns/kinds.py)."""

from __future__ import annotations

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import Code, PayloadSchema, Uid
from rulesets.descriptors.table.ask import NAME
from rulesets.descriptors.table.card import Followed, describe_follow


def _followed(payload: Payload) -> Indexed:
    return Indexed(system=NAME, words=payload["words"])


class RollFollowed(PayloadSchema):
    roll: Uid
    of: Uid
    what: Code
    done: list[Followed]


ROLL_FOLLOWED = EventKind(
    "descriptors.roll_followed",
    topic=Topic.ROLL,
    schema=RollFollowed,
    index=_followed,
    describe=describe_follow,
)
