"""The names of streams: who is told of an event."""

from __future__ import annotations

TABLE = "table"
GM = "gm"


def member_stream(number: int) -> str:
    """The stream that one member and the GMs see."""
    return f"member:{number}"
