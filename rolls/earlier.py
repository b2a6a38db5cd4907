"""What older versions told of rolls, as the next version told it (EventKind.today)."""

from __future__ import annotations

from campaigns.kinds import Payload


def voided_since_0_1_0(payload: Payload) -> Payload:
    """0.1.0 gave a word of its own for the reason of a roll that another one corrected."""
    if "corrected" in payload:
        return payload
    corrected = payload["reason"] == "corrected"
    return {**payload, "corrected": corrected, "reason": "" if corrected else payload["reason"]}
