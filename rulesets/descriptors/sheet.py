"""The sheet of a character of the Descriptors rules (descriptors.txt).

A pool is made of rows: Descriptors, Injuries and stuck Scene Descriptors; an Injury or a stuck one may be used by either side.
What Will it costs is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from characters.creation import Budget, Pot, Reckoning, Section, limit, points, rows_above, too_many
from characters.sheets.common import ABOUT, number
from characters.sheets.fields import Choice, Flag, Number, Rows, Text, Visibility
from characters.sheets.sheet import Group, Layout, Resource, Sheet, Values
from languages.text import gettext, pgettext, pgettext_lazy, pgettext_noop
from languages.text import gettext_lazy as _
from rulesets.descriptors.settings import Settings

START_WILL = 9  # descriptors.txt, first paragraph
LONGEST_NAME = 80
MOST_DICE = 20
MOST_WILL = 999
MOST_XP = 100_000
POWER_BOXES = 6  # the text names no length: our decision
MOST_POWER_BOXES = 12

CATEGORIES = (
    pgettext_noop("category", "Abilities"),
    pgettext_noop("category", "Relationships"),
    pgettext_noop("category", "Connections"),
    pgettext_noop("category", "Values"),
    pgettext_noop("category", "Equipment"),
)
"""descriptors.txt names these and leaves room for others."""
KEY_NAMES = {
    pgettext_noop("key", "An old debt"): _("You pay, or make someone else pay, for what was."),
    pgettext_noop("key", "My own way"): _("You refuse the order that everyone else follows."),
    pgettext_noop("key", "Not again"): _("You stop what once happened to you."),
    pgettext_noop("key", "The last of us"): _("You protect what is left of your people."),
    pgettext_noop("key", "What is behind it"): _("You give up something to learn the truth."),
}
"""Suggestions of what brings XP when it happens, in our own words, with a line each. Anything else can be typed."""


def _dice() -> Number:
    return Number("dice", _("Dice"), minimum=1, maximum=MOST_DICE, default=1)


def _name() -> Text:
    return Text("name", _("Name"), required=True)


DESCRIPTORS = Rows(
    "descriptors",
    _("Descriptors"),
    _("Descriptor"),
    (_name(), _dice(), Text("category", _("Category"), longest=40, suggests=CATEGORIES, context="category")),
    most=100,
    trait="dice",
)
INJURIES = Rows("injuries", _("Injuries"), _("Injury"), (_name(), _dice()), trait="dice")
STUCK = Rows(
    "stuck",
    _("Stuck Scene Descriptors"),
    _("Scene Descriptor"),
    (_name(), _dice(), Text("origin", _("Made by"), longest=80)),
    trait="dice",
)
KEYS = Rows(
    "keys",
    pgettext_lazy("descriptors", "Keys"),
    pgettext_lazy("descriptors", "Key"),
    (
        Text("name", _("Name"), required=True, suggests=KEY_NAMES, context="key"),
        Choice(
            "framework",
            pgettext_lazy("of a Key", "Framework"),
            choices=(
                ("dramatic", pgettext_lazy("Key", "Dramatic")),
                ("motivation", pgettext_lazy("Key", "Motivation")),
            ),
            default="dramatic",
        ),
        Text("words", _("In a sentence"), longest=400),
    ),
    most=30,
)

WILL = _("Will")
POWER_BOX_LABELS = {
    1: _("Power box 1"),
    2: _("Power box 2"),
    3: _("Power box 3"),
    4: _("Power box 4"),
    5: _("Power box 5"),
    6: _("Power box 6"),
    7: _("Power box 7"),
    8: _("Power box 8"),
    9: _("Power box 9"),
    10: _("Power box 10"),
    11: _("Power box 11"),
    12: _("Power box 12"),
}

SHEET = Sheet(
    "descriptors",
    [
        Group(
            "will",
            WILL,
            (
                number("will", WILL, MOST_WILL, START_WILL),
                number("start_will", _("Starting Will"), MOST_WILL, START_WILL, minimum=1),
                Flag("out_of_scene", _("Out of the scene")),
                Flag("unlimited_will", _("Unlimited Will"), visibility=Visibility.SECRET),
            ),
        ),
        Group("descriptors", _("Descriptors"), (DESCRIPTORS,)),
        Group("background", _("Background"), (Rows("background", _("Background"), _("Background entry"), (_name(),)),)),
        Group(
            "power",
            _("Power track"),
            (
                number("power_boxes", _("Power track boxes"), MOST_POWER_BOXES, POWER_BOXES, minimum=1),
                *(
                    Flag(
                        f"power_{box}",
                        POWER_BOX_LABELS[box],
                        box=box,
                        said=(pgettext_lazy("Power box", "free"), pgettext_lazy("Power box", "crossed off")),
                    )
                    for box in range(1, MOST_POWER_BOXES + 1)
                ),
            ),
        ),
        Group("injuries", _("Injuries"), (INJURIES, STUCK)),
        Group("keys", pgettext_lazy("descriptors", "Keys"), (KEYS,)),
        Group(
            "experience",
            _("Experience"),
            (number("xp", _("XP"), MOST_XP), number("advances_spent", _("Advances spent"), MOST_XP)),
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
                pgettext_lazy("descriptors", "Power"),
                flags=tuple(f"power_{box}" for box in range(1, MOST_POWER_BOXES + 1)),
                length="power_boxes",
                figure="power",
            ),
            Resource("out_of_scene"),
            Resource("injuries"),
            Resource("stuck", _("Stuck Scene Descriptors"), own=True),
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
    """Return the Will on this sheet; None if unlimited, which a GM may set for an NPC if the campaign allows it."""
    if settings.npc_will_may_be_unlimited and SHEET.value(values, "unlimited_will"):
        return None
    return SHEET.number(values, "will")


def track(values: Values) -> Track:
    """Return the Power track of a sheet."""
    length = SHEET.number(values, "power_boxes")
    return Track(length, frozenset(box for box in range(1, length + 1) if SHEET.value(values, power_box(box))))


def power_box(box: int) -> str:
    """Return the address of a box of the Power track, numbered from 1."""
    return f"power_{box}"


@dataclass(frozen=True, kw_only=True)
class DescriptorsBudget(Budget):
    """The budget of a new character. The text gives Will at the start and leaves the rest to the table: 0 leaves a thing free.
    `start_will` and `boxes` are decided among the rules, and not again here."""

    sheet = SHEET
    ruled = ("start_will", "boxes")

    dice: int = points(0, _("Total dice of all Descriptors (0: no limit)"))
    most_dice: int = points(0, _("Most dice of one Descriptor at the start (0: no limit)"))
    background: int = points(0, _("Background entries (0: no limit)"))
    keys: int = points(0, _("Keys at the start (0: no limit)"))
    start_will: int = START_WILL
    boxes: int = POWER_BOXES

    def sections(self) -> Sequence[Section]:
        return (
            Section(
                "descriptors",
                gettext("Descriptors"),
                (),
                "descriptors",
                ("name", "dice", "category"),
                self.most_dice or None,
            ),
            Section(
                "background",
                gettext("Background"),
                (),
                "background",
                ("name",),
                words=gettext("What’s part of the character, without dice."),
            ),
            Section("keys", pgettext("descriptors", "Keys"), (), "keys", ("name", "framework", "words"), begins=1),
        )

    def completed(self, values: Values) -> dict[str, Any]:
        # The rules take longer tracks than a sheet has room for.
        will, boxes = min(self.start_will, MOST_WILL), min(self.boxes, MOST_POWER_BOXES)
        return {"start_will": will, "will": will, "power_boxes": boxes, **values}

    def reckon(self, values: Values) -> Reckoning:
        pots = (
            Pot("descriptors", gettext("Dice"), limit(self.dice), sum(self.in_rows(values, "descriptors", "dice"))),
            Pot(
                "background",
                gettext("Background entries"),
                limit(self.background),
                len(SHEET.rows(values, "background")),
            ),
            Pot("keys", pgettext("descriptors", "Keys"), limit(self.keys), len(SHEET.rows(values, "keys"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        return Reckoning(pots, faults | rows_above(values, SHEET, "descriptors", "dice", self.most_dice))
