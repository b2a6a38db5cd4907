"""Who rolls what in an extended or opposed action: read from a form, kept in codes, and put into words."""

from __future__ import annotations

from typing import Any, Final

from campaigns.errors import Invalid, NotFound
from campaigns.models import Viewer
from campaigns.schema import CODE, NAME, UID, Fields, ListOf, Maybe
from characters.models import Character
from rolls.procedures import ProcedureContext
from rolls.rules.errors import RuleError
from rolls.rules.procedures import Values
from rolls.services.rule_errors import by_the_rules
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.contested import Side
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import RollInput, kind_of
from rulesets.storyteller.table.words import request_words

SIDE: Final[Fields] = {
    "name": NAME,
    "character": Maybe(UID),
    "traits": ListOf(CODE),
    "dice": Maybe(int),
    "difficulty": int,
    "kind": CODE,
}
ROLLED: Final[Fields] = {"successes": int, "botch": bool}


def pool_of(given: Values, prefix: str = "") -> dict[str, Any]:
    """The fields of a Side that say what is rolled, of a `pool` as it is typed into the roll form. Raises Invalid."""
    pool, difficulty = given[f"{prefix}pool"].strip(), given[f"{prefix}difficulty"]
    if pool.isdecimal():
        return {"dice": int(pool[:9]), "traits": (), "difficulty": difficulty, "kind": "action"}
    traits = tuple(pool.split("+")) if pool else ()
    with by_the_rules(f"{prefix}pool"):
        named = tuple(one.name for one in sheet.pool({}, traits).traits) if traits else ()
    kind = kind_of(RollInput(traits=named, difficulty=difficulty), {})
    return {"dice": None, "traits": named, "difficulty": difficulty, "kind": kind.value}


def side(context: ProcedureContext, given: Values, prefix: str = "") -> Side:
    """Whom a form names: a character, for a player one of their own, or a name for whom a GM rolls dice. Raises Invalid,
    NotFound."""
    who, name = given[f"{prefix}character"], given.get(f"{prefix}name", "").strip()
    if who:
        character = context.character(str(who))
        if not context.actor.plays(str(character.pk)):
            raise NotFound
        pool = pool_of(given, prefix)
        if pool["traits"] and character.system != SYSTEM:
            raise Invalid(f"{character.name} has no Storyteller traits. Type a number of dice.", field=f"{prefix}pool")
        return _made(prefix, name=character.name, character=str(character.pk), **pool)
    if not context.actor.is_gm:
        raise Invalid("Say for whom: choose one of your characters.", field=f"{prefix}character")
    return _made(prefix, name=name or "Somebody", **pool_of(given, prefix))


def _made(prefix: str, **said: Any) -> Side:
    """A side, or what is wrong with it, at the field of its form."""
    try:
        return Side(**said)
    except RuleError as error:
        field = "pool" if error.field == "dice" else error.field
        raise Invalid(error.message, field=f"{prefix}{field}") from error


def roll_words(one: Side) -> str:
    """ "Dexterity + Crafts, difficulty 7"."""
    return request_words(one.terms)


def characters_for(viewer: Viewer) -> list[Character]:
    """Whom a viewer may choose: for GMs all that players know of and who are in play, for players their own."""
    if viewer.is_gm:
        known = Character.objects.active().filter(campaign=viewer.campaign, is_crew=False)
        return list(known.exclude(owner=None, shown=False).order_by("name"))
    return list(Character.objects.controlled_by(viewer.by).order_by("name"))
