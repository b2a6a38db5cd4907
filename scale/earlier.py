"""Upgrades of older versions' payloads about oracles (EventKind.today)."""

from __future__ import annotations

from campaigns.kinds import Payload


def oracle_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which also stored an oracle's name."""
    return {name: value for name, value in payload.items() if name != "called"}
