"""What each setting decides, as a table reads it. A test holds that none is without its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "scale": {
        "shared": "One Scale for the whole table",
        "npcs_feed": "Action rolls of NPCs move the Scale too",
        "cancelled_ones_count": "A 1 that cancelled a success still counts on the Scale",
        "players_call_in_trouble": "Players may call in banked Trouble too",
        "staying_is_reaching": "Every roll that ends at 3 or beyond reaches a Burn",
        "major_clears_bank": "A Major Burn takes a banked Burn with it",
    },
    "storyteller": {
        "willpower_prevents_botch": "A Willpower point prevents a botch",
        "botch_cancellation": "Abilities of 5 and 6 take 1s out of a botch",
        "tens_count_twice": "A ten counts as two successes",
        "botch_names": "Names of botches, from one 1 to five",
        "automatic_success": "Players may let a large enough pool through without dice",
    },
    "descriptors": {
        "start_will": "Will at the start, and after a Refreshment Scene",
        "sides": "Sides of every die",
        "boxes": "Boxes of a new Power track",
        "fewest_dice": "Fewest dice a side may roll with",
        "once_per_roll": "A Descriptor serves one side of a roll, once",
        "gains_pay": "Will gained by a roll may pay for that same roll",
        "last_point_rolls": "The roll paid with the last Will is still made",
        "injury_instead_of_bump": "An Injury may also replace a box that was crossed already",
        "excess_may_be_injury": "More successes than boxes may be an Injury instead",
        "full_track_puts_out": "A hit that finds no free box puts its victim out of the scene",
        "recovery_pays_bearer": "An Injury that withstands recovery gives its bearer 1 Will",
        "both_refreshed": "A Refreshment Scene restores both characters in it",
        "temporary_may_stay_for_good": "The GM may make a stuck Descriptor permanent",
        "gm_confirms_xp": "XP counts once the GM has confirmed it",
        "levels_once_per_scene": "Each level of a Key counts once in a scene",
        "advances_change_temporary": "Advances may change Injuries and Scene Descriptors",
    },
    "arc": {
        "dice": "Sides of the die for ES 1 to 10",
        "thresholds": "Thresholds from very easy to extreme",
        "actions_from": "ES from which there is a first, second, third action in a turn",
        "smallest_allowance_counts": "With different ES in a turn, the fewest actions count",
        "equal_dice_roll_again": "Equal dice in the order of declaration roll again",
        "size_factor": "What one step of size multiplies movement and load by",
        "light_from": "Build from which a light burden is borne",
        "medium_from": "Build from which a medium burden is borne",
        "heavy_from": "Build from which a heavy burden is borne",
        "overload": "Load thresholds above the maximum before nothing moves",
        "burden_speed": "Share of the movement left with no, light, medium, heavy burden and overloaded",
    },
    "forged": {
        "gambits": "The crew has gambits",
        "trade_into_zero": "A trade may leave no effect",
        "trade_beyond_extreme": "A trade may add to an extreme effect",
        "ticks_beyond_extreme": "Ticks for each level of effect above extreme",
        "boxes": "Boxes of stress",
        "last_trauma": "The trauma that retires a character",
        "filling_stress_counts": "A push or assist that fills the stress track still counts",
        "xp_rolls_over": "Marks beyond a full xp track begin the next",
    },
}

HELP: Final[Mapping[str, str]] = {
    "scale.shared": "Off: each player character has its own.",
    "scale.cancelled_ones_count": "The text skips them, which lets the Scale drift upward; with this it does not.",
    "storyteller.automatic_success": "Off: only when the GM allows it.",
    "descriptors.fewest_dice": "0 lets a side stand there without dice, and lose to any die.",
}
"""What more there is to say where a table decides."""


def setting_words(name: str) -> str:
    """What "<rules>.<field>" decides. Raises KeyError."""
    group, _, field = name.partition(".")
    return WORDS[group][field]
