"""Who pays stress for a forged roll, and how it comes back with one that is taken back (forged.txt, Push Yourself, Assist)."""

from __future__ import annotations

from typing import Any

from campaigns.errors import Invalid
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import ROLL_TAKEN_BACK, Reason
from characters.services import change
from rolls.models import Roll, RollRequest
from rolls.settings import roll_settings
from rulesets.forged import sheet
from rulesets.forged.rules import body as rules
from rulesets.forged.rules.action import ASSIST_COST
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import Kind, refused_at
from rulesets.forged.table.sheet import has_sheet

REASONS = {why: Reason(f"stress_{why}", why) for why in ("push", "help", "resistance")}


def is_staged(request: RollRequest | None) -> bool:
    """Whether a procedure makes the roll: whoever pays for it has said so there."""
    return request is not None and request.procedure_id is not None


def check_room(character: Character | None, cost: int, field: str, settings: Settings) -> None:
    """Whether `cost` may be marked before the roll. Raises Invalid at `field`; without a sheet there is nothing to check."""
    if not cost or character is None or not has_sheet(character):
        return
    marked = character.number("stress")
    if marked >= settings.boxes:
        message = f"The stress of {character.name} is full. Mark a trauma and clear the stress first."
        raise Invalid(message, field=field)
    traumas = min(len(sheet.traumas(character.values)), settings.last_trauma - 1)
    with refused_at(cost=field):
        rules.pay(marked, traumas, cost, settings)


def pay(work: UnitOfWork, roll: Roll) -> None:
    """Mark what the roll costs on the sheets that its maker writes in, and keep with the roll who pays what.

    A helper of somebody else pays too, but marks it themselves: the card says so.
    """
    roll.ask = roll.ask | {"costs": [_charge(work, roll, *cost) for cost in _costs(roll)]}


def repay(work: UnitOfWork, roll: Roll) -> None:
    """Give back what was marked, as far as it is still there."""
    for cost in roll.ask.get("costs", []):
        character = payer_of(roll, cost)
        if cost["marked"] and character is not None:
            _mark(work, character, -cost["marked"], ROLL_TAKEN_BACK)


def payer_of(roll: Roll, cost: dict[str, Any]) -> Character | None:
    """Who pays one of the costs of a roll, as they are now; None for a roll of nobody's."""
    return character_of(roll, cost["payer"])


def character_of(roll: Roll, wanted: str | None) -> Character | None:
    """A character that the terms of a roll name by id, as it is now."""
    return Character.objects.filter(campaign=roll.campaign, pk=wanted).with_related().first() if wanted else None


def _costs(roll: Roll) -> list[tuple[str | None, int, str]]:
    """Who pays how much for what; nothing where it costs nothing."""
    own = str(roll.character_id) if roll.character_id else None
    if roll.kind == Kind.RESISTANCE:
        costs = [(own, roll.outcome["stress"], "resistance")]
    elif roll.kind == Kind.ACTION:
        helper = roll.ask["helper"]
        costs = [(own, roll.ask["stress"], "push"), (helper, ASSIST_COST if helper else 0, "help")]
    else:
        costs = []
    return [cost for cost in costs if cost[1]]


def _charge(work: UnitOfWork, roll: Roll, payer: str | None, stress: int, why: str) -> dict[str, Any]:
    """One cost as the Roll keeps it: `marked` is what the track moved by, None where nobody has marked it; `full` asks for a
    trauma."""
    cost = {"payer": payer, "stress": stress, "why": why, "marked": None, "full": False}
    character = payer_of(roll, cost)
    writes = character is not None and (is_staged(roll.request) or character.written_by(work.by))
    if character is None or not writes or not has_sheet(character):
        return cost
    moved = _mark(work, character, stress, REASONS[why])
    full = moved > 0 and character.number("stress") >= roll_settings(roll.campaign).of(Settings).boxes
    return cost | {"marked": moved, "full": full}


def _mark(work: UnitOfWork, character: Character, stress: int, why: Reason) -> int:
    """Move the track, never below 0 or above its boxes; gives what it moved by."""
    before = character.number("stress")
    boxes = roll_settings(character.campaign).of(Settings).boxes
    after = max(0, min(max(before, boxes), before + stress))
    change(work, character, "stress", after, why=why)
    return after - before
