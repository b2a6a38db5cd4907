"""What a campaign may decide about the forged rules, where forged.txt and its public rules are silent or differ."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from rolls.rules.errors import whole, yes_or_no

MOST_HELPERS: Final = 10
MOST_TRADES: Final = 4
"""A position can only get worse twice, so more trades than this would be none."""
MOST_TICKS_A_LEVEL: Final = 4
MOST_BOXES: Final = 99
MOST_TRAUMAS: Final = 8
"""There are no more conditions than these to choose from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The decisions of a campaign, with our defaults. OutOfRange or UnknownWord for what cannot be.

    `helpers`: how many may assist one roll, 0 to 10 (the text says one).
    `gambits`: whether the crew has gambits at all; they come from another game, so they are off.
    `trades_per_roll`: how often position and effect may be traded for one roll, 0 to 4 (the text names no limit; ours is once).
    `trade_into_zero`: a trade may leave no effect at all; off, that is refused.
    `trade_beyond_extreme`: a trade may add to an extreme effect, for the ticks alone; off, that is refused.
    `ticks_beyond_extreme`: what each level above extreme ticks on top, 0 to 4 (printed nowhere).
    `boxes` of stress, 1 to 99, and `last_trauma`, the one that retires, 1 to 8 (public rules).
    `filling_stress_counts`: a push or an assist that fills the track still gives what was paid for; off, it is refused.
    `armor_with_resistance`: armour may be marked against what was resisted as well: the text says "instead of", its example
    does both.
    `protect_after_resistance`: a teammate may step in even when the victim has resisted or marked armour; off, only before.
    `equal_fortune_by_die`: equal results of opposed fortune rolls go by the die that counts; off, or equal again, the GM says.
    `xp_rolls_over`: marks beyond a full xp track begin the next one; off, they are lost.
    """

    helpers: int = 1
    gambits: bool = False
    trades_per_roll: int = 1
    trade_into_zero: bool = False
    trade_beyond_extreme: bool = False
    ticks_beyond_extreme: int = 1
    boxes: int = 9
    last_trauma: int = 4
    filling_stress_counts: bool = True
    armor_with_resistance: bool = True
    protect_after_resistance: bool = False
    equal_fortune_by_die: bool = False
    xp_rolls_over: bool = True

    def __post_init__(self) -> None:
        whole("helpers", self.helpers, 0, MOST_HELPERS)
        whole("trades_per_roll", self.trades_per_roll, 0, MOST_TRADES)
        whole("ticks_beyond_extreme", self.ticks_beyond_extreme, 0, MOST_TICKS_A_LEVEL)
        whole("boxes", self.boxes, 1, MOST_BOXES)
        whole("last_trauma", self.last_trauma, 1, MOST_TRAUMAS)
        for field in fields(self):
            if field.type == "bool":
                yes_or_no(field.name, getattr(self, field.name))


DEFAULTS: Final = Settings()
