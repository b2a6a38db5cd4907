"""By what rolls are found in the log (campaigns/finding.py)."""

from __future__ import annotations

from campaigns.finding import Facts, Found, Reader, Topic
from rolls.registry import RULESETS


def _roll(facts: Facts) -> Found:
    words = f"{facts['words']} {facts['note']}"
    ruleset = RULESETS.get(facts["system"])
    return Found(Topic.ROLL, facts["system"], ruleset.results.get(facts["outcome"]) if ruleset else None, words)


def _voided(facts: Facts) -> Found:
    return Found(Topic.ROLL, words=f"{facts['words']} {facts['reason']}")


def _request(facts: Facts) -> Found:
    return Found(Topic.ROLL, words=facts["request"]["reason"])


READERS: dict[str, Reader | str] = {
    **dict.fromkeys(["rolls.roll_made", "rolls.roll_corrected", "rolls.roll_revealed"], _roll),
    "rolls.roll_voided": _voided,
    **dict.fromkeys(["rolls.roll_asked", "rolls.roll_announced"], _request),
    **dict.fromkeys(["rolls.request_changed", "rolls.request_closed"], _request),
    "rolls.settings_changed": Topic.TABLE,
    **dict.fromkeys(["rolls.epoch_committed", "rolls.epoch_revealed", "rolls.blind_revealed"], Topic.TABLE),
    **dict.fromkeys(["rolls.witness_asked", "rolls.witness_given"], Topic.TABLE),
}
