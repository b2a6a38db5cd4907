"""The card of a roll of pool against pool: what is told of it, and the words for that, drawn whenever it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Ref, Schema
from characters.models import Character
from rolls.models import Roll
from rolls.rules.states import restored, stored
from rolls.table_rules import CardDie
from rulesets.descriptors.rules.aftermath import Falls, falls_on
from rulesets.descriptors.rules.contest import Outcome, Role, Side, why
from rulesets.descriptors.rules.filling import decisions_of
from rulesets.descriptors.rules.will import Fund
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.table.ask import SOMEBODY
from rulesets.descriptors.table.pools import PoolTerms, burn_words, stored_pool

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


class FallsTold(Schema):
    """Holds what falls on the loser, by their own Power track as it is when the dice fall (rules/aftermath.py)."""

    box: int | None = None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


class After(Schema):
    """Older cards knew no track, and said what falls on one that is free: `box`, `last`, `injury_instead`."""

    dice: int
    falls: FallsTold | None = None
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


def followed(roll: Roll) -> list[dict[str, Any]]:
    """Return what followed from it (Followed), without the steps on sheets that it took; nothing for newer rolls."""
    return [
        {"what": what} | {name: value for name, value in follow.items() if name != "done"}
        for what, follow in roll.outcome.get("follows", {}).items()
    ]


def opponent_of(roll: Roll) -> Character | None:
    """Return the character on the other side, as it is now."""
    wanted = roll.ask["opponent"]
    if wanted is None:
        return None
    return Character.objects.select_related("owner__user").get(campaign=roll.campaign_id, pk=UUID(wanted))


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an Outcome as the Roll keeps it. It names nobody: whoever was hidden when the dice fell may have another name by
    now."""
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
    """Return what may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and what
    falls on the loser, by the Power track of their `side` of the roll's terms; nothing on somebody without a sheet."""
    if "crossed" not in side:  # terms of an older roll, which is corrected: what settles it asks the sheet
        return {"dice": successes}
    if not side["boxes"]:
        return {"dice": successes, "falls": None}
    fund = Fund(will=None, boxes=side["boxes"], crossed=tuple(side["crossed"]))
    return {"dice": successes, "falls": stored(falls_on(fund, successes, decisions_of(settings)))}


HIT, MADE, STUCK = "hit", "made", "stuck"

ROLE_WORDS: Final = {
    Role.IGNORED: "ignored",
    Role.TARGET: "target number",
    Role.SUCCESS: "success",
    Role.BELOW: "below",
    Role.OVER: "over",
}
LOOKS: Final = {
    Role.IGNORED: "ignored",
    Role.TARGET: "target",
    Role.SUCCESS: "success",
    Role.OVER: "success",
    Role.BELOW: "below",
}
"""How each die is drawn: what wins looks the same, by its face or by being there at all."""


def falls_of(payload: Payload) -> str:
    """Return what falls on the loser, as the contest says it that settles it."""
    after = payload["after"]
    if not after or not payload["winner"]:
        return ""
    b, actor = payload["b"]["name"] or SOMEBODY, payload.get("character") or payload.get("who") or {}
    loser = b if payload["winner"] == Side.A else actor.get("name", "")
    if "falls" in after:
        return falls_words(restored(Falls, after["falls"]) if after["falls"] else None, loser, after["dice"])
    if "box" not in after:
        return ""
    last = ", the last one, and leaves the scene" if after["last"] else ""
    instead = f", or takes a level {after['dice']} Injury instead" if after["injury_instead"] else ""
    return f"{_begins(loser)} crosses off box {after['box']}, if it is free{last}{instead}."


def falls_words(falls: Falls | None, loser: str, successes: int) -> str:
    """Return words such as "Box 4 is gone, so Bob crosses off box 5 and takes a level 5 Injury."; of who has no sheet, how large
    the hit is."""
    if falls is None:
        return f"A hit of {successes} for {loser}, who has no sheet here."
    gone = f"Box {falls.gone} is gone, so {loser}" if falls.gone else _begins(loser)
    if falls.gone and not falls.box:
        gone = f"Box {falls.gone} is gone and no higher one is free, so {loser}"
    instead = f", or takes a level {falls.instead} Injury instead" if falls.instead else ""
    return f"{gone} {taken_words(falls)}{instead}."


