"""Who rolls what in an extended or opposed action: read from a form, kept in codes, and put into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.errors import Invalid, NotFound
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.sheet import Values as Sheet
from rolls.procedures import ProcedureContext
from rolls.services.roll_context import by_the_rules
from rules.errors import RuleError
from rules.procedures import Values, named
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.contested import Side
from rulesets.storyteller.rules.roll import Kind, wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import StorytellerInput, asked_words, kind_of, no_traits, quick_pool


def pool_of(given: Values, prefix: str = "") -> dict[str, Any]:
    """Return a Side's fields for a `pool` as typed into the roll form. Raises Invalid."""
    pool, difficulty = given[f"{prefix}pool"].strip(), given[f"{prefix}difficulty"]
    if pool.isdecimal():
        return {"dice": int(pool[:9]), "traits": (), "difficulty": difficulty, "kind": "action"}
    traits = tuple(pool.split("+")) if pool else ()
    with by_the_rules(f"{prefix}pool"):
        named = tuple(trait.name for trait in sheet.pool({}, traits).traits) if traits else ()
    kind = kind_of(StorytellerInput(traits=named, difficulty=difficulty), {})
    return {"dice": None, "traits": named, "difficulty": difficulty, "kind": kind.value}


def side(context: ProcedureContext, given: Values, prefix: str = "") -> Side:
    """Return the side that a form names: a character, for a player one of their own, or a name that a GM rolls dice for. Raises
    Invalid, NotFound."""
    who = given[f"{prefix}character"]
    if who and not context.actor.plays(str(context.character(str(who)).pk)):
        raise NotFound
    if not (who or context.actor.is_gm):
        raise Invalid(_("Choose one of your characters."), field=f"{prefix}character")
    return anybody(context, given, prefix)


def anybody(context: ProcedureContext, given: Values, prefix: str = "") -> Side:
    """Return the other side: a character that everyone knows, whoever plays them, or a name."""
    who = given[f"{prefix}character"]
    if who:
        character = context.character(str(who))
        pool = pool_of({**given, f"{prefix}pool": given[f"{prefix}pool"] or str(quick_pool(character) or "")}, prefix)
        if pool["traits"] and character.system != SYSTEM:
            raise Invalid(no_traits(character), field=f"{prefix}pool")
        return _made(prefix, name=character.name, character=str(character.pk), **pool)
    return _made(prefix, name=named(given.get(f"{prefix}name", "")), **pool_of(given, prefix))


def _made(prefix: str, **said: Any) -> Side:
    """Return a side. Raises Invalid at the field of its form."""
    try:
        return Side(**said)
    except RuleError as error:
        field = "pool" if error.field == "dice" else error.field
        raise Invalid(error.message, field=f"{prefix}{field}") from error


def roll_words(roller: Side) -> str:
    """Return words such as "Dexterity + Crafts, difficulty 7"."""
    return asked_words(roller.terms)


def characters_for(viewer: Viewer) -> list[Character]:
    """Return the characters of these rules this viewer may choose: for GMs all in play that players know, for players
    their own."""
    return list(Character.objects.brought_by(viewer.by).filter(system=SYSTEM).order_by("name"))


def known_to_players(viewer: Viewer) -> list[Character]:
    """Return the characters of these rules in play that players know, against whom anyone may act."""
    known = Character.objects.known_to_all(viewer.campaign).filter(is_crew=False, system=SYSTEM)
    return list(known.order_by("name"))


def is_open(character: Character | None) -> bool:
    """Return whether everyone may know a character's dice before they fall: an NPC's only if its sheet is open."""
    return character is None or character.opened or not character.is_npc


def dice_of(
    roller: Side, values: Mapping[str, Sheet], settings: Settings, extra: Mapping[str, int], before: int = 0
) -> int:
    """Return the number of dice that a side would roll now, by the sheets of those present (`values`, by their ids) and
    the `extra` dice of a Burn; `before` if its sheet is missing, 0 if the roller chooses.
    """
    who = roller.character or ""
    more = extra.get(who, 0) if roller.kind == Kind.ACTION else 0
    if roller.dice is not None:
        return max(1, roller.dice + more)
    if who not in values:
        return before
    if not roller.traits:
        return 0
    wounds = wound_penalty(sheet.wounded(values[who]), settings.wound_penalties) if roller.kind == Kind.ACTION else 0
    dots = sheet.pool(values[who], roller.traits).dice
    return max(1, dots + more - wounds) if dots else 0
