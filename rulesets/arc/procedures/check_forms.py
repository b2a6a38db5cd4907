"""The forms of a check that the table settles, and the values they read from sheets."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.procedures import NO_CHARACTER, ProcedureContext, ProcedureForm
from rolls.queries.procedures import open_to
from rolls.settings import roll_settings
from rules.procedures import OPEN, Values, named
from rulesets.arc import sheet
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import (
    ADVANTAGES,
    CHIP,
    DISADVANTAGES,
    HUGE,
    KEYS,
    LARGEST_SPECIAL,
    LONGEST_NAME,
    LONGEST_WORD,
    OPPOSE,
    SET,
    Chip,
    Side,
    mood,
)
from rulesets.arc.settings import LEVEL_LABELS, THRESHOLDS, Level, Settings
from rulesets.arc.table.ask import NAME as SYSTEM
from rulesets.arc.table.ask import ChipsField, at_field, keep_from_acting

VALUES: Final = [
    ("1", gettext_lazy("+1, advantage")),
    ("-1", gettext_lazy("−1, disadvantage")),
    ("2", gettext_lazy("+2, huge advantage")),
    ("-2", gettext_lazy("−2, huge disadvantage")),
]
LEVELS: Final = [(level.value, label) for level, label in LEVEL_LABELS.items()]
STATS: Final = list(sheet.STAT_WORDS.items())


def _level() -> forms.ChoiceField:
    return forms.ChoiceField(choices=LEVELS, required=False)


def _threshold() -> WholeNumber:
    low, high = THRESHOLDS
    words = format_lazy(gettext_lazy("A threshold goes from {low} to {high}."), low=low, high=high)
    return WholeNumber(None, low, high, words=words)


def _levels_of(viewer: Viewer) -> list[tuple[str, str]]:
    """Return the levels with their thresholds in this campaign: "Average 9"."""
    thresholds = roll_settings(viewer.campaign).of(Settings).thresholds
    return [
        (level.value, f"{label} {number}")
        for (level, label), number in zip(LEVEL_LABELS.items(), thresholds, strict=True)
    ]


def _characters(viewer: Viewer, *, own: bool) -> list[tuple[str, str]]:
    """Return for GMs all characters of these rules in play that players know of; for players their own, or those they may
    bring."""
    theirs = Character.objects.controlled_by if own else Character.objects.brought_by
    return [
        (str(character.pk), character.name) for character in theirs(viewer.by).filter(system=SYSTEM).order_by("name")
    ]


def _in_turns(viewer: Viewer) -> bool:
    """Return whether an event in turns is open, in which most opposed checks are part of a fight."""
    return any((procedure.system, procedure.kind) == (SYSTEM, "tracker") for procedure in open_to(viewer))


class OpenCheckForm(ProcedureForm):
    """Ask who acts, with what, and what speaks for it or against it. A GM says how hard it is as well, or who counters it."""

    character = forms.UUIDField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)
    stat = LineField(max_length=120, required=False)
    skill = LineField(max_length=120, required=False)
    other = ChipsField()
    level = _level()
    threshold = _threshold()
    against = forms.UUIDField(required=False)
    against_name = LineField(max_length=LONGEST_NAME, required=False)
    against_stat = LineField(max_length=120, required=False)
    against_skill = LineField(max_length=120, required=False)
    fight = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        characters = _characters(viewer, own=not viewer.is_gm)
        return {
            "characters": characters,
            "stats": STATS,
            "levels": _levels_of(viewer),
            "level": Level.AVERAGE.value,
            "is_gm": viewer.is_gm,
            "nothing": "" if characters or viewer.is_gm else NO_CHARACTER,
            "fight": _in_turns(viewer),
        }


class SetForm(ProcedureForm):
    """Ask how hard it is, and for another stat or skill where the GM wants one."""

    stat = LineField(max_length=120, required=False)
    skill = LineField(max_length=120, required=False)
    level = _level()
    threshold = _threshold()

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"stats": STATS, "levels": _levels_of(viewer)}


class OpposeForm(ProcedureForm):
    """Ask who counters it, with what, and whether it is a fight, where sizes count."""

    character = forms.UUIDField(required=False)
    name = LineField(max_length=LONGEST_NAME, required=False)
    stat = LineField(max_length=120, required=False)
    skill = LineField(max_length=120, required=False)
    fight = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"characters": _characters(viewer, own=False), "stats": STATS, "fight": _in_turns(viewer)}


class ChipForm(ProcedureForm):
    """One thing that speaks for a side or against it; `special` is what a special rule adds, for GMs."""

    side = forms.ChoiceField(choices=[(key, key) for key in KEYS], required=False)
    word = LineField(
        max_length=LONGEST_WORD, error_messages={"required": gettext_lazy("Say what it is in a word or two.")}
    )
    value = forms.ChoiceField(choices=VALUES, required=False)
    special = WholeNumber(
        None,
        -LARGEST_SPECIAL,
        LARGEST_SPECIAL,
        words=format_lazy(gettext_lazy("A special rule adds or subtracts at most {most}."), most=LARGEST_SPECIAL),
    )

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"values": VALUES, "usual": (*ADVANTAGES, *DISADVANTAGES), "is_gm": viewer.is_gm}


def prepare(context: ProcedureContext, name: str, given: Values) -> Values:
    """Return the forms' values with those read from sheets. Raises Invalid, and NotFound for a character the player
    does not play.
    """
    if name == OPEN:
        return _opened(context, given)
    if name == OPPOSE:
        return {"side": _side(context, given), "fight": given["fight"], "mood": _mood(context, given["character"])}
    if name == SET:
        return {"names": _named(None, given), "level": Level(given["level"] or Level.AVERAGE)} | {
            "threshold": given["threshold"]
        }
    special = given["special"]
    value = int(given["value"] or 1) if special is None else special
    is_special = special is not None and abs(special) > HUGE
    return {"side": given["side"] or KEYS[0], "word": given["word"].strip(), "value": value, "special": is_special}


def _opened(context: ProcedureContext, given: Values) -> Values:
    is_gm, settings = context.actor.is_gm, context.settings.of(Settings)
    if not is_gm:
        _left_to_the_gm(given)
    sides = [_side(context, given)]
    if not is_gm:
        keep_from_acting(context.character(str(given["character"])), settings)
    if is_gm and (given["against"] or given["against_name"].strip()):
        names = ("name", "stat", "skill")
        other = {name: given[f"against_{name}"] for name in names} | {"character": given["against"]}
        sides.append(_side(context, other, "against"))
    return {
        "sides": tuple(sides),
        "moods": tuple(_mood(context, who) for who in (given["character"], given["against"])[: len(sides)]),
        "level": Level(given["level"] or Level.AVERAGE),
        "threshold": given["threshold"],
        "fight": given["fight"] and len(sides) > 1,
        "opposed": given.get("opposed", False) or len(sides) > 1,
        "announced": not is_gm,
        "words": _chips(given),
        "thresholds": settings.thresholds,
        "sizes_count": settings.sizes_count,
    }


def _mood(context: ProcedureContext, who: UUID | None) -> str:
    """Return the mood of a character that is played: everyone sees the chip, and an NPC's state of mind is the GM's."""
    character = context.character(str(who)) if who else None
    played = character is not None and character.system == SYSTEM and not character.is_npc
    return mood(sheet.SHEET.number(character.sheet, "som")) if character and played else ""


def _left_to_the_gm(given: Values) -> None:
    """Raise Invalid for what only the GM may set: the difficulty and the opponent."""
    theirs = ("level", "threshold", "against", "against_name", "against_stat", "against_skill", "fight")
    for field in theirs:
        # A threshold of 0 is one, too.
        is_set = (
            given[field] is not None if field == "threshold" else given[field] not in (None, "", False, Level.AVERAGE)
        )
        if is_set:
            raise Invalid(_("Only the GM sets this. Leave it unchanged."), field=field)


def _chips(given: Values) -> tuple[Chip, ...]:
    typed = given["other"]
    if typed.total and not typed.chips:
        raise Invalid(_("Also say what it is, for example: higher ground +1, rain -1."), field="other")
    return tuple(typed.chips)


def _side(context: ProcedureContext, given: Values, at: str = "character") -> Side:
    """Return a side: a character with the stat and skill named (players only choose their own); or for a GM a person by name."""
    if given["character"]:
        character = context.character(str(given["character"]))
        if not context.actor.plays(str(character.pk)):
            raise NotFound
        size = Size(sheet.body(character.sheet).size) if character.system == SYSTEM else Size.MEDIUM
        traits = _named(character, given, at)
        return Side(
            name=character.name, character=str(character.pk), size=size, stat=traits["stat"], skill=traits["skill"]
        )
    if not context.actor.is_gm:
        raise Invalid(_("Choose one of your characters."), field="character")
    traits = _named(None, given, at)
    return Side(name=named(given["name"]), stat=traits["stat"], skill=traits["skill"])


def _named(character: Character | None, given: Values, at: str = "character") -> dict[str, str]:
    """Return the stat's code and the skill's name. What is left open is chosen by who rolls, but a skill of the sheet
    implies its stat.
    """
    prefix = "" if at == "character" else f"{at}_"
    stat, skill = given["stat"].strip(), given["skill"].strip()
    for field, typed in (("stat", stat), ("skill", skill)):
        if typed.lstrip("+-").isdigit():
            message = _("Enter a name or leave it blank. Scores come from the sheet, or from the GM who rolls.")
            raise Invalid(message, field=f"{prefix}{field}")
    skill_row = _skill(character, skill, f"{prefix}skill") if character and skill else None
    if skill_row and not stat and character:
        stat = sheet.stat_of_skill(character.sheet, skill_row)
    if stat:
        with at_field(f"{prefix}stat"):
            stat = sheet.find_stat({}, stat).name
    return {"stat": stat, "skill": skill_row.label if skill_row else skill}


def _skill(character: Character, skill: str, field: str) -> Trait:
    if character.system != SYSTEM:
        message = _("{name} has no VI-VIII-X sheet. Leave it blank and roll for them.").format(name=character.name)
        raise Invalid(message, field=field)
    with at_field(field):
        return sheet.find_skill(character.sheet, skill)


FORMS: Final = {OPEN: OpenCheckForm, SET: SetForm, OPPOSE: OpposeForm, CHIP: ChipForm}
