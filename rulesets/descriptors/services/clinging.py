"""Injuries, and Scene Descriptors that stick: they end as the story has it, with one press (descriptors.txt, Injuries)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final
from uuid import UUID

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from campaigns.models import Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from characters.reasons import Reason
from characters.services.lookup import get_character, in_play
from characters.services.steps import take_steps
from characters.sheets.fields import RowGone
from characters.sheets.steps import Add, Put, Step, Take
from rolls.services.roll_context import short_note
from rolls.services.rule_errors import by_the_rules
from rolls.settings import roll_settings
from rulesets.descriptors.rules.scene import SceneDescriptor, make_permanent
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

STUCK, INJURIES = "stuck", "injuries"
ENDED: Final = Reason("ended_in_the_story", "the story has ended it")
LESS: Final = Reason("less_in_the_story", "somebody has done something about it")
FOR_GOOD: Final = Reason("stays_for_good", "it is there for good")


class Does(StrEnum):
    END = "end"
    LESS = "less"
    KEEP = "keep"


@service(Role.PLAYER)
def change_clinging(
    work: UnitOfWork, character: UUID, rows: str, row_id: str, does: Does, *, dice: int, why: str = "", key: UUID
) -> Character:
    """End an Injury or what sticks, take a die off, or let what sticks stay for good. `why` is told beside it.

    GMs do all of it; any player takes off what sticks to somebody, having done something about it. `dice` are those that were
    seen. Raises Conflict where the row is another by now, Forbidden for a player, Invalid for what the campaign does not allow.
    """
    bearer = get_character(work, Character(pk=character))
    hidden = bearer.is_hidden and not work.by.is_gm
    if bearer.deleted_at or bearer.rules is not SHEET or hidden or not bearer.opens_for(work.by):
        raise NotFound
    in_play(bearer)
    if not work.by.is_gm and (rows, does) != (STUCK, Does.END):
        raise Forbidden("Only a GM can do that.")
    row = _row(bearer, rows, row_id)
    if row["dice"] != dice:
        raise Conflict(f"“{row['name']}” has {row['dice']} dice by now. Look again.", current=row["dice"])
    steps, reason = _steps(work, bearer, rows, row, does)
    take_steps(work, bearer, steps, why=short_note(why) or reason)
    return bearer


def _row(character: Character, rows: str, row_id: str) -> dict[str, object]:
    if rows not in (STUCK, INJURIES):
        raise NotFound
    try:
        return dict(SHEET.row(character.values, rows, row_id))
    except RowGone:
        raise Conflict("That is not on the sheet any more.") from None


def _steps(
    work: UnitOfWork, character: Character, rows: str, row: dict[str, object], does: Does
) -> tuple[tuple[Step, ...], Reason]:
    name, dice, row_id = str(row["name"]), int(str(row["dice"])), str(row["id"])
    if does is Does.KEEP:
        if rows != STUCK:
            raise Invalid("Only what sticks to a character can stay for good.")
        with by_the_rules():
            kept = make_permanent(
                SceneDescriptor(name, dice, stuck_to=character.name), roll_settings(work.campaign).of(Settings)
            )
        return (Take(STUCK, row_id), Add("descriptors", {"name": kept.name, "dice": kept.dice})), FOR_GOOD
    if does is Does.LESS and dice > 1:
        return (Put(f"{rows}/{row_id}/dice", dice - 1),), LESS
    return (Take(rows, row_id),), ENDED
