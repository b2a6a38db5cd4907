"""What the state of a character forbids at the table; a GM may allow it all the same."""

from __future__ import annotations

from rolls.table_rules import RollContext
from rulesets.arc import sheet
from rulesets.arc.figures import decimal
from rulesets.arc.rules.bars import IMMOBILE, UNCONSCIOUS
from rulesets.arc.rules.body import Size, load
from rulesets.arc.settings import Settings
from rulesets.arc.table.ask import NAME, Kind


def may_act(context: RollContext, kind: Kind) -> None:
    """Raises Barred for who is unconscious (arc.txt, V.6), and for an action of who bears more than can be borne (V.4); how one
    reacts to a shock is none."""
    character = context.character
    if character is None or character.system != NAME:
        return
    if sheet.SHEET.value(character.sheet, "unconscious"):
        message = f"{character.name} is unconscious, and takes no part in this."
        context.bar(UNCONSCIOUS, message)
    body = sheet.body(character.sheet)
    borne = load(
        body.build,
        body.kilograms,
        clothing=body.clothing,
        size=Size(body.size),
        settings=context.settings.of(Settings),
    )
    if kind is not Kind.REACTION and not borne.may_act:
        most = decimal(borne.bearable)
        message = (
            f"{character.name} bears {decimal(borne.weight)} kg, more than the {most} kg that can be borne, and cannot act. "
            "Put something down first."
        )
        context.bar(IMMOBILE, message)
