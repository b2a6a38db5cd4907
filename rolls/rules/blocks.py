"""What the state that somebody is in forbids: without Will no contest, immobile no action. A GM may allow it all the same, which
the log tells.

    NO_WILL = Block("no_will", "without Will")
    if not will and not act.override:
        raise BlockedByState(NO_WILL, f"{name} has no Will left. A Refreshment Scene comes first.")

Where a roll is planned, `RollContext.block(NO_WILL, message)` does both.
"""

from __future__ import annotations

from dataclasses import dataclass

from rolls.rules.errors import NotPossible

_words: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Block:
    """`code` is kept for good; `words` follow "The GM allows it" when an event is read. Each ruleset makes its own, once."""

    code: str
    words: str

    def __post_init__(self) -> None:
        _words[self.code] = self.words


class BlockedByState(NotPossible):
    """Refused for what somebody is in, not for what they tried; `message` says what has to happen first."""

    def __init__(self, block: Block, message: str, *, field: str = "") -> None:
        super().__init__(field, None, allowed="what a GM allows", message=message)
        self.block = block


def block_words(code: str) -> str:
    """How people read it; the code itself of one that nobody knows any more."""
    return _words.get(code, code.replace("_", " "))
