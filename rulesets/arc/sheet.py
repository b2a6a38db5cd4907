"""The sheet of a character of the VI-VIII-X rules (arc.txt), and the scores of a check.

    find_stat(values, "build")            # a Trait: its rating is the KS
    find_skill(values, "climbing")        # a Trait: its rating is the ES
    unknown(values, secret, find_stat(values, "build"))
    body(values)                          # Body(build, control, size, kilograms): for movement and load

US scores are the GM's secret, so they are no part of `values` but of the mapping beside it that holds a character's secret
fields. No function here gives one to a caller who does not bring that mapping.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from characters.sheets.common import ABOUT, number
from characters.sheets.fields import Choice, Flag, Marks, Measure, Number, Rows, Text, Visibility
from characters.sheets.sheet import Group, Layout, Resource, Sheet, Values
from characters.sheets.traits import Trait, find
from languages.text import gettext_lazy as _
from languages.text import pgettext_lazy, pgettext_noop
from rules import table
from rulesets.arc.rules.body import Load, Movement, Size, load, movement
from rulesets.arc.settings import AVERAGE, SCORES, Settings

STATS = ("build", "control", "intellect", "empathy")
STAT_WORDS = {"build": _("Build"), "control": _("Control"), "intellect": _("Intellect"), "empathy": _("Empathy")}
UNKNOWN_WORDS = {
    "build": _("Build, unknown"),
    "control": _("Control, unknown"),
    "intellect": _("Intellect, unknown"),
    "empathy": _("Empathy, unknown"),
}
SIZE_WORDS = {
    "minuscule": _("Minuscule"),
    "tiny": _("Tiny"),
    "small": _("Small"),
    "medium": _("Medium"),
    "large": _("Large"),
    "huge": _("Huge"),
    "gigantic": _("Gigantic"),
}


# What new characters may be, in our own words: suggestions with a line each. Anything else can be typed.

USUAL_SKILLS = {
    pgettext_lazy("skill", "Brawling"): _("Fists, knees and whatever lies about."),
    pgettext_lazy("skill", "Climbing"): _("Walls, masts and the wrong side of a cliff."),
    pgettext_lazy("skill", "Dodging"): _("Not being there when it lands."),
    pgettext_lazy("skill", "Healing"): _("Wounds that are seen to in time."),
    pgettext_lazy("skill", "Perception"): _("What others walk past. It also breaks ties in a fight."),
    pgettext_lazy("skill", "Persuading"): _("A yes from somebody who meant no."),
    pgettext_lazy("skill", "Reading people"): _("What a face says before its mouth does."),
    pgettext_lazy("skill", "Riding"): _("An animal that goes where you look."),
    pgettext_lazy("skill", "Shooting"): _("Bows, pistols, and the breath before."),
    pgettext_lazy("skill", "Sneaking"): _("Gravel that makes no sound."),
    pgettext_lazy("skill", "Swordplay"): _("A blade, and room to use it."),
    pgettext_lazy("skill", "Tampering"): _("Locks, traps and machines that others made."),
}
"""A skill is called as its sheet says, so one is kept in the language in which it was chosen."""
MORALITIES = {
    pgettext_noop("morality", "Never strike first"): _("A fight is what others begin."),
    pgettext_noop("morality", "Nobody stays behind"): _("You go back, whoever it is."),
    pgettext_noop("morality", "My word binds me"): _("What you promised, you do, to enemies too."),
    pgettext_noop("morality", "The weak come first"): _("Those who can’t fight eat and leave first."),
    pgettext_noop("morality", "No gods, no masters"): _("You kneel to no one and let no one kneel to you."),
    pgettext_noop("morality", "Truth before comfort"): _("You say it, even when silence is kinder."),
}


def _score(name: str, label: str, *, default: int = AVERAGE, rollable: bool = True) -> Number:
    return Number(name, label, minimum=1, maximum=SCORES[1], default=default, rollable=rollable, drawn=SCORES[1])


def _unknown(stat: str) -> Number:
    return Number(
        us_of(stat),
        UNKNOWN_WORDS[stat],
        Visibility.SECRET,
        minimum=1,
        maximum=SCORES[1],
        default=1,
        rollable=False,
        ceiling=stat,
        marks=Marks.DOTS,
        drawn=SCORES[1],
    )


def us_of(stat: str) -> str:
    """Return the address of the unknown score of a stat."""
    return f"us_{stat}"


SKILLS = Rows(
    "skills",
    _("Skills"),
    _("Skill"),
    (
        Text("name", _("Name"), required=True, suggests=USUAL_SKILLS),
        _score("es", pgettext_lazy("of a skill", "Score"), default=1),
        Choice("stat", _("Stat"), choices=tuple(STAT_WORDS.items()), default="build"),
    ),
    most=80,
    trait="es",
)
CARRIED = Rows(
    "carried",
    _("Gear"),
    _("Item"),
    (
        Text("name", _("Name"), required=True),
        Measure("weight", _("Weight")),
        Number("count", _("Quantity"), maximum=1000, default=1, rollable=False, marks=Marks.NUMBER, drawn=0),
        Flag("worn", _("Clothing")),
    ),
    most=150,
)

SHEET = Sheet(
    "arc",
    [
        Group("stats", _("Stats"), tuple(_score(stat, STAT_WORDS[stat]) for stat in STATS)),
        Group("unknown", _("Unknown Stats"), tuple(_unknown(stat) for stat in STATS)),
        Group("skills", _("Skills"), (SKILLS,)),
        Group(
            "state",
            _("State and body"),
            (
                _score("som", _("State of mind"), rollable=False),
                Number(
                    "base_movement",
                    _("Base movement, metres per turn"),
                    maximum=1000,
                    default=8,
                    rollable=False,
                    marks=Marks.NUMBER,
                    drawn=0,
                ),
                Choice("size", _("Size"), choices=tuple(SIZE_WORDS.items()), default="medium"),
                Text("morality", _("Morality"), longest=400, suggests=MORALITIES, context="morality"),
                Flag("unconscious", _("Unconscious")),
            ),
        ),
        Group("carried", _("Gear"), (CARRIED,)),
        Group(
            "experience",
            _("Experience"),
            (number("xp", _("XP earned"), 10_000), number("xp_spent", _("XP spent"), 10_000)),
            at_hand=False,
        ),
        ABOUT,
    ],
    layout=Layout(
        bands=(("stats", "unknown", "state"), ("skills",), ("carried",)),
        slots=("stat", "skill"),
        resources=(
            Resource("som", figure="mind"),
            Resource("movement", _("Movement"), figure="movement", own=True),
            Resource("burden", _("Burden"), figure="burden"),
            Resource("size", own=True),
            Resource("unconscious"),
        ),
    ),
)


class Person(table.Sheet):
    """What the procedures read and write of a sheet (rules/table.py). Unknown Stats are no part of it."""

    sheet: ClassVar[str] = "arc"
    system: ClassVar[str] = "arc"

    som: int = AVERAGE
    empathy: int = AVERAGE
    size: Size = Size.MEDIUM
    unconscious: bool = False
    morality: str = ""


@dataclass(frozen=True)
class Body:
    """The figures for movement and load: scores 1 to 10, the metres of their kind, a size by its name, exact kilograms;
    worn items are counted separately.
    """

    build: int
    control: int
    base: int
    size: Size
    kilograms: Fraction
    clothing: Fraction

    def load(self, settings: Settings) -> Load:
        """Return the burden of what is carried (arc.txt, V.4)."""
        return load(self.build, self.kilograms, clothing=self.clothing, size=self.size, settings=settings)

    def movement(self, settings: Settings) -> Movement:
        """Return how far they get in a turn under that burden (arc.txt, V.3)."""
        burden = self.load(settings).burden
        return movement(self.control, base=self.base, size=self.size, burden=burden, settings=settings)


def unknown(values: Values, secret: Values, stat: Trait) -> int:
    """Return the unknown score of a stat, 1 to its KS, for who has the secret values."""
    return SHEET.number({**values, **secret}, us_of(stat.name))


def find_stat(values: Values, name: str) -> Trait:
    """Return a stat by name or how it begins, and its KS as the rating. Raises SheetError."""
    return find(SHEET, name, values, among=lambda trait: trait.name in STATS)


def find_skill(values: Values, name: str) -> Trait:
    """Return a skill by address, name, or how it begins, and its ES as the rating. Raises SheetError."""
    return find(SHEET, name, values, among=lambda trait: trait.name.startswith("skills/"))


def stat_of_skill(values: Values, trait: Trait) -> str:
    """Return the stat that a skill of the sheet goes with."""
    _, row_id, _ = trait.name.split("/")
    rows = SHEET.rows(values, "skills")
    return next(str(row["stat"]) for row in rows if str(row["id"]) == row_id)


def body(values: Values) -> Body:
    """Return the body of a sheet: Build, Control, size and carried weight."""
    carried = SHEET.rows(values, "carried")
    return Body(
        build=SHEET.number(values, "build"),
        control=SHEET.number(values, "control"),
        base=SHEET.number(values, "base_movement"),
        size=Size(str(SHEET.value(values, "size"))),
        kilograms=sum((_weight(item) for item in carried if not item["worn"]), Fraction()),
        clothing=sum((_weight(item) for item in carried if item["worn"]), Fraction()),
    )


def _weight(item: Values) -> Fraction:
    return Fraction(item["weight"]) * int(item["count"])
