"""What the card of a roll of pool against pool tells: both pools, their dice, what they cost, and what the winner may do."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from campaigns.schema import CODE, NAME, Fields, ListOf, Maybe
from characters.models import Character
from rolls.events import REF
from rolls.models import Roll
from rulesets.descriptors.rules.contest import Outcome, Side
from rulesets.descriptors.rules.power import Track, hit, may_take_injury
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.table.pools import POOL

RESULTS = {Side.A: "win", Side.B: "loss", None: "stalemate"}

SIDE: Final[Fields] = POOL | {"spent": int, "gained": int, "pays": bool, "out": bool}
DIE: Final[Fields] = {"face": int, "side": CODE, "role": CODE}
FOLLOWED: Final[Fields] = {
    "what": CODE,
    "who": Maybe(NAME),
    "box": Maybe(int),
    "injury": Maybe(int),
    "out": Maybe(bool),
    "name": Maybe(NAME),
    "dice": Maybe(int),
    "to": Maybe(NAME),
    "payer": Maybe(NAME),
}
"""One thing that followed from a roll, in logs from before contests settled that: a hit (`who`, `box`, `injury`, `out`), a Scene
Descriptor that was made (`name`, `dice`), or that sticks (also `to` and `payer`)."""

SCHEMA: Final[Fields] = {
    "a": SIDE,
    "b": SIDE | {"character": Maybe(REF), "name": NAME},
    "winner": Maybe(CODE),
    "successes": int,
    "target": Maybe(int),
    "dice": ListOf(DIE),
    "after": Maybe({"dice": int, "box": int, "last": bool, "injury_instead": bool}),
    "done": ListOf(FOLLOWED),
    "bound": Maybe(bool),
}
"""`bound`: a contest or a recovery made it, once all were ready, so that it is nobody's who happened to press last."""


def card(roll: Roll) -> dict[str, Any]:
    """What templates/descriptors/card.html draws beside what every card has, once words.describe has put it into words."""
    ask, outcome = roll.ask, roll.outcome
    a, b = ({name: ask[side][name] for name in SIDE} for side in Side)
    opponent = opponent_of(roll)
    versus = {"character": opponent.ref if opponent else None, "name": opponent.name if opponent else ask["versus"]}
    return {
        "a": a,
        "b": b | versus,
        **{name: outcome[name] for name in ("winner", "successes", "target", "dice", "after")},
        "done": followed(roll),
        **({"bound": True} if ask.get("bound") else {}),
    }


def followed(roll: Roll) -> list[dict[str, Any]]:
    """What followed from it (FOLLOWED), without the steps on sheets that it took; nothing for newer rolls."""
    return [
        {"what": what} | {name: value for name, value in one.items() if name != "done"}
        for what, one in roll.outcome.get("follows", {}).items()
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


def after(successes: int, boxes: int, settings: Settings = DEFAULTS) -> dict[str, Any]:
    """What may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and what the loser
    takes whose Power track of so many boxes is free: the box, whether it is the last, whether an Injury may take its place."""
    track = Track(boxes)
    taken = hit(track, successes, settings=settings)
    instead = may_take_injury(track, successes, settings)
    return {"dice": successes, "box": taken.box, "last": taken.out, "injury_instead": instead}
