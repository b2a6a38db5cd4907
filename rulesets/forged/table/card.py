"""What the card of a forged roll keeps, in codes: its pool, position and effect, what follows, what it costs and whom."""

from __future__ import annotations

from typing import Any, Final

from campaigns.schema import Code, Name, Ref, Schema, Text
from rolls.models import Roll
from rolls.services.roll_writes import step_on
from rolls.table_rules import CardDie, Terms
from rulesets.forged.rules import roll as rules
from rulesets.forged.table import settled
from rulesets.forged.table.ask import Kind
from rulesets.forged.table.settled import SettledCard
from rulesets.forged.table.stress import character_of, costs, is_staged, payer_of, xp_track

ONE_DIE: Final = {"push_die": ("push", 1), "bargain": ("bargain", 1), "gambit": ("gambit", 1), "harm2": ("harm", -1)}
"""What gives or takes a die of an action, by the term that says so."""


class Cost(Schema):
    character: Ref | None = None
    stress: int
    why: Code
    marked: int | None = None
    full: bool


class Said(Schema):
    position: Code
    effect: Code


class Step(Schema):
    """What moved the effect."""

    why: Code
    change: int


class Pool(Schema):
    dice: int
    lowest: bool


class Extra(Schema):
    code: Code
    name: Name | None = None
    dice: int


class Card(SettledCard):
    """What is kept of a card; words.describe says it to people."""

    pool: Pool
    dice: list[CardDie]
    costs: list[Cost]
    ticks: int
    set_by_gm: bool
    usual: bool | None = None
    staged: bool | None = None
    attribute: Code | None = None
    rating: int | None = None
    trait: int | None = None
    extras: list[Extra] | None = None
    # Of an action, which may be one that its roller made up.
    action: Name | None = None
    said: Said | None = None
    position: Code | None = None
    effect: Code | None = None
    trade: Code | None = None
    reached: Code | None = None
    steps: list[Step] | None = None
    menu: list[Code] | None = None
    bargain: Text | None = None
    harm_left_out: bool | None = None
    xp: int | None = None
    xp_marked: int | None = None
    gambits: int | None = None
    # Of resisting.
    consequence: Name | None = None
    resisting: Code | None = None
    stress: int | None = None


OF_ACTION = ("action", "attribute", "rating", "trade", "bargain")
OF_OUTCOME = ("position", "effect", "reached", "steps", "menu", "xp", "gambits")
OF_RESISTANCE = ("attribute", "rating", "consequence", "resisting")


def card(roll: Roll) -> dict[str, Any]:
    """What templates/forged/card.html draws, with its words, beside what every card has."""
    ask, outcome, kind = roll.ask, roll.outcome, Kind(roll.kind)
    payload = {
        "pool": {"dice": ask["dice"], "lowest": rules.Pool(ask["dice"]).lowest},
        "dice": outcome["dice"],
        "costs": [_cost(roll, cost) for cost in costs(roll)],
        "ticks": outcome.get("ticks", 0),
        "set_by_gm": _set_by_gm(roll),
        **({"staged": True} if is_staged(roll.request) else {}),
    }
    if kind is Kind.ACTION:
        return payload | _action(roll, ask, outcome)
    if kind is Kind.RESISTANCE:
        return payload | {name: ask[name] for name in OF_RESISTANCE} | {"stress": outcome["stress"]}
    if ask.get("settles"):
        return payload | settled.card(ask, outcome)
    extras = _dice(("advantages", ask["advantages"]), ("disadvantages", -ask["disadvantages"]))
    return payload | {"trait": ask["trait"], "extras": extras}


def _action(roll: Roll, ask: Terms, outcome: dict[str, Any]) -> dict[str, Any]:
    helper = character_of(roll, ask["helper"])
    helped = [{"code": "help", "name": helper.name, "dice": 1}] if helper else []
    return {
        "extras": [*helped, *_dice(*(extra for term, extra in ONE_DIE.items() if ask[term]))],
        "said": {"position": ask["position"], "effect": ask["effect"]},
        **{name: ask[name] for name in OF_ACTION},
        **{name: outcome[name] for name in OF_OUTCOME},
        **_xp_marked(roll),
        **({"harm_left_out": True} if ask.get("harm_left_out") else {}),
        **({"usual": True} if ask.get("usual") and not _set_by_gm(roll) else {}),
    }


def _xp_marked(roll: Roll) -> dict[str, int]:
    """How much of the xp found room on the sheet, where the roll has marked it."""
    address = xp_track(roll)
    step = step_on(roll, str(roll.character_id), address) if address else None
    return {"xp_marked": step["after"] - step["before"]} if step else {}


def _set_by_gm(roll: Roll) -> bool:
    """Whether what the GM sets is the GM's: asked for, rolled or corrected by one. Rolls that do not say so were told as such."""
    return roll.corrects_id is not None or roll.ask.get("set_by_gm", True)


def _cost(roll: Roll, cost: dict[str, Any]) -> dict[str, Any]:
    payer = payer_of(roll, cost)
    terms = {name: cost[name] for name in ("stress", "why", "marked", "full")}
    return terms | {"character": payer.ref if payer else None}


def _dice(*extras: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"code": code, "dice": dice} for code, dice in extras if dice]
