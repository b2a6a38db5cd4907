"""The kinds of events of this ruleset (campaigns/kinds.py). An order of declaration is told by an event in turns today
(procedures/tracker.py); logs hold what it was told by before."""

from __future__ import annotations

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import CODE, NAME, PERSON, ListOf, Maybe
from rolls.events import AUDIENCE_WORDS, PROOF
from rulesets.arc.table.ask import NAME as ARC

WORDS = "Order of declaration"


def _order(payload: Payload) -> Indexed:
    return Indexed(system=ARC, words=" ".join([WORDS, *(one["name"] for one in payload["declare"])]))


ORDER_ROLLED = EventKind(
    "arc.order_rolled",
    topic=Topic.ROLL,
    schema={
        "who": PERSON,
        "audience": CODE,
        "declare": ListOf({"name": NAME, "rolls": ListOf(int)}),
        "equal": ListOf(ListOf(NAME)),
        "dice": ListOf({"face": int}),
        "hand_rolled": bool,
        "proof": Maybe(PROOF),
        "witness": Maybe({"by": Maybe(PERSON)}),
    },
    index=_order,
    describe=lambda payload: {"words": WORDS, "audience_words": AUDIENCE_WORDS[payload["audience"]]},
)
