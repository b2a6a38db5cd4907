"""What a ruleset says of its rolls to an add-on that counts their dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rolls.gifts import Gives, no_place
from rolls.rules.tally import FallenDie, Shifts, Tally
from rolls.settings import RollSettings

BOTH: Final = "both"


def _always(settings: RollSettings) -> bool:
    """Most rulesets leave that to the add-on."""
    return True


@dataclass(frozen=True, kw_only=True)
class Countable:
    """What lets an add-on count the dice of action rolls by a Tally of its own.

    `no_action` says in a few words what a kind of roll is that is none, "" for one that is; `fallen` are the dice that a card
    tells of, judged anew by what it says was asked; `shifts` is how likely each sum is for the terms of a roll, of which `usual`
    are some. `wanted` says whether a campaign has its dice counted. Terms that say BOTH are of two sides that play for the same
    table: whoever counts the dice of all who do counts both, and others take it out.
    `gives` writes what an add-on's result gives on a sheet.
    """

    no_action: Callable[[str], str]
    fallen: Callable[[Mapping[str, Any]], Sequence[FallenDie]]
    shifts: Callable[[dict[str, Any], Tally], Shifts]
    usual: dict[str, Any]
    wanted: Callable[[RollSettings], bool] = _always
    gives: Gives = no_place
