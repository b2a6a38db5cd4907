"""By what rolls and Burns are found in the log (campaigns/finding.py)."""

from __future__ import annotations

from campaigns.finding import Facts, Found, Outcome, Reader, Topic
from campaigns.models.members import System

RESULTS = {
    "critical": Outcome.CRITICAL,
    "success": Outcome.SUCCESS,
    "full": Outcome.SUCCESS,
    "win": Outcome.SUCCESS,
    "partial": Outcome.PARTIAL,
    "failure": Outcome.FAILURE,
    "bad": Outcome.FAILURE,
    "loss": Outcome.FAILURE,
    "botch": Outcome.BOTCH,
    "stalemate": Outcome.STALEMATE,
}
"""What the systems call their results. One that is still open is found by no outcome."""


def _roll(facts: Facts) -> Found:
    words = f"{facts['words']} {facts['note']}"
    return Found(Topic.ROLL, facts["system"], RESULTS.get(facts["outcome"]), words)


def _voided(facts: Facts) -> Found:
    return Found(Topic.ROLL, words=f"{facts['words']} {facts['reason']}")


def _followed(facts: Facts) -> Found:
    return Found(Topic.ROLL, System.DESCRIPTORS, words=facts["words"])


def _order(facts: Facts) -> Found:
    return Found(Topic.ROLL, System.ARC, words=" ".join([facts["words"], *(one["name"] for one in facts["declare"])]))


def _request(facts: Facts) -> Found:
    return Found(Topic.ROLL, words=facts["request"]["reason"])


def _burn(facts: Facts) -> Found:
    """Of two Burns in one event the first counts; a Major Burn before all others."""
    burns = sorted(facts.get("burns", []), key=lambda burn: not burn["major"])
    if not burns:
        return Found(Topic.BURN, System.STORYTELLER, words=facts.get("note", ""))
    burn = burns[0]
    topic = Topic.MAJOR if burn["major"] else Topic.BURN
    outcome = Outcome(f"major_{burn['kind']}" if burn["major"] else burn["kind"])
    return Found(topic, System.STORYTELLER, outcome, burn["narration"] if burn["major"] else burn["words"])


READERS: dict[str, Reader | Topic] = {
    **dict.fromkeys(["rolls.roll_made", "rolls.roll_corrected", "rolls.roll_revealed"], _roll),
    "rolls.roll_voided": _voided,
    "rolls.roll_followed": _followed,
    "rolls.order_rolled": _order,
    **dict.fromkeys(["rolls.roll_asked", "rolls.roll_announced"], _request),
    **dict.fromkeys(["rolls.request_changed", "rolls.request_closed"], _request),
    **dict.fromkeys(["rolls.burn_offered", "rolls.burn_fired", "rolls.burn_banked", "rolls.effect_chosen"], _burn),
    **dict.fromkeys(["rolls.activation_asked", "rolls.activation_refused", "rolls.activation_used"], _burn),
    **dict.fromkeys(["rolls.major_burn", "rolls.burn_narrated", "rolls.burn_deferred", "rolls.burn_seen"], _burn),
    **dict.fromkeys(["rolls.scale_moved", "rolls.burn_undone"], Topic.BURN),
    "rolls.settings_changed": Topic.TABLE,
    **dict.fromkeys(["rolls.epoch_committed", "rolls.epoch_revealed", "rolls.blind_revealed"], Topic.TABLE),
    **dict.fromkeys(["rolls.witness_asked", "rolls.witness_given"], Topic.TABLE),
}
