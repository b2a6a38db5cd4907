"""What the card of a roll of pool against pool tells: both pools, their dice, what they cost, and what the winner may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from campaigns.schema import Code, Name, Ref, Schema
from characters.models import Character
from rolls.models import Roll
from rolls.rules.states import stored
from rolls.table_rules import CardDie
from rulesets.descriptors.rules.aftermath import falls_on
from rulesets.descriptors.rules.contest import Outcome, Side
from rulesets.descriptors.rules.filling import decisions_of
from rulesets.descriptors.rules.states import Fund
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.table.pools import PoolTerms

RESULTS = {Side.A: "win", Side.B: "loss", None: "stalemate"}


class SideTold(PoolTerms):
    spent: int
    gained: int
    pays: bool
    out: bool


class Versus(SideTold):
    character: Ref | None = None
    name: Name


class Die(CardDie):
    side: Code


class Followed(Schema):
    """One thing that followed from a roll, in logs from before contests settled that: a hit (`who`, `box`, `injury`, `out`), a
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


class Falls(Schema):
    """What falls on the loser, by their own Power track as it is when the dice fall (rules/aftermath.py)."""

    box: int | None = None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


class After(Schema):
    """Older cards knew no track, and said what falls on one that is free: `box`, `last`, `injury_instead`."""

    dice: int
    falls: Falls | None = None
    box: int | None = None
    last: bool | None = None
    injury_instead: bool | None = None


class Card(Schema):
    """`bound`: a contest or a recovery made it, once all were ready, so that it is nobody's who happened to press last. `both`
    sides are player characters."""

    a: SideTold
    b: Versus
    winner: Code | None = None
    successes: int
    target: int | None = None
    dice: list[Die]
    after: After | None = None
    done: list[Followed]
    bound: bool | None = None
    both: bool | None = None


class TakenBack(Schema):
    unfollowed: bool | None = None


def card(roll: Roll) -> dict[str, Any]:
    """What templates/descriptors/card.html draws beside what every card has, once words.describe has put it into words."""
    ask, outcome = roll.ask, roll.outcome
    a, b = ({name: ask[side][name] for name in SideTold.model_fields if name in ask[side]} for side in Side)
    opponent = opponent_of(roll)
    versus = {"character": opponent.ref if opponent else None, "name": opponent.name if opponent else ask["versus"]}
    return {
        "a": a,
        "b": b | versus,
        **{name: outcome[name] for name in ("winner", "successes", "target", "dice", "after")},
        "done": followed(roll),
        **{name: True for name in ("bound", "both") if ask.get(name)},
    }


def followed(roll: Roll) -> list[dict[str, Any]]:
    """Return what followed from it (Followed), without the steps on sheets that it took; nothing for newer rolls."""
    return [
        {"what": what} | {name: value for name, value in follow.items() if name != "done"}
        for what, follow in roll.outcome.get("follows", {}).items()
    ]


def opponent_of(roll: Roll) -> Character | None:
    """The character on the other side, as it is now."""
    wanted = roll.ask["opponent"]
    if wanted is None:
        return None
    return Character.objects.select_related("owner__user").get(campaign=roll.campaign_id, pk=UUID(wanted))


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """An Outcome as the Roll keeps it. It names nobody: whoever was hidden when the dice fell may have another name by now."""
    return {
        "result": RESULTS[outcome.winner],
        "winner": outcome.winner.value if outcome.winner else None,
        "successes": outcome.successes,
        "target": outcome.target_number,
        "dice": [
            {"face": die.face, "side": side.value, "role": die.role.value}
            for side in Side
            for die in outcome.dice(side)
        ],
    }


def after(successes: int, side: Mapping[str, Any], settings: Settings = DEFAULTS) -> dict[str, Any]:
    """What may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and what falls on
    the loser, by the Power track of their `side` of the roll's terms; nothing on somebody without a sheet."""
    if "crossed" not in side:  # terms of an older roll, which is corrected: what settles it asks the sheet
        return {"dice": successes}
    if not side["boxes"]:
        return {"dice": successes, "falls": None}
    fund = Fund(will=None, boxes=side["boxes"], crossed=tuple(side["crossed"]))
    return {"dice": successes, "falls": stored(falls_on(fund, successes, decisions_of(settings)))}
