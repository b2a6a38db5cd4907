"""Willpower at the table: a point is spent on a roll, and comes back when the roll is taken back. Both run under the lock."""

from __future__ import annotations

from campaigns.errors import Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import Reason
from characters.services import give_back, spend
from characters.services.lookup import found as found_now


def spend_willpower(work: UnitOfWork, character: Character, *, why: str | Reason = "") -> int:
    """Take one point of current Willpower; gives what is left. Raises Invalid where there is none."""
    if found_now(work, character).number("willpower_now") < 1:
        raise Invalid(f"{character.name} has no Willpower left to spend.", field="willpower")
    return spend(work, character, "willpower_now", 1, why=why)


def return_willpower(work: UnitOfWork, character: Character, *, why: str | Reason = "") -> int:
    """Give a spent point back, as far as the permanent rating has room for it; gives what is there then."""
    return give_back(work, character, "willpower_now", 1, why=why)
