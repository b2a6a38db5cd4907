"""What is kept of a check, in codes, and what its card tells: everybody the die, what it gave and whether it was enough.

Totals and margins stay in the Roll and in what GMs alone are told: with KS, die and adjustments, either gives a US away. So does
the SOM of an NPC, which neither its sheet nor the order of an event tells players.
"""

from __future__ import annotations

from typing import Any

from campaigns.schema import Code, Name, Person, Ref, Schema, Uid
from rolls.models import Roll
from rolls.rules.dice import D10
from rolls.table_rules import CardDie
from rulesets.arc.rules.check import AgainstThreshold, Check, Opposed
from rulesets.arc.rules.turn import Reaction
from rulesets.arc.settings import Level, Settings
from rulesets.arc.table.ask import PAIRED, Kind

SUCCESS, FAILURE, OPEN = "success", "failure", "open"


class Trait(Schema):
    code: Code
    name: Name | None = None


class Side(Schema):
    """The check that a counter answers, as answer.side_of tells of it."""

    roll: Uid
    uid: Code
    who: Person
    character: Ref | None = None
    kind: Code
    traits: list[Trait]
    versus: Name | None = None


class WrittenChip(Schema):
    """What the other adjustments are made of, where somebody has said so: a `word` of theirs, or "size" as the code."""

    word: Name | None = None
    code: Code | None = None
    value: int


class Numbers(Schema):
    ks: int
    us: int
    other: int
    adjustment: int
    total: int
    margin: int | None = None


class Die(CardDie):
    sides: int


class Card(Schema):
    dice: list[Die]
    paired: bool
    som: int | None = None
    traits: list[Trait] | None = None
    es: int | None = None
    adjustment: int | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    threshold: int | None = None
    level: Code | None = None
    against: Side | None = None
    versus: Name | None = None
    acts: bool | None = None
    numbers: Numbers | None = None


class TakenBack(Schema):
    reopened: Side | None = None
    ended: Side | None = None


def card(roll: Roll) -> dict[str, Any]:
    """Return what templates/arc/card.html draws, with its words (words.describe), beside what every card has."""
    kind, outcome, ask = Kind(roll.kind), roll.outcome, roll.ask
    payload = {"dice": outcome["dice"], "paired": kind in PAIRED}
    if kind is Kind.REACTION:
        return payload if som_is_secret(roll) else payload | {"som": ask["som"]}
    payload |= {name: ask[name] for name in ("traits", "es", "other")} | {"adjustment": outcome["adjustment"]}
    # Of a check that the table settles: whether this side acts, and against whom.
    payload |= {name: ask[name] for name in ("chips", "versus", "acts") if name in ask}
    if kind is Kind.CHECK:
        payload |= {"threshold": ask["threshold"], "level": outcome["level"]}
    if kind is Kind.COUNTER:
        payload |= {"against": ask["against"]}
    return payload


def card_for_gm(roll: Roll) -> dict[str, Any]:
    """Return what only GMs are told beside it: how the total came about, and how far it was from what it had to exceed."""
    if roll.kind == Kind.REACTION:
        return {"som": roll.ask["som"]} if som_is_secret(roll) else {}
    numbers = {name: roll.ask[name] for name in ("ks", "us", "other")}
    return {"numbers": numbers | {name: roll.outcome[name] for name in ("adjustment", "total", "margin")}}


def som_is_secret(roll: Roll) -> bool:
    """Return whether players may not know the SOM of a Reaction check. Of older rolls, which do not say, an NPC's is."""
    character = roll.character
    return bool(roll.ask.get("secret", character is None or (character.is_npc and not character.opened)))


def threshold_outcome(read: AgainstThreshold, settings: Settings) -> dict[str, Any]:
    """A check against a threshold as the Roll keeps it."""
    levels = dict(zip(settings.thresholds, Level, strict=True))
    level = levels.get(read.threshold)
    kept = _die_of(read.check) | {"result": _result(read.success)}
    return kept | {"margin": read.margin, "level": level.value if level else ""}


def open_outcome(check: Check) -> dict[str, Any]:
    """An opposed check that nobody has countered yet."""
    return _die_of(check) | {"result": OPEN, "margin": None}


def counter_outcome(read: Opposed) -> dict[str, Any]:
    """The check of the countering side: it succeeds where the acting side does not."""
    return _die_of(read.countering) | {"result": _result(not read.success), "margin": -read.margin}


def acting_outcome(read: Opposed) -> dict[str, Any]:
    """The check of the acting side, where the other has rolled before."""
    return _die_of(read.acting) | {"result": _result(read.success), "margin": read.margin}


def reaction_outcome(read: Reaction) -> dict[str, Any]:
    """A Reaction check as the Roll keeps it."""
    result = _result(read.success)
    return {"result": result, "dice": [{"face": read.face, "sides": D10.sides, "role": result}]}


def _result(success: bool) -> str:
    return SUCCESS if success else FAILURE


def _die_of(check: Check) -> dict[str, Any]:
    moved = check.adjustment
    die = {"face": moved.face, "sides": moved.die.sides, "role": moved.role.value}
    return {"dice": [die], "adjustment": moved.value, "total": check.total}
