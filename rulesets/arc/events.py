"""The kinds of events of this ruleset (campaigns/kinds.py). An order of declaration is told by an event in turns today
(procedures/tracker.py); logs hold what it was told by before."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.kinds import EventKind, Indexed, Topic
from campaigns.schema import Code, Name, PayloadSchema, Person, Schema
from rolls.events import audience_words
from rolls.payloads import Face, WitnessedBy
from rules.proof import Proof
from rulesets.arc.terms import NAME as ARC

INDEXED = "Order of declaration"
"""The words by which a search finds these lines, in English as they were written."""


class Declaring(Schema):
    name: Name
    rolls: list[int]


class OrderRolled(PayloadSchema):
    who: Person
    audience: Code
    declare: list[Declaring]
    equal: list[list[Name]]
    dice: list[Face]
    hand_rolled: bool
    proof: Proof | None = None
    witness: WitnessedBy | None = None


ORDER_ROLLED = EventKind(
    "arc.order_rolled",
    topic=Topic.ROLL,
    schema=OrderRolled,
    index=lambda payload: Indexed(
        system=ARC, words=" ".join([INDEXED, *(declarant["name"] for declarant in payload["declare"])])
    ),
    describe=lambda payload: {
        "words": _("Order of declaration"),
        "audience_words": audience_words(payload["audience"]),
    },
)
