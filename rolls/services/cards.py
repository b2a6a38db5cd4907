"""What a roll's card says: the facts of `rolls.roll_made`, as rolls/_roll_card.html draws them, for ever as they were then."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from campaigns.services.log import person
from rolls.models import Audience, Roll, Scale
from rolls.rules.scale_read import Read
from rolls.rules.storyteller import Kind, Outcome, Result
from rolls.services.scale import Move, scale_facts

AUDIENCE_WORDS = {
    Audience.TABLE: "",
    Audience.SELF: "seen by the GM and the one who rolled",
    Audience.GM: "seen by the GM alone",
}
KIND_WORDS = {
    Kind.ACTION: "action",
    Kind.SOAK: "soak",
    Kind.WILLPOWER: "Willpower",
    Kind.HUMANITY: "Humanity",
    Kind.INITIATIVE: "initiative",
    Kind.DAMAGE: "damage",
    Kind.OTHER: "other",
}


def stored_outcome(outcome: Outcome, read: Read | None) -> dict[str, Any]:
    """An Outcome as the Roll keeps it; with the read of a roll that feeds a Scale, each die says what it gave (null: skipped)."""
    stored = asdict(outcome) | {"headline": headline(outcome), "detail": detail(outcome)}
    gives = [None if die.skipped else die.gives for die in read.dice] if read else [None] * len(outcome.dice)
    stored["dice"] = [
        {"face": die.face, "role": die.role.value, "scale": given, "why": die.why}
        for die, given in zip(outcome.dice, gives, strict=True)
    ]
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


def roll_facts(roll: Roll) -> dict[str, Any]:
    """The card of a roll that moved no Scale; `scale` is for the moved_facts of one that did."""
    ask, outcome = roll.ask, roll.outcome
    return {
        "roll": str(roll.pk),
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "pool": {name: ask[name] for name in ("words", "dice", "modifier", "burn_dice")},
        "difficulty": ask["difficulty"],
        "kind": roll.kind,
        "kind_words": KIND_WORDS[Kind(roll.kind)],
        "note": ask["note"],
        "dice": outcome["dice"],
        "outcome": outcome["result"],
        "headline": outcome["headline"],
        "detail": outcome["detail"],
        "willpower": ask["willpower"],
        "automatic": ask["automatic"],
        "hand_rolled": roll.hand_rolled,
        "audience": roll.audience,
        "audience_words": AUDIENCE_WORDS[Audience(roll.audience)],
        "scale": None,
    }


def moved_facts(scale: Scale, move: Move) -> dict[str, Any]:
    """A Scale as it is now, and the move that brought it there: `before` + `delta` is what it reached, `after` where it is."""
    return scale_facts(scale) | {"before": move.before, "delta": move.delta, "after": scale.value}


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
