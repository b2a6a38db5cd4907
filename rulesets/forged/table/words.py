"""What forged cards and forms say, in our own words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulesets.forged.rules.action import COMPLICATION_TICKS, Position
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import Result, RolledDie

HEADLINES = {
    Result.BAD: "Bad outcome",
    Result.PARTIAL: "Partial success",
    Result.FULL: "Full success",
    Result.CRITICAL: "Critical",
}

BECOMES = {Resisting.REDUCES: "is reduced", Resisting.AVOIDS: "is avoided"}

MENU = {
    "minor complication": f"minor complication ({COMPLICATION_TICKS['minor']} tick)",
    "complication": f"complication ({COMPLICATION_TICKS['standard']} ticks)",
    "serious complication": f"serious complication ({COMPLICATION_TICKS['serious']} ticks)",
    "harm 1": "lesser harm (level 1)",
    "harm 2": "moderate harm (level 2)",
    "harm 3": "severe harm (level 3)",
    "risky position": "now risky",
    "desperate position": "now desperate",
}
"""Consequences with what they count, where the rules name them shorter."""

WITHDRAW = "withdraw"


def choices(position: Position, result: Result, menu: Iterable[str]) -> dict[str, Any]:
    """What follows and who picks it: {"words", "menu"}, the menu empty where the choice is the player's alone."""
    consequences = [MENU.get(item, item) for item in menu if item != WITHDRAW]
    if not consequences:
        return {"words": "", "menu": []}
    if position is Position.CONTROLLED and result is Result.BAD:
        return {"words": "Press on through a risky opening, or withdraw and try another way.", "menu": []}
    if position is Position.CONTROLLED:
        return {"words": "Withdraw and try another way, or do it and the GM picks", "menu": consequences}
    if result is Result.BAD:
        return {"words": "The GM says whether anything comes of it, and picks", "menu": consequences}
    return {"words": "The GM picks one or more", "menu": consequences}


def cost_words(stress: int) -> str:
    """What resisting costs, as a headline; -1 is a critical."""
    return f"{stress} stress" if stress > 0 else "No stress" if stress == 0 else "Clears 1 stress"


def drawn(dice: Iterable[RolledDie]) -> list[dict[str, Any]]:
    """Dice as rolls/_dice.html draws them."""
    return [{"face": die.face, "role": die.role.value, "why": die.why} for die in dice]
