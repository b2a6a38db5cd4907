"""Whom a form of these procedures offers, and whom it names."""

from __future__ import annotations

from campaigns.errors import Invalid, NotFound
from campaigns.models import Viewer
from characters.models import Character
from rolls.procedures import ProcedureContext
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET, will_of


def known_to_players(viewer: Viewer) -> list[Character]:
    """Those of these rules who are in play and of whom players know; what is settled at the table goes on among them."""
    known = Character.objects.known_to_all(viewer.campaign).filter(system=SHEET.name, is_crew=False)
    return list(known.order_by("name"))


def own(viewer: Viewer) -> list[Character]:
    """Those for whom this viewer acts: for GMs all, players' own ones first to be chosen by their players."""
    return list(Character.objects.brought_by(viewer.by).filter(system=SHEET.name).order_by("name"))


def chosen_character(context: ProcedureContext, wanted: object, field: str) -> Character:
    """A character of these rules, in play, of whom players know. Raises Invalid at the field."""
    try:
        character = context.character(str(wanted))
    except (Invalid, NotFound):
        character = None
    if character is None or character.rules is not SHEET:
        raise Invalid("Choose a character who is in play and has a sheet of these rules.", field=field)
    return character


def fund(context: ProcedureContext, character: Character) -> int | None:
    """The Will that a character has; None without limit."""
    return will_of(character.values, context.settings.of(Settings))
