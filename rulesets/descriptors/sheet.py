"""The sheet of a character of the Descriptors rules (descriptors.txt).

A pool is made of rows: Descriptors, Injuries and stuck Scene Descriptors; an Injury or a stuck one may be used by either side.
What Will it costs is for the rules to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from characters.sheets.common import ABOUT, number
from characters.sheets.fields import Choice, Flag, Number, Rows, Text, Visibility
from characters.sheets.sheet import Group, Layout, Resource, Sheet, Values
from rulesets.descriptors.settings import Settings

START_WILL = 9  # descriptors.txt, first paragraph
MOST_DICE = 20
MOST_WILL = 999
MOST_XP = 100_000
POWER_BOXES = 6  # the text names no length: our decision
MOST_POWER_BOXES = 12

CATEGORIES = ("Abilities", "Relationships", "Connections", "Values", "Equipment")
"""descriptors.txt names these and leaves room for others."""


def _dice() -> Number:
    return Number("dice", "Dice", minimum=1, maximum=MOST_DICE, default=1)


def _name(label: str = "Name") -> Text:
    return Text("name", label, required=True)


DESCRIPTORS = Rows(
    "descriptors",
    "Descriptors",
    "Descriptor",
    (_name(), _dice(), Text("category", "Category", longest=40, suggests=CATEGORIES)),
    most=100,
    trait="dice",
)
INJURIES = Rows("injuries", "Injuries", "Injury", (_name(), _dice()), trait="dice")
STUCK = Rows(
    "stuck",
    "Stuck Scene Descriptors",
    "Scene Descriptor",
    (_name(), _dice(), Text("origin", "Made by", longest=80)),
    trait="dice",
)
KEYS = Rows(
    "keys",
    "Keys",
    "Key",
    (
        _name(),
        Choice(
            "framework",
            "Framework",
            choices=(("dramatic", "Dramatic"), ("motivation", "Motivation")),
            default="dramatic",
        ),
        Text("words", "In a sentence", longest=400),
    ),
    most=30,
)

SHEET = Sheet(
    "descriptors",
    [
        Group(
            "will",
            "Will",
            (
                number("will", "Will", MOST_WILL, START_WILL),
                number("start_will", "Starting Will", MOST_WILL, START_WILL, minimum=1),
                Flag("out_of_scene", "Out of the scene"),
                Flag("unlimited_will", "Will without end", visibility=Visibility.SECRET),
            ),
        ),
        Group("descriptors", "Descriptors", (DESCRIPTORS,)),
        Group("background", "Background", (Rows("background", "Background", "Background entry", (_name(),)),)),
        Group(
            "power",
            "Power track",
            (
                number("power_boxes", "Boxes of the Power track", MOST_POWER_BOXES, POWER_BOXES, minimum=1),
                *(
                    Flag(f"power_{box}", f"Power box {box}", box=box, said=("free", "crossed off"))
                    for box in range(1, MOST_POWER_BOXES + 1)
                ),
            ),
        ),
        Group("injuries", "Injuries", (INJURIES, STUCK)),
        Group("keys", "Keys", (KEYS,)),
        Group(
            "experience",
            "Experience",
            (number("xp", "XP", MOST_XP), number("advances_spent", "Advances spent", MOST_XP)),
            at_hand=False,
        ),
        ABOUT,
    ],
    layout=Layout(
        bands=(("will", "power", "experience"), ("descriptors",)),
        scripts=("descriptors/categories.js",),
        resources=(
            Resource("will"),
            Resource(
                "power",
                "Power",
                flags=tuple(f"power_{box}" for box in range(1, MOST_POWER_BOXES + 1)),
                length="power_boxes",
                figure="power",
            ),
            Resource("out_of_scene"),
            Resource("injuries"),
            Resource("stuck", "Stuck to them", own=True),
            Resource("keys", own=True),
        ),
    ),
)


@dataclass(frozen=True)
class Track:
    """A Power track of so many boxes, numbered from 1, and which of them are crossed off."""

    boxes: int
    crossed: frozenset[int]


def will_of(values: Values, settings: Settings) -> int | None:
    """Return the Will of who has this sheet; None without limit, which the GM may give an NPC where the campaign has it so."""
    if settings.npc_will_may_be_unlimited and SHEET.value(values, "unlimited_will"):
        return None
    return SHEET.number(values, "will")


def track(values: Values) -> Track:
    """Return the Power track as it stands."""
    length = SHEET.number(values, "power_boxes")
    return Track(length, frozenset(box for box in range(1, length + 1) if SHEET.value(values, power_box(box))))


def power_box(box: int) -> str:
    """Return the address of a box of the Power track, numbered from 1."""
    return f"power_{box}"
