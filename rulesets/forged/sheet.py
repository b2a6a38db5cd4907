"""The sheet of a scoundrel of the Forged in the Dark rules, and its ratings (forged.txt).

action(values, "skirmish")     # Rating(name, label, attribute, rating): 0 to 4
attribute(values, "prowess")   # 0 to 4: how many of its four actions have a dot
harm(values)                   # {1: ("Bruised",), 2: (), 3: ()}
traumas(values)                # ("cold", …)
"""

from __future__ import annotations

from dataclasses import dataclass

from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Flag, Number, Rows, SheetError, Text
from characters.sheets.sheet import Group, Layout, Limit, Resource, Sheet, Values
from characters.sheets.traits import find, folded

ACTIONS = {
    "insight": ("Hunt", "Study", "Survey", "Tinker"),
    "prowess": ("Finesse", "Prowl", "Skirmish", "Wreck"),
    "resolve": ("Attune", "Command", "Consort", "Sway"),
}
"""The attributes and their actions, as the public rules name them."""

HIGHEST_ACTION = 4
STRESS_BOXES = 9
TRAUMAS = ("cold", "haunted", "obsessed", "paranoid", "reckless", "soft", "unstable", "vicious")
LAST_TRAUMA = 4
HARM_SLOTS = {1: 2, 2: 2, 3: 1}
HARM_WORDS = {1: "Lesser harm", 2: "Moderate harm", 3: "Severe harm"}
HARM_EFFECT = {1: "less effect", 2: "one die less", 3: "needs help or a push"}
HEALING_CLOCK = 4
PLAYBOOK_XP = 8
ATTRIBUTE_XP = 6
COIN = 4
STASH = 40
ARMOR = {"armor": "Armor", "heavy_armor": "Heavy armor", "special_armor": "Special armor"}
LOADS = (("", "Not chosen"), ("light", "Light"), ("normal", "Normal"), ("heavy", "Heavy"), ("encumbered", "Encumbered"))
VICES = ("Faith", "Gambling", "Luxury", "Obligation", "Pleasure", "Stupor", "Weird")


def _actions(attribute_name: str) -> Group:
    fields = (
        Number(label.lower(), label, maximum=HIGHEST_ACTION, drawn=HIGHEST_ACTION) for label in ACTIONS[attribute_name]
    )
    return Group(attribute_name, attribute_name.capitalize(), tuple(fields))


def _harm(level: int) -> Rows:
    words = HARM_WORDS[level]
    return Rows(harm_rows(level), words, words, (Text("name", "Harm", required=True),), most=HARM_SLOTS[level])


def harm_rows(level: int) -> str:
    """Return the name of the rows that hold harm of a level, 1 to 3."""
    return f"harm_{level}"


def trauma_of(condition: str) -> str:
    """Return the address of a trauma condition."""
    return f"trauma_{condition}"


def xp_of(attribute_name: str) -> str:
    """Return the address of an attribute's xp track."""
    return f"{attribute_name}_xp"


SHEET = Sheet(
    "forged",
    [
        Group(
            "identity",
            "Who they are",
            (
                Text("playbook", "Playbook", longest=60),
                Text("heritage", "Heritage", longest=120),
                Text("background", "Background", longest=120),
                Text("look", "Look", longest=200),
                Text("vice", "Vice", longest=60, suggests=VICES),
                Text("vice_purveyor", "Where they indulge it", longest=120),
            ),
        ),
        *(_actions(name) for name in ACTIONS),
        Group(
            "stress",
            "Stress and trauma",
            (
                boxes("stress", "Stress", STRESS_BOXES),
                *(Flag(trauma_of(condition), condition.capitalize()) for condition in TRAUMAS),
            ),
        ),
        Group(
            "harm",
            "Harm",
            (*(_harm(level) for level in (3, 2, 1)), boxes("healing", "Healing clock", HEALING_CLOCK)),
        ),
        Group(
            "armor",
            "Armor",
            tuple(Flag(name, label, said=("ready", "used")) for name, label in ARMOR.items()),
        ),
        Group(
            "load",
            "Load and items",
            (
                Choice("load", "Load", choices=LOADS),
                Rows(
                    "items",
                    "Items",
                    "Item",
                    (Text("name", "Name", required=True), number("load", "Load", 6, 1), Flag("carried", "Carried")),
                ),
            ),
        ),
        Group(
            "abilities",
            "Special abilities",
            (
                Rows(
                    "abilities",
                    "Special abilities",
                    "Special ability",
                    (Text("name", "Name", required=True), Text("words", "What it does", long=True, longest=1000)),
                    most=40,
                ),
            ),
        ),
        Group("coin", "Coin and stash", (boxes("coin", "Coin", COIN), boxes("stash", "Stash", STASH)), at_hand=False),
        Group(
            "experience",
            "Experience",
            (
                boxes("playbook_xp", "Playbook xp", PLAYBOOK_XP),
                *(boxes(xp_of(name), f"{name.capitalize()} xp", ATTRIBUTE_XP) for name in ACTIONS),
            ),
            at_hand=False,
        ),
        ABOUT,
    ],
    limits=[Limit("Trauma", tuple(trauma_of(condition) for condition in TRAUMAS), LAST_TRAUMA)],
    layout=Layout(
        bands=(("identity",), ("stress", "harm", "armor"), tuple(ACTIONS)),
        slots=("action", "pool"),
        resources=(
            Resource("stress"),
            Resource(
                "trauma",
                "Trauma",
                flags=tuple(trauma_of(condition) for condition in TRAUMAS),
                chosen=True,
                figure="trauma",
            ),
            *(Resource(harm_rows(level), note=HARM_EFFECT[level]) for level in (3, 2, 1)),
            Resource("healing", own=True),
            Resource("protection", "Armor", flags=tuple(ARMOR), chosen=True, own=True),
            Resource("load", own=True),
            Resource("slots", "Room left", figure="slots", own=True),
            Resource("coin", own=True),
            Resource("stash", own=True),
        ),
    ),
)


@dataclass(frozen=True)
class Rating:
    """An action of a sheet: its address, what it is called, the attribute it belongs to and 0 to 4 dots."""

    name: str
    label: str
    attribute: str
    rating: int


def action(values: Values, name: str) -> Rating:
    """Return an action by its name or how it begins. Raises SheetError."""
    trait = find(SHEET, name, values)
    return Rating(trait.name, trait.label, SHEET.group_of(trait.name), trait.rating)


def attribute(values: Values, name: str) -> int:
    """Return the rating of an attribute, 0 to 4, by its name or how it begins. Raises SheetError."""
    wanted = folded(name)
    for known, actions in ACTIONS.items():
        if wanted and known.startswith(wanted):
            return sum(SHEET.number(values, label.lower()) > 0 for label in actions)
    raise SheetError("The attributes are Insight, Prowess and Resolve.", field="attribute", value=name[:40])


def harm(values: Values) -> dict[int, tuple[str, ...]]:
    """Return what harm there is, by its level from 1 to 3."""
    return {level: tuple(row["name"] for row in SHEET.rows(values, harm_rows(level))) for level in HARM_SLOTS}


def traumas(values: Values) -> tuple[str, ...]:
    """Return the trauma conditions somebody has."""
    return tuple(condition for condition in TRAUMAS if SHEET.value(values, trauma_of(condition)))
