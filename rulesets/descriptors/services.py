"""Operations beside rolls: Keys that come up, Injuries and stuck Descriptors, and who is out of a scene (descriptors.txt)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from campaigns.events import SCENE_CLOSED, SCENE_OPENED
from campaigns.kinds import on_event
from campaigns.models import Event, Role
from campaigns.models.play import Manner
from campaigns.services.log import UnitOfWork, service
from campaigns.services.play import speak
from characters.models import Character, Claim
from characters.reasons import Reason
from characters.services.ledger import claim_in
from characters.services.sheet_writes import get_character, get_writable, in_play, take_steps
from characters.sheets.fields import RowGone
from characters.sheets.steps import Add, Put, Step, Take
from languages.text import gettext_lazy
from rolls.services.roll_context import short_note
from rolls.settings import roll_settings
from rulesets.descriptors.rules.contest import Fund, fund_of, is_out
from rulesets.descriptors.rules.keys import Level
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import INJURIES, SHEET, STUCK

ENDED: Final = Reason("ended_in_the_story", gettext_lazy("ended in the story"))
LESS: Final = Reason("less_in_the_story", gettext_lazy("someone did something about it"))
FOR_GOOD: Final = Reason("stays_for_good", gettext_lazy("it’s permanent now"))


class Does(StrEnum):
    END = "end"
    LESS = "less"
    KEEP = "keep"


@service(Role.PLAYER)
def change_clinging(
    work: UnitOfWork, character: UUID, rows: str, row_id: str, does: Does, *, dice: int, why: str = "", key: UUID
) -> Character:
    """End an Injury or a stuck Descriptor, take a die off it, or make a stuck one permanent. `why` is told with it.

    GMs may do all of it; any player may end a stuck Descriptor after doing something about it. `dice` are those the user
    saw. Raises Conflict if the row has changed, Forbidden for a player, Invalid for what the campaign does not allow.
    """
    bearer = get_character(work, Character(pk=character))
    hidden = bearer.is_hidden and not work.by.is_gm
    if bearer.deleted_at or bearer.rules is not SHEET or hidden or not bearer.opens_for(work.by):
        raise NotFound
    in_play(bearer)
    if not work.by.is_gm and (rows, does) != (STUCK.name, Does.END):
        raise Forbidden(_("Only a GM can do that."))
    row = _row(bearer, rows, row_id)
    if row["dice"] != dice:
        words = _("“{name}” is now {dice}D. Look again.").format(name=row["name"], dice=row["dice"])
        raise Conflict(words, current=row["dice"])
    steps, reason = _steps(work, bearer, rows, row, does)
    take_steps(work, bearer, steps, why=short_note(why) or reason)
    return bearer


def _row(character: Character, rows: str, row_id: str) -> dict[str, object]:
    if rows not in (STUCK.name, INJURIES.name):
        raise NotFound
    try:
        return dict(SHEET.row(character.values, rows, row_id))
    except RowGone:
        raise Conflict(_("That’s no longer on the sheet.")) from None


def _steps(
    work: UnitOfWork, character: Character, rows: str, row: dict[str, object], does: Does
) -> tuple[tuple[Step, ...], Reason]:
    name, dice, row_id = str(row["name"]), int(str(row["dice"])), str(row["id"])
    if does is Does.KEEP:
        if rows != STUCK.name:
            raise Invalid(_("Only what’s stuck to a character can become permanent."))
        if not roll_settings(work.campaign).of(Settings).temporary_may_stay_for_good:
            raise Invalid(_("Temporary Descriptors don’t become permanent in this campaign."))
        return (Take(rows, row_id), Add("descriptors", {"name": name, "dice": dice})), FOR_GOOD
    if does is Does.LESS and dice > 1:
        return (Put(f"{rows}/{row_id}/dice", dice - 1),), LESS
    return (Take(rows, row_id),), ENDED


@service(Role.PLAYER)
def hit_key(work: UnitOfWork, character: Character, row_id: str, level: Level, *, words: str = "", key: UUID) -> Claim:
    """Claim that a level of a character's Key was hit in this scene. `words` are first said as the player, out of character.

    Raises as `make_claim` does: once for each level and scene, if the campaign has it so.
    """
    bearer = get_writable(work, character)
    if words := short_note(words):
        speak(work, Manner.PLAYER, words)
    return claim_in(work, bearer, "key", {"level": f"{row_id}/{level}"})


WITHOUT_WILL: Final = Reason("no_will_for_a_scene", gettext_lazy("no Will left: needs a Refreshment Scene"))
SCENE_OVER: Final = Reason("scene_over", gettext_lazy("the scene ended"))


@on_event(SCENE_OPENED)
def _opened(work: UnitOfWork, event: Event) -> None:
    """Keep who has no Will left out of a further scene before a Refreshment Scene."""
    for character, fund in _in_play(work):
        if is_out(fund.will) and not fund.out:
            take_steps(work, get_character(work, character), (Put("out_of_scene", to=True),), why=WITHOUT_WILL)


@on_event(SCENE_CLOSED)
def _closed(work: UnitOfWork, event: Event) -> None:
    """Let characters whom the Power track put out of the scene join the next one; crossed boxes and 0 Will stay."""
    for character, fund in _in_play(work):
        if fund.out and not is_out(fund.will):
            take_steps(work, get_character(work, character), (Put("out_of_scene", to=False),), why=SCENE_OVER)


def _in_play(work: UnitOfWork) -> Iterator[tuple[Character, Fund]]:
    if SHEET.name not in work.campaign.systems:
        return
    settings = roll_settings(work.campaign).of(Settings)
    for character in Character.objects.active().filter(campaign=work.campaign, system=SHEET.name).with_rows():
        yield character, fund_of(character.values, settings)
