"""The kind of events of this ruleset (campaigns/kinds.py): what followed from a roll, in logs from before contests settled it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from campaigns.schema import Code, Name, PayloadSchema, Schema, Uid
from rolls.models import Roll
from rules.messages import Message, joined
from rules.messages import gettext as _
from rulesets.descriptors.terms import NAME, rated


class Followed(Schema):
    """One thing that followed from a roll: a hit (`who`, `box`, `injury`, `out`), a
    Scene Descriptor that was made (`name`, `dice`), or that sticks (also `to` and `payer`)."""

    what: Code
    who: Name | None = None
    box: int | None = None
    injury: int | None = None
    out: bool | None = None
    name: Name | None = None
    dice: int | None = None
    to: Name | None = None
    payer: Name | None = None


def followed(roll: Roll) -> list[dict[str, Any]]:
    """Return what followed from an older roll (Followed), without its sheet steps; [] for newer rolls."""
    return [
        {"what": what} | {name: value for name, value in follow.items() if name != "done"}
        for what, follow in roll.outcome.get("follows", {}).items()
    ]


def follow_words(done: Mapping[str, Any]) -> Message:
    """Return the words for it."""
    if done["what"] == "hit":
        name = done["who"]
        sentences = (
            done["box"] and _("{name} crossed off box {box}.", name=name, box=done["box"]),
            done["injury"] and _("{name} took a level {level} Injury.", name=name, level=done["injury"]),
            done["out"] and _("{name} is out of the scene.", name=name),
        )
        return joined(" ", filter(None, sentences))
    descriptor = rated(done["name"], done["dice"])
    if done["what"] == "made":
        return _("Scene Descriptor: {descriptor}.", descriptor=descriptor)
    return _(
        "{descriptor} stuck to {bearer}. {payer} paid 1 Will.",
        descriptor=descriptor,
        bearer=done["to"],
        payer=done["payer"],
    )


def describe_follow(payload: Payload) -> dict[str, Any]:
    """Return the words for the event: of this consequence, and of all so far."""
    said = {step["what"]: str(follow_words(step)) for step in payload["done"]}
    return {"words": said[payload["what"]], "done": list(said.values())}


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