def taken_words(falls: Falls) -> str:
    """Return words such as "crosses off box 5 and takes a level 5 Injury", as it follows a name."""
    both = [f"crosses off box {falls.box}"] if falls.box else []
    both += [f"takes a level {falls.injury} Injury"] if falls.injury else []
    both += ["is out of the scene"] if falls.out else []
    return " and ".join([", ".join(both[:-1]), both[-1]] if len(both) > 1 else both)


def _begins(name: str) -> str:
    return name[:1].upper() + name[1:]


def detail(payload: Mapping[str, Any]) -> str:
    """Return how many successes, and what decided."""
    dice = payload["dice"]
    if payload["winner"] is None:
        return "the same dice on both sides" if dice else "no dice on either side"
    successes = "1 success" if payload["successes"] == 1 else f"{payload['successes']} successes"
    if payload["target"] is not None:
        return f"{successes}, target number {payload['target']}"
    tied = any(die["role"] == Role.IGNORED for die in dice)
    return f"{successes}: {'every pair is equal, and more dice win' if tied else 'no dice against it'}"


def cost_words(side: Mapping[str, Any]) -> str:
    """Return what a side paid, or has to pay without a sheet that could, and what it gained: "2 Will paid, 1 gained"."""
    words = [f"{side['spent']} Will {'paid' if side['pays'] else 'to pay'}"] if side["spent"] else []
    if side["gained"]:
        gained = "gained" if side["pays"] else "to gain"
        words.append(f"{side['gained']} {gained}" if words else f"{side['gained']} Will {gained}")
    return ", ".join(words)


def side_told(payload: Payload, which: Side) -> dict[str, Any]:
    side, faces = payload[which], [die["face"] for die in _ranked(payload, which)]
    pool = stored_pool(side)
    return {**side, "words": pool.words, "burn": burn_words(pool.extra), "faces": faces, "costs": cost_words(side)}


def _ranked(payload: Mapping[str, Any], side: Side) -> list[dict[str, Any]]:
    """Return the dice of a side from the highest down; of equal ones the first that fell."""
    return sorted((die for die in payload["dice"] if die["side"] == side), key=lambda die: -int(die["face"]))


def pairs(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return dice of equal rank side by side, from the highest down; None where one side has no more. The first that differ
    decide."""
    a, b = ([_drawn(die, payload) for die in _ranked(payload, side)] for side in Side)
    decides = sum(die["look"] == LOOKS[Role.IGNORED] for die in a) if payload["winner"] else None
    return [
        {"a": a[rank] if rank < len(a) else None, "b": b[rank] if rank < len(b) else None, "decides": rank == decides}
        for rank in range(max(len(a), len(b)))
    ]


def _drawn(die: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    role = Role(die["role"])
    because = why(role, die["face"], payload["target"], wins=die["side"] == payload["winner"])
    drawn = {"face": die["face"], "look": LOOKS[role], "why": f"{ROLE_WORDS[role]}: {because}"}
    return drawn | {name: die[name] for name in ("given", "given_to") if die.get("given")}


def follow_words(done: Mapping[str, Any]) -> str:
    """Return one thing that followed from a roll, in logs from before a contest settled that."""
    if done["what"] == HIT:
        parts = [f"crosses off Power box {done['box']}"] if done["box"] else []
        parts += [f"takes an Injury of {done['injury']}"] if done["injury"] else []
        parts += ["is out of the scene"] if done["out"] else []
        return f"{done['who']} {' and '.join(parts)}."
    if done["what"] == MADE:
        return f"Scene Descriptor: {done['name']} {done['dice']}D."
    return f"{done['name']} {done['dice']}D sticks to {done['to']}: {done['payer']} pays 1 Will."


def describe_follow(payload: Payload) -> dict[str, Any]:
    """Return the words for the event that tells it: of this one, and of all that followed so far."""
    said = {step["what"]: follow_words(step) for step in payload["done"]}
    return {"words": said[payload["what"]], "done": list(said.values())}
