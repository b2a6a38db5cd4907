"""What the card of a Storyteller roll says: its words, and its dice with what each did."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rolls.models import Roll
from rulesets.storyteller.rules.roll import Kind, Outcome, Result

KIND_WORDS = {
    Kind.ACTION: "action",
    Kind.SOAK: "soak",
    Kind.WILLPOWER: "Willpower",
    Kind.HUMANITY: "Humanity",
    Kind.VIRTUE: "virtue",
    Kind.INITIATIVE: "initiative",
    Kind.DAMAGE: "damage",
    Kind.OTHER: "other",
}


def card(roll: Roll) -> dict[str, Any]:
    """What templates/storyteller/card.html draws beside what every card has."""
    ask = roll.ask
    return {
        "pool": {name: ask[name] for name in ("words", "dice", "modifier", "burn_dice")},
        "difficulty": ask["difficulty"],
        "kind_words": KIND_WORDS[Kind(roll.kind)],
        "dice": roll.outcome["dice"],
        "willpower": ask["willpower"],
        "automatic": ask["automatic"],
    }


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """An Outcome as the Roll keeps it."""
    stored = asdict(outcome) | {"headline": headline(outcome), "detail": detail(outcome)}
    stored["dice"] = [{"face": die.face, "role": die.role.value, "why": die.why} for die in outcome.dice]
    return stored


def headline(outcome: Outcome) -> str:
    """The word on the card: the degree, "Failure" or "Botch"."""
    return outcome.degree.capitalize() or outcome.result.value.capitalize()


def detail(outcome: Outcome) -> str:
    """What stands under it: how many successes, or why there are none."""
    if outcome.result is Result.BOTCH:
        ones = "a 1" if outcome.severity == 1 else f"{outcome.severity} of them 1s"
        return f"{outcome.severity_name}: no success, {ones}"
    if outcome.result is Result.SUCCESS:
        return _count(outcome.total, "success", "successes") + _by_willpower(outcome)
    if outcome.cancelled:
        struck = {1: "cancelled", 2: "both cancelled"}.get(outcome.cancelled, "all cancelled")
        return f"{_count(outcome.successes, 'success', 'successes')}, {struck}"
    return "no botch thanks to the Ability" if any(die.role == "spared" for die in outcome.dice) else "no success"


def _by_willpower(outcome: Outcome) -> str:
    if not (outcome.dice and outcome.automatic):
        return ""
    return ", one of them by Willpower" if outcome.net else ", by Willpower"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
