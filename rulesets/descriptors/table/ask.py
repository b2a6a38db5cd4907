"""The input of a roll of pool against pool, by a person or a procedure, and the two sides of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.models import Campaign
from characters.models import Character
from characters.services.sheet_writes import get_character
from characters.sheets.sheet import Values
from rolls import table_rules as base
from rolls.table_rules import RollContext, Terms
from rulesets.descriptors.rules.filling import Side
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.table.pools import Entry, Pool, read_pool, stored_pool

NAME: Final = "descriptors"
LONGEST_VERSUS: Final = 80


@dataclass(frozen=True, kw_only=True)
class DescriptorsInput(base.RollInput):
    """The input of a roll: `pool` and `against` are the two sides' pools, as `pools.read_pool` reads them.

    `versus` says who the other side is, in up to 80 characters: a character that the roller knows, or other words.
    """

    system: ClassVar[str] = NAME

    pool: str = ""
    against: str = ""
    versus: str = ""


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The two sides with their pools. `opens`: the roller may read the opponent's sheet, and have it pay."""

    mine: Character | None
    opponent: Character | None
    opens: bool
    versus: str
    a: Pool
    b: Pool


def known_to(campaign: Campaign, *, is_gm: bool) -> QuerySet[Character]:
    """Return the characters in play that a member may know: for players no hidden NPC."""
    return Character.objects.active().filter(campaign=campaign) if is_gm else Character.objects.known_to_all(campaign)


def sides_of(
    campaign: Campaign, mine: Character | None, ask: DescriptorsInput, settings: Settings, *, is_gm: bool
) -> Sides:
    """Read both pools. Raises Invalid at the field that is at fault."""
    versus = ask.versus.strip()
    if len(versus) > LONGEST_VERSUS:
        raise Invalid(_("Say who it is in up to {count} characters.").format(count=LONGEST_VERSUS), field="versus")
    opponent = _opponent(campaign, mine, versus, is_gm=is_gm)
    opens = opponent is not None and (is_gm or _same_player(mine, opponent))
    own, others = descriptors_of(mine), descriptors_of(opponent) if opens else None
    return Sides(
        mine=mine,
        opponent=opponent,
        opens=opens,
        versus="" if opponent else versus,
        a=read_pool("pool", ask.pool, own, others, settings),
        b=read_pool("against", ask.against, others, own, settings),
    )


def descriptors_of(character: Character | None) -> Values | None:
    """Return the sheet of a character of these rules; None for those who have none."""
    return character.values if character is not None and character.rules is SHEET else None


def _opponent(campaign: Campaign, mine: Character | None, versus: str, *, is_gm: bool) -> Character | None:
    """Return the one character of this name; None if there are several, or none."""
    if not versus:
        return None
    called_so = known_to(campaign, is_gm=is_gm).filter(name__iexact=versus).select_related("owner__user").order_by()
    others = [character for character in called_so if character != mine]
    return others[0] if len(others) == 1 else None


def _same_player(mine: Character | None, opponent: Character) -> bool:
    return mine is not None and mine.owner_id is not None and mine.owner_id == opponent.owner_id


BOUND: Final = "bound"
RECOVERY: Final = "recovery"


def bound_terms(a: Side, b: Side) -> Terms:
    """Return the terms for a contest of these two."""
    return {BOUND: {"a": _pool(a).stored, "b": _pool(b).stored, "opponent": b.character, "versus": b.name}}


def recovery_terms(side: Side, dice: int, injury: str) -> Terms:
    """Return the terms for a roll against so many dice of an Injury, of which nothing follows but that it shrinks."""
    terms: dict[str, Any] = {"a": _pool(side).stored, "b": Pool((), dice).stored, "opponent": None, "versus": injury}
    return {BOUND: terms | {RECOVERY: True}}


def bound_sides(context: RollContext) -> Sides | None:
    """Return the sides of the procedure that makes this roll; None for every other roll."""
    if context.request is None or context.request.procedure_id is None or BOUND not in context.requested:
        return None
    bound = context.requested[BOUND]
    opponent = get_character(context.work, Character(pk=UUID(bound["opponent"]))) if bound["opponent"] else None
    return Sides(
        mine=context.character,
        opponent=opponent,
        opens=True,
        versus="" if opponent else bound["versus"],
        a=stored_pool(bound["a"]),
        b=stored_pool(bound["b"]),
    )


def is_recovery(context: RollContext) -> bool:
    return bool(context.requested.get(BOUND, {}).get(RECOVERY))


def _pool(side: Side) -> Pool:
    return Pool(tuple(Entry(entry.name, entry.dice, entry.theirs) for entry in side.used), side.dice)
