"""The words of forged rules for codes, as cards, requests, forms and procedures say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.forged.rules.action import COMPLICATION_TICKS, Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import Result

HEADLINES = {
    Result.BAD: "Bad outcome",
    Result.PARTIAL: "Partial success",
    Result.FULL: "Full success",
    Result.CRITICAL: "Critical",
}
RESULT_LOOKS = {Result.BAD: "worst", Result.PARTIAL: "bad", Result.FULL: "fair", Result.CRITICAL: "good"}
"""How the part of a bar looks that says the chance of a result; RESULT_FACES are its words."""
RESULT_FACES = {Result.BAD: "1–3", Result.PARTIAL: "4/5", Result.FULL: "6", Result.CRITICAL: "critical"}
LOWEST = "two dice, the lowest counts"

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


def said_words(codes: Mapping[str, Any]) -> dict[str, str]:
    """Return the words for a position and an effect, by their codes."""
    return {
        "position": POSITION_WORDS[Position(codes["position"])],
        "effect": EFFECT_WORDS[Effect(codes["effect"])],
    }
