"""By what the Scale and its Burns are found in the log (campaigns/finding.py)."""

from __future__ import annotations

from campaigns.finding import Facts, Found, Reader, Topic

BURN, MAJOR = "burn", "major"
TOPICS = {BURN: "Burns", MAJOR: "Major Burns"}
OUTCOMES = {
    "grace": "Grace Burn",
    "trouble": "Trouble Burn",
    "major_grace": "Major Grace",
    "major_trouble": "Major Trouble",
}
SYSTEM = "storyteller"


def _burn(facts: Facts) -> Found:
    """Of two Burns in one event the first counts; a Major Burn before all others."""
    burns = sorted(facts.get("burns", []), key=lambda burn: not burn["major"])
    if not burns:
        return Found(BURN, SYSTEM, words=facts.get("note", ""))
    burn = burns[0]
    outcome = f"major_{burn['kind']}" if burn["major"] else burn["kind"]
    return Found(
        MAJOR if burn["major"] else BURN, SYSTEM, outcome, burn["narration"] if burn["major"] else burn["words"]
    )


READERS: dict[str, Reader | str] = {
    **dict.fromkeys(["scale.burn_offered", "scale.burn_fired", "scale.burn_banked", "scale.effect_chosen"], _burn),
    **dict.fromkeys(["scale.activation_asked", "scale.activation_refused", "scale.activation_used"], _burn),
    **dict.fromkeys(["scale.major_burn", "scale.burn_narrated", "scale.burn_deferred", "scale.burn_seen"], _burn),
    **dict.fromkeys(["scale.moved", "scale.burn_undone"], BURN),
    "scale.oracle_changed": Topic.TABLE,
}
