"""What the card of a forged roll says: how the pool came to be, position and effect, what follows, what it costs and whom."""

from __future__ import annotations

from typing import Any

from rolls.models import Roll
from rolls.table_rules import Terms
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import Pool, Result
from rulesets.forged.table.ask import Kind
from rulesets.forged.table.stress import character_of, payer_of
from rulesets.forged.table.words import choices

ONE_DIE = {
    "push_die": ("push", 1),
    "bargain": ("Devil’s Bargain", 1),
    "gambit": ("gambit", 1),
    "harm2": ("harm", -1),
}
"""What gives or takes a die of an action, by the term that says so."""

KIND_WORDS = {Kind.ACTION: "action", Kind.RESISTANCE: "resistance", Kind.FORTUNE: "fortune"}


def card(roll: Roll) -> dict[str, Any]:
    """What templates/forged/card.html draws beside what every card has."""
    ask, outcome, kind = roll.ask, roll.outcome, Kind(roll.kind)
    facts = {
        "pool": {"words": ask["words"], "dice": ask["dice"], "lowest": Pool(ask["dice"]).lowest},
        "kind_words": KIND_WORDS[kind],
        "dice": outcome["dice"],
        "costs": [_cost(roll, cost) for cost in ask.get("costs", [])],
        "ticks": outcome.get("ticks", 0),
        "set_by_gm": _set_by_gm(roll),
    }
    if kind is Kind.ACTION:
        return facts | _action(roll, ask, outcome)
    if kind is Kind.RESISTANCE:
        return facts | {name: ask[name] for name in ("consequence", "resisting", "attribute")}
    return facts | {"extras": _dice(("advantages", ask["advantages"]), ("disadvantages", -ask["disadvantages"]))}


def _action(roll: Roll, ask: Terms, outcome: dict[str, Any]) -> dict[str, Any]:
    helper = character_of(roll, ask["helper"])
    result = Result[outcome["result"].upper()]
    return {
        "extras": [
            *_dice((f"help of {helper.name}" if helper else "", int(helper is not None))),
            *_dice(*((words, dice) for term, (words, dice) in ONE_DIE.items() if ask[term])),
        ],
        "said": {"position": ask["position"], "effect": ask["effect"]},
        "trade": ask["trade"],
        "follows": choices(Position(outcome["position"]), result, outcome["menu"]),
        "bargain": ask["bargain"],
        "xp_in": ask["attribute"].capitalize() or "the action’s attribute",
    } | {name: outcome[name] for name in ("position", "effect", "reached", "steps", "xp", "gambits")}


def _set_by_gm(roll: Roll) -> bool:
    """Whether what the GM sets is the GM's: asked for, rolled or corrected by one. Rolls that do not say so were told as such."""
    return roll.corrects_id is not None or roll.ask.get("set_by_gm", True)


def _cost(roll: Roll, cost: dict[str, Any]) -> dict[str, Any]:
    payer = payer_of(roll, cost)
    told = {name: cost[name] for name in ("stress", "why", "marked", "full")}
    return told | {"character": payer.ref if payer else None}


def _dice(*extras: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"words": words, "dice": dice} for words, dice in extras if dice]
