"""What older versions told of oracles, as the next version told it (EventKind.today)."""

from __future__ import annotations

from campaigns.kinds import Payload


def oracle_since_0_1_0(payload: Payload) -> Payload:
    """0.1.0 told what an oracle is called, too."""
    return {name: value for name, value in payload.items() if name != "called"}
