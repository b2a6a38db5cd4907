"""The input of a check, what it is asked for with, and what the sheet gives to it. Here, and nowhere before, a character's US is
read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, TypeAlias
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid
from campaigns.text import signed
from characters.models import Character
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls import table_rules as base
from rolls.services.roll_context import by_the_rules
from rules.errors import Block, whole
from rules.messages import Words, joined, worded
from rules.table import Refused
from rulesets.arc import sheet
from rulesets.arc.figures import decimal
from rulesets.arc.rows import Person
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import IMMOBILE, UNCONSCIOUS
from rulesets.arc.rules.check import MOOD_WORDS, Chip
from rulesets.arc.settings import SCORES, THRESHOLDS, Level, Settings

SET_BY_GM: Final = gettext_lazy("Only the GM sets this. Leave it unchanged.")
CHIP_WORDS: Final = {"size": gettext_lazy("size")} | MOOD_WORDS


@dataclass(frozen=True)
class Typed:
    """The total of the typed adjustments, and the named ones."""

    total: int = 0
    chips: tuple[Chip, ...] = ()


def chip_words(chip: Mapping[str, Any]) -> Words:
    """Return the words for an adjustment, as terms and cards keep it: with a typed `word`, or with a `code` of ours."""
    return worded(CHIP_WORDS[chip["code"]]) if chip.get("code") else chip["word"]


def chip_line(chip: Mapping[str, Any]) -> Words:
    """Return words such as "rain −1"."""
    return joined(" ", (chip_words(chip), signed(chip["value"])))


NAME = "arc"

Named: TypeAlias = Mapping[str, str]
"""A trait as rolls keep it: its `code`, which is its address on the sheet, and the `name` of one that its sheet alone has."""


class Kind(StrEnum):
    """The kinds of rolls; a COUNTER is an opposed check that answers one (ARCO)."""

    CHECK = "check"
    OPPOSED = "opposed"
    COUNTER = "counter"
    REACTION = "reaction"


@dataclass(frozen=True, kw_only=True)
class ArcInput(base.RollInput):
    """A check of a `stat` and a `skill` of the sheet, or of typed scores: `ks` with the `us` that only a GM knows, `es`.

    `kind` is "check" (against `threshold`, 0 to 100, else that of `level`), "opposed" (which waits to be countered, or
    counters the roll `against`) or "reaction" (of the typed `som`, else the sheet's). `other` is the sum of all other
    adjustments, -100 to +100, of which `chips` names the parts.
    """

    system: ClassVar[str] = NAME

    kind: str = Kind.CHECK.value
    stat: str = ""
    skill: str = ""
    ks: int | None = None
    us: int | None = None
    es: int | None = None
    other: int = 0
    chips: tuple[Chip, ...] = ()
    level: str = Level.AVERAGE.value
    threshold: int | None = None
    som: int | None = None
    against: UUID | None = None

    @property
    def typed(self) -> dict[str, str]:
        """Return what was typed for the stat and the skill, scores as well."""
        stat = self.stat if self.ks is None else str(self.ks)
        return {"stat": stat, "skill": self.skill if self.es is None else str(self.es)}


SCORES_KEPT: Final = ("ks", "us", "es", "other")


def request_terms(
    kind: str, *, stat: str, skill: str, other: int, chips: Sequence[Mapping[str, Any]], **against: Any
) -> dict[str, Any]:
    """Return the terms of a request, by a GM or by the procedure of a check: what is left to who rolls is left out."""
    said = {"stat": stat, "skill": skill, "chips": [*chips]}
    return {"kind": str(kind), "other": other} | {name: value for name, value in said.items() if value} | against


def named_traits(stat: str, skill: str, values: Values | None = None, *, at: str = "") -> tuple[str, str]:
    """Return the code of a stat and the name of a skill, "" for what is left open. A skill of these values implies its stat.
    Raises Refused for scores and Invalid for what is not there, at the field of this name behind `at`."""
    stat, skill = stat.strip(), skill.strip()
    for field, typed in (("stat", stat), ("skill", skill)):
        if typed.lstrip("+-").isdigit():
            message = _("Enter a name or leave it blank. Scores come from the sheet, or from the GM who rolls.")
            raise Refused(message, f"{at}{field}")
    if values is not None and skill:
        with at_field(f"{at}skill"):
            row = sheet.find_skill(values, skill)
        stat, skill = stat or sheet.stat_of_skill(values, row), row.label
    if stat:
        with at_field(f"{at}stat"):
            stat = sheet.find_stat({}, stat).name
    return stat, skill


def check_words(stat: str, skill: str) -> Words:
    """Return words such as "Control + Tamper" for a stat by its code and a skill; "" for neither."""
    words: list[Words] = [
        *([worded(sheet.STAT_WORDS[stat])] if stat else []),
        *([skill[:1].upper() + skill[1:]] if skill else []),
    ]
    return joined(" + ", words) if words else ""


def scores_of(character: Character | None, ask: ArcInput, *, for_gm: bool) -> dict[str, Any]:
    """Return the `traits` of a check, the stat before the skill, and all its scores, the US among them. Raises Invalid, without
    a score in it."""
    if ask.us is not None and not for_gm:
        raise Invalid(_("Only the GM knows an Unknown Stat. Leave it blank."), field="us")
    if ask.es is not None and not for_gm:
        raise Invalid(_("Only the GM rolls a typed skill score. Choose a skill of your character."), field="skill")
    stats: list[Named] = []
    es, skills = trained(character, ask)
    if ask.ks is not None:
        if not for_gm:
            raise Invalid(_("Only the GM rolls a typed Known Stat. Choose a stat of your character."), field="stat")
        if ask.us is None:
            raise Invalid(_("A typed Known Stat also needs its Unknown Stat."), field="us")
        ks, us = ask.ks, ask.us
    else:
        stat = stat_of(character, ask)
        assert character is not None  # noqa: S101  # or it had no sheet
        ks, us, stats = stat.rating, sheet.unknown(character.sheet, character.secret, stat), [{"code": stat.name}]
        us = us if ask.us is None else ask.us
    with by_the_rules():
        asked = rules.Ask(ks=ks, us=us, es=es, other=ask.other)
    return {"traits": [*stats, *skills]} | {name: getattr(asked, name) for name in SCORES_KEPT}


def trained(character: Character | None, ask: ArcInput) -> tuple[int, list[Named]]:
    """Return the ES, and the skill ([] if typed). It uses no one else's secrets. Raises Invalid."""
    if ask.es is not None:
        with by_the_rules():
            return whole("es", ask.es, *SCORES), []
    if not ask.skill:
        raise Invalid(_("Choose a skill from the sheet, or type a skill score from 1 to 10."), field="skill")
    with at_field("skill"):
        skill = sheet.find_skill(_sheet(character, "skill"), ask.skill)
    return skill.rating, [{"code": skill.name, "name": skill.label}]


def som_of(character: Character | None, ask: ArcInput) -> int:
    """Return the state of mind, typed or the sheet's. Raises Invalid."""
    with by_the_rules():
        if ask.som is not None:
            return whole("som", ask.som, *SCORES)
        if character is None or character.system != NAME:
            raise Invalid(_("Type the state of mind: there’s no sheet to read it from."), field="som")
        return sheet.SHEET.number(character.sheet, "som")


def threshold_of(ask: ArcInput, settings: Settings) -> int:
    """Return the typed threshold, else that of the level. Raises Invalid."""
    with by_the_rules():
        if ask.threshold is not None:
            return whole("threshold", ask.threshold, *THRESHOLDS)
        return rules.threshold_of(ask.level, settings)


def stat_of(character: Character | None, ask: ArcInput) -> Trait:
    """Return the stat by name, with its KS. Raises Invalid."""
    if not ask.stat:
        raise Invalid(_("Choose a stat from the sheet."), field="stat")
    with at_field("stat"):
        return sheet.find_stat(_sheet(character, "stat"), ask.stat)


def hindrances(character: Character | Person | None, settings: Settings, *, acts: bool) -> Iterator[tuple[Block, str]]:
    """Yield what keeps a character from rolling: being unconscious; and from a roll in which they act, too much weight
    (arc.txt, V.4, V.6)."""
    if character is None or character.system != NAME:
        return
    if sheet.SHEET.value(character.values, "unconscious"):
        yield UNCONSCIOUS, _("{name} is unconscious and can’t take part.").format(name=character.name)
    if acts and not (borne := sheet.body(character.values).load(settings)).may_act:
        words = _(
            "{name} is carrying {weight} kg, more than the {most} kg they can bear, and can’t act. Put something down first."
        )
        weight, most = number_format(decimal(borne.weight)), number_format(decimal(borne.bearable))
        yield IMMOBILE, words.format(name=character.name, weight=weight, most=most)


def keep_out(character: Character | Person | None, settings: Settings, *, acts: bool) -> None:
    """Raise Blocked for who cannot roll: nothing is announced for them."""
    for _block, words in hindrances(character, settings, acts=acts):
        raise Blocked(words, field="character")


def _sheet(character: Character | None, field: str) -> Values:
    if character is None:
        raise Invalid(_("Choose a character with a VI-VIII-X sheet, or ask the GM to roll."), field=field)
    if character.system != NAME:
        message = _("{name} has no VI-VIII-X sheet. Ask the GM to roll.").format(name=character.name)
        raise Invalid(message, field=field)
    return character.sheet


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Refuse at this field of the form what the sheet refuses inside."""
    try:
        yield
    except SheetError as error:
        raise Invalid(error.message, field=field) from error
