"""What is kept of a check and what its card says: everybody is told the die, what it gave and whether it was enough.

Totals and margins stay in the Roll and in what GMs alone are told: with KS, die and adjustments, either gives a US away.
"""

from __future__ import annotations

from typing import Any

from campaigns.numbers import signed
from rolls.models import Roll
from rolls.rules.dice import D10
from rulesets.arc.rules.check import AgainstThreshold, Check, Opposed, Role
from rulesets.arc.rules.turn import Reaction
from rulesets.arc.settings import Level, Settings
from rulesets.arc.table.ask import PAIRED, Kind

KIND_WORDS = {
    Kind.CHECK: "check",
    Kind.OPPOSED: "opposed check",
    Kind.COUNTER: "counters",
    Kind.REACTION: "reaction",
}
SUCCESS, FAILURE, OPEN = "success", "failure", "open"


def card(roll: Roll) -> dict[str, Any]:
    """What templates/arc/card.html draws beside what every card has."""
    kind, outcome, ask = Kind(roll.kind), roll.outcome, roll.ask
    facts = {"kind_words": KIND_WORDS[kind], "dice": outcome["dice"], "paired": kind in PAIRED}
    if kind is Kind.REACTION:
        return facts | {"som": ask["som"]}
    facts |= {"adjustment": outcome["adjustment"], "other": ask["other"]}
    if kind is Kind.CHECK:
        facts |= {"threshold": ask["threshold"], "level": outcome["level"]}
    if kind is Kind.COUNTER:
        facts |= {"against": ask["against"]}
    return facts


def card_for_gm(roll: Roll) -> dict[str, Any]:
    """What only GMs are told beside it: how the total came about, and how far it was from what it had to exceed."""
    if roll.kind == Kind.REACTION:
        return {}
    numbers = {name: roll.ask[name] for name in ("ks", "us", "other")}
    return {"numbers": numbers | {name: roll.outcome[name] for name in ("adjustment", "total", "margin")}}


def threshold_outcome(read: AgainstThreshold, settings: Settings) -> dict[str, Any]:
    """A check against a threshold as the Roll keeps it."""
    levels = dict(zip(settings.thresholds, Level, strict=True))
    level = levels.get(read.threshold)
    kept = _checked(read.check, read.success, f"threshold {read.threshold}")
    return kept | {"margin": read.margin, "level": level.value if level else ""}


def open_outcome(check: Check) -> dict[str, Any]:
    """An opposed check that nobody has countered yet."""
    kept = {"result": OPEN, "headline": "Open", "detail": "waits for the check that counters it", "margin": None}
    return _die_of(check) | kept


def counter_outcome(read: Opposed) -> dict[str, Any]:
    """The check of the countering side: it succeeds where the acting side does not."""
    kept = _checked(read.countering, not read.success, "the check that it counters " + verdict(read.success))
    return kept | {"headline": "Not countered" if read.success else "Countered", "margin": -read.margin}


def reaction_outcome(read: Reaction) -> dict[str, Any]:
    """A Reaction check as the Roll keeps it."""
    compared = "no higher than" if read.success else "higher than"
    die = {
        "face": read.face,
        "sides": D10.sides,
        "role": SUCCESS if read.success else FAILURE,
        "why": f"{compared} the SOM of {read.som}",
    }
    detail = "acts as usual" if read.success else "loses the turn"
    return {**_ended(read.success), "detail": detail, "dice": [die]}


def verdict(success: bool) -> str:
    return "succeeds" if success else "fails"


def _checked(check: Check, success: bool, detail: str) -> dict[str, Any]:
    return {**_die_of(check), **_ended(success), "detail": detail}


def _ended(success: bool) -> dict[str, Any]:
    result = SUCCESS if success else FAILURE
    return {"result": result, "headline": result.capitalize()}


def _die_of(check: Check) -> dict[str, Any]:
    moved = check.adjustment
    why = f"{signed(moved.value)}, {moved.why}"
    die = {"face": moved.face, "sides": moved.die.sides, "role": moved.role.value, "why": why}
    return {"dice": [die], "adjustment": moved.value, "bonus": moved.role is Role.BONUS, "total": check.total}
