from collections.abc import Callable
from typing import Any

from campaigns.clocks import Clock, ClockKind, tick
from rules.errors import word


def forged_clock(*, segments: int, filled: int = 0, ticks: int = 1, kind: str = "progress") -> dict[str, Any]:
    ticked = tick(Clock(word("kind", kind, ClockKind), segments, filled), ticks)
    return {"filled": ticked.after, "full": ticked.clock.is_full or ticked.filled, "overflow": ticked.overflow}


CALLS: dict[str, Callable[..., Any]] = {"forged_clock": forged_clock}
