"""What the state of a character forbids at the table; a GM may allow it all the same."""

from __future__ import annotations

from collections.abc import Iterator

from campaigns.errors import Blocked
from characters.models import Character
from rolls.rules.bars import Bar
from rolls.table_rules import RollContext
from rulesets.arc import sheet
from rulesets.arc.figures import decimal
from rulesets.arc.rules.body import IMMOBILE, UNCONSCIOUS, Size, load
from rulesets.arc.settings import Settings
from rulesets.arc.table.ask import NAME, Kind


def may_act(context: RollContext, kind: Kind) -> None:
    """Raises Barred for who is unconscious (arc.txt, V.6), and for an action of who bears more than can be borne (V.4); how one
    reacts to a shock is none."""
    if context.character is None:
        return
    for bar, message in _bars(context.character, context.settings.of(Settings), kind):
        context.bar(bar, message)


def keep_out(character: Character | None) -> None:
    """Raises Blocked for who is unconscious: nothing is announced for them. A burden forbids the roll alone."""
    if character is not None and _is_unconscious(character):
        raise Blocked(_unaware(character), field="character")


def _is_unconscious(character: Character) -> bool:
    return character.system == NAME and bool(sheet.SHEET.value(character.sheet, "unconscious"))


def _unaware(character: Character) -> str:
    return f"{character.name} is unconscious, and takes no part in this."


def _bars(character: Character, settings: Settings, kind: Kind) -> Iterator[tuple[Bar, str]]:
    if character.system != NAME:
        return
    if _is_unconscious(character):
        yield UNCONSCIOUS, _unaware(character)
    body = sheet.body(character.sheet)
    borne = load(body.build, body.kilograms, clothing=body.clothing, size=Size(body.size), settings=settings)
    if kind is not Kind.REACTION and not borne.may_act:
        most = decimal(borne.bearable)
        message = (
            f"{character.name} bears {decimal(borne.weight)} kg, more than the {most} kg that can be borne, and cannot act. "
            "Put something down first."
        )
        yield IMMOBILE, message
