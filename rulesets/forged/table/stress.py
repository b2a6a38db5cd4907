"""What a forged roll writes on sheets: stress of who pays for it, and xp (forged.txt, Push Yourself, Assist, Resistance Roll)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.errors import Invalid
from characters.models import Character
from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.models import Roll, RollRequest
from rolls.rules.effects import Write
from rolls.services.roll_writes import step_on
from rolls.table_rules import RollContext, Terms
from rulesets.forged import sheet
from rulesets.forged.rules import body as rules
from rulesets.forged.rules.action import ASSIST_COST
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import Kind, refused_at
from rulesets.forged.table.sheet import has_sheet

REASONS = {why: Reason(f"stress_{why}", why) for why in ("push", "help", "resistance")}
DESPERATE = Reason("forged_desperate", "a desperate action")


def is_staged(request: RollRequest | None) -> bool:
    """Return whether a procedure makes the roll: whoever pays for it has said so there."""
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


def marks(context: RollContext, helper: Character | None) -> Terms:
    """Whose sheets the roll writes on, and how many boxes there are. Whoever rolls for a character may write on its sheet.

    A helper of somebody else pays too, but marks it themselves, unless a procedure has asked them: the card says so.
    """
    helps = helper is not None and (is_staged(context.request) or helper.written_by(context.work.by))
    characters = [
        character
        for character in (context.character, helper if helps else None)
        if character is not None and has_sheet(character)
    ]
    return {"marks": [str(character.pk) for character in characters], "boxes": context.settings.of(Settings).boxes}


def writes(roll: Roll) -> list[Write]:
    """The stress that it costs or clears, and the xp of a desperate action, unless a procedure marks that."""
    return [*_paid(roll), *_earned(roll)]


def _paid(roll: Roll) -> Iterator[Write]:
    if "costs" in roll.ask:  # of an earlier version, which kept here what it marked
        for cost in roll.ask["costs"]:
            if cost["marked"]:
                yield _write(cost["payer"], Shift("stress", cost["marked"]), REASONS[cost["why"]])
        return
    for payer, stress, why in _costs(roll):
        if payer is not None and payer in roll.ask.get("marks", ()):
            yield _write(payer, Shift("stress", stress, most=roll.ask["boxes"]), REASONS[why])


def _earned(roll: Roll) -> Iterator[Write]:
    own = str(roll.character_id)
    if address := xp_track(roll):
        yield _write(own, Shift(address, roll.outcome["xp"]), DESPERATE)


def xp_track(roll: Roll) -> str:
    """The address of the track on which a roll marks xp; "" where it marks none."""
    earns = roll.kind == Kind.ACTION and roll.outcome["xp"] and roll.ask["attribute"] and not is_staged(roll.request)
    if not earns or str(roll.character_id) not in roll.ask.get("marks", ()):
        return ""
    return sheet.xp_of(roll.ask["attribute"])


def _write(character: str, step: Shift, why: Reason) -> Write:
    return Write(character=character, steps=(step,), why=why)


def costs(roll: Roll) -> list[dict[str, Any]]:
    """What it costs whom: `marked` is what the track moved by, None where nobody has marked it; `full` asks for a trauma."""
    return roll.ask["costs"] if "costs" in roll.ask else [_charged(roll, *cost) for cost in _costs(roll)]


def _charged(roll: Roll, payer: str | None, stress: int, why: str) -> dict[str, Any]:
    cost = {"payer": payer, "stress": stress, "why": why, "marked": None, "full": False}
    step = step_on(roll, payer, "stress") if payer else None
    if step is None:
        return cost
    moved = step["after"] - step["before"]
    return cost | {"marked": moved, "full": moved > 0 and step["after"] >= roll.ask["boxes"]}


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
