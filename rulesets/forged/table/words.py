"""What forged cards, requests and forms say, in our own words. A card's are drawn from the codes that its log entry keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.kinds import Payload
from campaigns.numbers import signed
from rolls.models import Roll
from rolls.table_rules import Again, Terms
from rulesets.forged.rules.action import COMPLICATION_TICKS, Effect, Position, verdict
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.fortune import PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result, Role, RolledDie, why
from rulesets.forged.table import settled
from rulesets.forged.table.ask import Kind

HEADLINES = {
    Result.BAD: "Bad outcome",
    Result.PARTIAL: "Partial success",
    Result.FULL: "Full success",
    Result.CRITICAL: "Critical",
}

POSITION_WORDS = {
    Position.CONTROLLED: "controlled",
    Position.RISKY: "risky",
    Position.DESPERATE: "desperate",
}
EFFECT_WORDS = {
    Effect.ZERO: "zero",
    Effect.LIMITED: "limited",
    Effect.STANDARD: "standard",
    Effect.GREAT: "great",
    Effect.EXTREME: "extreme",
}
ATTRIBUTE_WORDS = {Attribute.INSIGHT: "insight", Attribute.PROWESS: "prowess", Attribute.RESOLVE: "resolve"}

BECOMES = {Resisting.REDUCES: "is reduced", Resisting.AVOIDS: "is avoided"}

MENU = {
    "minor_complication": f"minor complication ({COMPLICATION_TICKS['minor']} tick)",
    "complication": f"complication ({COMPLICATION_TICKS['standard']} ticks)",
    "serious_complication": f"serious complication ({COMPLICATION_TICKS['serious']} ticks)",
    "harm_1": "lesser harm (level 1)",
    "harm_2": "moderate harm (level 2)",
    "harm_3": "severe harm (level 3)",
    "risky_position": "now risky",
    "desperate_position": "now desperate",
}
"""Consequences that can be resisted, with what they count."""

FOLLOWS = {
    **MENU,
    "reduced_effect": "reduced effect",
    "lost_opportunity": "lost opportunity",
    "risky_opportunity": "risky opportunity",
}
"""All that a GM picks from."""

WITHDRAW = "withdraw"

STEPS = {
    "special_ability": "special ability",
    "set_up": "set-up",
    "push": "push",
    "trade": "trade",
    "level_1_harm": "level 1 harm",
    "critical": "critical",
    "reduced_effect": "reduced effect",
}
"""What changes an effect."""

EXTRAS = {
    "help": "help of {name}",
    "push": "push",
    "bargain": "Devil’s Bargain",
    "gambit": "gambit",
    "friend": "a friend",
    "harm": "harm",
    "advantages": "advantages",
    "disadvantages": "disadvantages",
}
"""What gives or takes dice."""

COSTS = {"push": "push", "help": "help", "resistance": "resistance"}
KIND_WORDS = {Kind.ACTION: "action", Kind.RESISTANCE: "resistance", Kind.FORTUNE: "fortune"}


def describe(payload: Payload) -> Payload:
    """The words for what the payload of a card says in codes (card.Card)."""
    kind, pool = Kind(payload["kind"]), Pool(payload["pool"]["dice"])
    result = Result[payload["outcome"].upper()]
    words = f"{trait_name(payload)} {payload['trait'] if kind is Kind.FORTUNE else payload['rating']}"
    dice = [{**die, "why": why(Role(die["role"]), pool)} for die in payload["dice"]]
    costs = [{**cost, "why": COSTS[cost["why"]]} for cost in payload["costs"]]
    extras = [{"words": _extra(extra), "dice": extra["dice"]} for extra in payload.get("extras") or []]
    described = {
        "words": words,
        "kind_words": KIND_WORDS[kind],
        "pool": {**payload["pool"], "words": words},
        "dice": dice,
        "costs": costs,
        "extras": extras,
    }
    own = {Kind.ACTION: _action, Kind.RESISTANCE: _resistance, Kind.FORTUNE: _fortune}[kind]
    return {**described, **own(payload, result)}


def trait_name(terms: Mapping[str, Any]) -> str:
    """Return what was rolled, by the terms of a roll or the payload of its card: "Skirmish", "Prowess", "Fortune"."""
    kind = Kind(terms["kind"])
    if kind is Kind.FORTUNE:
        return settled.NAMES.get(terms.get("settles") or "", "Fortune")
    if kind is Kind.RESISTANCE:
        return ATTRIBUTE_WORDS[Attribute(terms["attribute"])].capitalize()
    return str(terms["action"]).capitalize() or "Action"


def request_words(terms: Terms) -> str:
    """Return what a GM asks for: "Prowl, risky, standard effect"."""
    kind = Kind(terms["kind"])
    if kind is Kind.ACTION:
        name = terms.get("action", "An action")
        said = _said(terms) if "position" in terms else None
        at = f", {said['position']}, {said['effect']} effect" if said else ""
        return f"{name[:1].upper()}{name[1:]}{at}"
    if kind is Kind.RESISTANCE and "attribute" not in terms:
        return f"Resist {terms.get('consequence', 'the consequence')}"
    if kind is Kind.RESISTANCE:
        becomes = BECOMES[Resisting(terms["resisting"])]
        attribute = ATTRIBUTE_WORDS[Attribute(terms["attribute"])]
        return f"Resist with {attribute}: {terms.get('consequence', 'the consequence')} {becomes}"
    changes = [signed(dice) for dice in (terms["advantages"], -terms["disadvantages"]) if dice]
    return " ".join([f"Fortune {terms['trait']}", *changes])


def again(roll: Roll) -> Again | None:
    """What puts a roll into the form again: what is rolled, in the position that was set. What cost stress is left out; what a
    procedure has rolled is not rolled by hand."""
    terms = roll.ask
    if terms.get("settles"):
        return None
    if roll.kind == Kind.FORTUNE:
        rating, named = terms["trait"], {name: terms[name] for name in ("trait", "advantages", "disadvantages")}
    elif roll.kind == Kind.RESISTANCE:
        rating, named = terms["rating"], {name: terms[name] for name in ("attribute", "resisting")}
    else:
        on_sheet = terms["action"] and roll.character and roll.character.system == roll.system
        action = terms["action"] if on_sheet else f"{terms['action']} {terms['rating']}".strip()
        rating, named = terms["rating"], {"action": action, **{field: terms[field] for field in ("position", "effect")}}
    return Again(words=f"{trait_name(terms)} {rating}", fields={"kind": roll.kind} | named)


def drawn(dice: Iterable[RolledDie]) -> list[dict[str, Any]]:
    """Dice as a Roll and its card keep them."""
    return [{"face": die.face, "role": die.role.value} for die in dice]


def _action(payload: Payload, result: Result) -> Payload:
    position, attribute = Position(payload["position"]), payload["attribute"]
    now, said = _said(payload), _said(payload["said"])
    return {
        "position_words": now["position"],
        "effect_words": now["effect"],
        "said_words": said,
        "reached_words": EFFECT_WORDS[Effect(payload["reached"])] if payload["reached"] else "",
        "headline": HEADLINES[result],
        "detail": verdict(position, result),
        "steps": [{**step, "why": STEPS[step["why"]]} for step in payload["steps"]],
        "follows": _choices(position, result, payload["menu"]),
        "xp_in": ATTRIBUTE_WORDS[Attribute(attribute)].capitalize() if attribute else "the action’s attribute",
    }


def _said(payload: Mapping[str, Any]) -> dict[str, str]:
    """A position and an effect, by their codes."""
    position, effect = Position(payload["position"]), Effect(payload["effect"])
    return {"position": POSITION_WORDS[position], "effect": EFFECT_WORDS[effect]}


def _resistance(payload: Payload, result: Result) -> Payload:
    becomes = BECOMES[Resisting(payload["resisting"])]
    return {
        "headline": _cost_words(payload["stress"]),
        "detail": f"{payload['consequence'] or 'the consequence'} {becomes}",
    }


def _fortune(payload: Payload, result: Result) -> Payload:
    if payload.get("settles"):
        return settled.describe(payload, result)
    performance = PERFORMANCES[result]
    return {"headline": performance.quality.capitalize(), "detail": f"{performance.effect} effect"}


def _extra(extra: Mapping[str, Any]) -> str:
    return EXTRAS[extra["code"]].format(name=extra.get("name"))


def _choices(position: Position, result: Result, menu: Iterable[str]) -> dict[str, Any]:
    """Return what follows and who picks it: {"words", "menu"}, the menu empty where the choice is the player's alone."""
    consequences = [FOLLOWS[item] for item in menu if item != WITHDRAW]
    if not consequences:
        return {"words": "", "menu": []}
    if position is Position.CONTROLLED and result is Result.BAD:
        return {"words": "Press on through a risky opening, or withdraw and try another way.", "menu": []}
    if position is Position.CONTROLLED:
        return {"words": "Withdraw and try another way, or do it and the GM picks", "menu": consequences}
    if result is Result.BAD:
        return {"words": "The GM says whether anything comes of it, and picks", "menu": consequences}
    return {"words": "The GM picks one or more", "menu": consequences}


def _cost_words(stress: int) -> str:
    """Return what resisting costs, as a headline; -1 is a critical."""
    return f"{stress} stress" if stress > 0 else "No stress" if stress == 0 else "Clears 1 stress"
