"""Rolls that a procedure makes: dice that are read like those of fortune, and settle something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Schema
from rolls.table_rules import Terms
from rulesets.forged.rules.downtime import Downtime, downtime
from rulesets.forged.rules.downtime_rolls import ENTANGLEMENT
from rulesets.forged.rules.downtime_state import Activity
from rulesets.forged.rules.heat import entanglement
from rulesets.forged.rules.roll import Result
from rulesets.forged.rules.score import engagement

ENGAGEMENT: Final = "engagement"
COHORT: Final = "cohort"
NAMES: Final[Mapping[str, str]] = {
    Activity.PROJECT: "Long-term project",
    Activity.RECOVER: "Recovery",
    Activity.HEAT: "Reduce heat",
    Activity.ACQUIRE: "Acquire an asset",
    Activity.VICE: "Vice",
    ENTANGLEMENT: "Entanglement",
    ENGAGEMENT: "Engagement",
    COHORT: "Quality",
}


class SettledCard(Schema):
    """What the card keeps of it beside its dice: what it was for in words of the table, the heat, the die that counts."""

    settles: Code | None = None
    thing: Name | None = None
    heat: int | None = None
    face: int | None = None


RESULTS: Final = {
    Result.BAD: "1 to 3",
    Result.PARTIAL: "4 or 5",
    Result.FULL: "6",
    Result.CRITICAL: "a critical",
}


def card(ask: Terms, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Its part of the card's payload."""
    keeps = ask["keeps"]
    given = (("friend", bool(keeps.get("friend"))), ("push", bool(keeps.get("push"))))
    extras = [{"code": code, "dice": 1} for code, has in given if has]
    if ask["settles"] in (ENGAGEMENT, COHORT):
        bonus = (("advantages", ask["advantages"]), ("disadvantages", -ask["disadvantages"]))
        extras = [{"code": code, "dice": dice} for code, dice in bonus if dice]
    face = next(die["face"] for die in outcome["dice"] if die["role"] == "kept")
    words = {"settles": ask["settles"], "trait": ask["trait"], "extras": extras, "face": face}
    if keeps.get("name"):
        words["thing"] = keeps["name"]
    return words | ({"heat": keeps["heat"]} if ask["settles"] == ENTANGLEMENT else {})


def describe(payload: Payload, result: Result) -> Payload:
    """Its words."""
    of, thing = payload["settles"], payload.get("thing") or ""
    if of == ENGAGEMENT:
        position = engagement(result)
        headline = position.value.capitalize() if position else "Past the first obstacle"
        return {"kind_words": "engagement", "headline": headline, "detail": "that is how it opens", "ticks": 0}
    if of == ENTANGLEMENT:
        entries = entanglement(min(payload["heat"], 8), result).entries
        words = " or ".join(entries)
        return {"kind_words": "entanglement", "headline": _begun(words), "detail": RESULTS[result], "ticks": 0}
    if of == COHORT:
        return {"kind_words": "group action", "headline": thing, "detail": RESULTS[result], "ticks": 0}
    terms = {"kind_words": "downtime", "detail": ", ".join(filter(None, (thing, RESULTS[result]))), "ticks": 0}
    if of == Activity.VICE:
        return terms | {"headline": f"Clears {payload['face']} stress", "detail": "or all there is, where that is less"}
    amount = downtime(Downtime(of), result, tier=payload["trait"] if of == Activity.ACQUIRE else 0)
    headlines = {
        Activity.PROJECT: f"{amount} segment{'s' if amount > 1 else ''}",
        Activity.RECOVER: f"{amount} on the healing clock",
        Activity.HEAT: f"{amount} heat less",
        Activity.ACQUIRE: f"Tier {amount}",
    }
    return terms | {"headline": headlines[Activity(of)]}


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]
