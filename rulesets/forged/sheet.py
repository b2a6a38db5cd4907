"""The sheets of a scoundrel and of a crew of the Forged in the Dark rules, their ratings, and the budget of new ones (forged.txt,
public rules).

action(values, "skirmish")     # Trait(name, label, rating, …): 0 to 4
called("skirmish")             # "Skirmish", in the language of whoever reads it
attribute(values, "prowess")   # 0 to 4: how many of its four actions have a dot
harm(values)                   # {1: ("Bruised",), 2: (), 3: ()}
traumas(values)                # ("cold", …)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from characters.creation import Budget, Pot, Reckoning, Section, points, too_many
from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Flag, Marks, Number, Rows, SheetError, Text
from characters.sheets.sheet import Group, Layout, Limit, Resource, Sheet, Values
from characters.sheets.traits import Trait, find, folded
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext, pgettext_lazy, pgettext_noop
from rulesets.forged.rules import HIGHEST_RATING, MOST_BOXES, MOST_TRAUMAS
from rulesets.forged.rules.action import ACTIONS as ACTIONS_OF
from rulesets.forged.rules.action import HARM_SLOTS, HEALING_SEGMENTS

# What new characters may be, in our own words: suggestions with a line each. Anything else can be typed.

PLAYBOOKS = {
    pgettext_noop("playbook", "Breaker"): gettext_lazy("Gets in, through whatever is in the way."),
    pgettext_noop("playbook", "Fixer"): gettext_lazy("Knows who can get it, and what it will cost."),
    pgettext_noop("playbook", "Healer"): gettext_lazy("Keeps the crew on its feet, and knows their secrets."),
    pgettext_noop("playbook", "Medium"): gettext_lazy("Listens to what others are glad not to hear."),
    pgettext_noop("playbook", "Runner"): gettext_lazy("Is over the roofs before the alarm is heard."),
    pgettext_noop("playbook", "Tinker"): gettext_lazy("Has a device for it, almost finished."),
    pgettext_noop("playbook", "Watcher"): gettext_lazy("Sees it first, and waits for the one right moment."),
}
"""What a scoundrel is good at."""

VICES = {
    pgettext_noop("vice", "Faith"): gettext_lazy("A temple, a prophet or a promise that takes every coin."),
    pgettext_noop("vice", "Gambling"): gettext_lazy("Cards, dogs, dice: the next round will make it good."),
    pgettext_noop("vice", "Luxury"): gettext_lazy("Silk, wine and rooms you can’t afford."),
    pgettext_noop("vice", "Obligation"): gettext_lazy("Someone at home who lives on what you earn."),
    pgettext_noop("vice", "Pleasure"): gettext_lazy("Company for one night, and trouble in the morning."),
    pgettext_noop("vice", "Stupor"): gettext_lazy("A bottle or a pipe, until it is quiet inside."),
    pgettext_noop("vice", "Weird"): gettext_lazy("Voices, relics, a door that should stay shut."),
}
"""forged.txt names them; the lines are ours."""

ITEMS = {
    pgettext_noop("item", "Blank papers"): gettext_lazy("A name and a seal for whoever needs them."),
    pgettext_noop("item", "Climbing gear"): gettext_lazy("Rope, hooks, and gloves that still hold."),
    pgettext_noop("item", "Dark lantern"): gettext_lazy("Light for you, and for nobody else."),
    pgettext_noop("item", "Fine clothes"): gettext_lazy("For the one door where nobody asks."),
    pgettext_noop("item", "Heavy coat"): gettext_lazy("Warm, wide, and full of pockets."),
    pgettext_noop("item", "Lockpicks"): gettext_lazy("For old locks, and for patient hands."),
    pgettext_noop("item", "Spyglass"): gettext_lazy("Shows who stands at the window opposite."),
    pgettext_noop("item", "Tin of salves"): gettext_lazy("Closes small wounds, smells for days."),
}
"""What a scoundrel carries."""


# A scoundrel

ACTIONS = {attribute.value: actions for attribute, actions in ACTIONS_OF.items()}
"""The attributes and their actions, as the public rules name them."""
ATTRIBUTE_LABELS = {
    "insight": gettext_lazy("Insight"),
    "prowess": gettext_lazy("Prowess"),
    "resolve": pgettext_lazy("attribute", "Resolve"),
}
ACTION_LABELS = {
    "hunt": gettext_lazy("Hunt"),
    "study": gettext_lazy("Study"),
    "survey": gettext_lazy("Survey"),
    "tinker": gettext_lazy("Tinker"),
    "finesse": gettext_lazy("Finesse"),
    "prowl": gettext_lazy("Prowl"),
    "skirmish": gettext_lazy("Skirmish"),
    "wreck": gettext_lazy("Wreck"),
    "attune": gettext_lazy("Attune"),
    "command": pgettext_lazy("action rating", "Command"),
    "consort": gettext_lazy("Consort"),
    "sway": gettext_lazy("Sway"),
}

TRAUMA_LABELS = {
    "cold": pgettext_lazy("trauma", "Cold"),
    "haunted": pgettext_lazy("trauma", "Haunted"),
    "obsessed": pgettext_lazy("trauma", "Obsessed"),
    "paranoid": pgettext_lazy("trauma", "Paranoid"),
    "reckless": pgettext_lazy("trauma", "Reckless"),
    "soft": pgettext_lazy("trauma", "Soft"),
    "unstable": pgettext_lazy("trauma", "Unstable"),
    "vicious": pgettext_lazy("trauma", "Vicious"),
}
TRAUMAS = tuple(TRAUMA_LABELS)
HARM_WORDS = {3: gettext_lazy("Severe harm"), 2: gettext_lazy("Moderate harm"), 1: gettext_lazy("Lesser harm")}
HARM_EFFECT = {1: gettext_lazy("less effect"), 2: gettext_lazy("−1 die"), 3: gettext_lazy("needs help or a push")}
ARMOR_STATES = (pgettext_lazy("armour", "ready"), pgettext_lazy("armour", "used"))
XP_LABELS = {
    "insight": gettext_lazy("Insight XP"),
    "prowess": gettext_lazy("Prowess XP"),
    "resolve": gettext_lazy("Resolve XP"),
}
"""The xp tracks, by their attributes."""
COIN = 4
STASH = 40
ARMOR = {
    "armor": gettext_lazy("Armour"),
    "heavy_armor": gettext_lazy("Heavy armour"),
    "special_armor": gettext_lazy("Special armour"),
}
WORN = ("armor", "heavy_armor")
"""The boxes of what is worn, in their order: heavy armour has the second (forged.txt, Armor)."""
LOADS = (
    ("", pgettext_lazy("load", "Not chosen")),
    ("light", pgettext_lazy("load", "Light")),
    ("normal", pgettext_lazy("load", "Normal")),
    ("heavy", pgettext_lazy("load", "Heavy")),
    ("encumbered", pgettext_lazy("load", "Encumbered")),
)


def harm_rows(level: int) -> str:
    """Return the name of the rows that hold harm of a level, 1 to 3."""
    return f"harm_{level}"


def trauma_of(condition: str) -> str:
    """Return the address of a trauma condition."""
    return f"trauma_{condition}"


def xp_of(attribute_name: str) -> str:
    """Return the address of an attribute's xp track."""
    return f"{attribute_name}_xp"


XP_BOXES = {"playbook_xp": 8, **dict.fromkeys(map(xp_of, ACTIONS), 6), "crew_xp": 8}
"""The boxes of each xp track, also of a crew's (public rules)."""

SPECIAL_ABILITIES = Rows(
    "abilities",
    gettext_lazy("Special abilities"),
    gettext_lazy("Special ability"),
    (
        Text("name", gettext_lazy("Name"), required=True),
        Text("words", gettext_lazy("What it does"), long=True, longest=1000),
    ),
    most=40,
)
"""A list that the sheets of characters and of crews have."""

SHEET = Sheet(
    "forged",
    [
        Group(
            "identity",
            gettext_lazy("Who they are"),
            (
                Text("playbook", gettext_lazy("Playbook"), longest=60, suggests=PLAYBOOKS, context="playbook"),
                Text("heritage", gettext_lazy("Heritage"), longest=120),
                Text("background", pgettext_lazy("where someone comes from", "Background"), longest=120),
                Text("look", pgettext_lazy("appearance", "Look"), longest=200),
                Text("vice", gettext_lazy("Vice"), longest=60, suggests=VICES, context="vice"),
                Text("vice_purveyor", gettext_lazy("Where they indulge it"), longest=120),
            ),
        ),
        *(
            Group(
                attribute,
                ATTRIBUTE_LABELS[attribute],
                tuple(
                    Number(name, ACTION_LABELS[name], maximum=HIGHEST_RATING, drawn=HIGHEST_RATING) for name in actions
                ),
                by_label=True,
            )
            for attribute, actions in ACTIONS.items()
        ),
        Group(
            "stress",
            gettext_lazy("Stress and trauma"),
            (
                boxes("stress", gettext_lazy("Stress"), MOST_BOXES),
                *(Flag(trauma_of(condition), label) for condition, label in TRAUMA_LABELS.items()),
            ),
        ),
        Group(
            "harm",
            gettext_lazy("Harm"),
            (
                *(
                    Rows(
                        harm_rows(level),
                        words,
                        words,
                        (Text("name", gettext_lazy("Harm"), required=True),),
                        most=HARM_SLOTS[level],
                    )
                    for level, words in HARM_WORDS.items()
                ),
                boxes("healing", gettext_lazy("Healing clock"), HEALING_SEGMENTS),
            ),
        ),
        Group(
            "armor",
            gettext_lazy("Armour"),
            (
                boxes("armor_boxes", gettext_lazy("Armour boxes, 2 for heavy"), len(WORN)),
                *(Flag(name, ARMOR[name], said=ARMOR_STATES, box=box) for box, name in enumerate(WORN, start=1)),
                boxes("special_boxes", gettext_lazy("Special armour boxes"), 1),
                Flag("special_armor", ARMOR["special_armor"], said=ARMOR_STATES, box=1),
            ),
        ),
        Group(
            "load",
            gettext_lazy("Load and items"),
            (
                Choice("load", pgettext_lazy("carried", "Load"), choices=LOADS),
                Rows(
                    "items",
                    gettext_lazy("Items"),
                    gettext_lazy("Item"),
                    (
                        Text("name", gettext_lazy("Name"), required=True, suggests=ITEMS, context="item"),
                        number("load", pgettext_lazy("carried", "Load"), 6, 1),
                        Flag("carried", gettext_lazy("Carried")),
                    ),
                ),
            ),
        ),
        Group(
            "abilities",
            gettext_lazy("Special abilities"),
            (SPECIAL_ABILITIES,),
        ),
        Group(
            "coin",
            gettext_lazy("Coin and stash"),
            (boxes("coin", gettext_lazy("Coin"), COIN), boxes("stash", gettext_lazy("Stash"), STASH)),
            at_hand=False,
        ),
        Group(
            "experience",
            gettext_lazy("Experience"),
            (
                boxes("playbook_xp", gettext_lazy("Playbook XP"), XP_BOXES["playbook_xp"]),
                *(boxes(xp_of(name), label, XP_BOXES[xp_of(name)]) for name, label in XP_LABELS.items()),
            ),
            at_hand=False,
        ),
        ABOUT,
    ],
    limits=[Limit(gettext_lazy("Trauma"), tuple(trauma_of(condition) for condition in TRAUMAS), MOST_TRAUMAS)],
    layout=Layout(
        bands=(("identity",), ("stress", "harm", "armor"), tuple(ACTIONS)),
        slots=("action", "pool"),
        resources=(
            Resource("stress"),
            Resource(
                "trauma",
                gettext_lazy("Trauma"),
                flags=tuple(trauma_of(condition) for condition in TRAUMAS),
                chosen=True,
                figure="trauma",
            ),
            *(Resource(harm_rows(level), note=HARM_EFFECT[level]) for level in (3, 2, 1)),
            Resource("healing", own=True),
            Resource("protection", ARMOR["armor"], flags=WORN, length="armor_boxes", own=True),
            Resource("special", ARMOR["special_armor"], flags=("special_armor",), length="special_boxes", own=True),
            Resource("load", own=True),
            Resource("slots", gettext_lazy("Room left"), figure="slots", own=True),
            Resource("coin", own=True),
            Resource("stash", own=True),
        ),
    ),
)


def called(action: str) -> str:
    """Return the label of an action; one that is not on the sheet as it was typed, with a capital."""
    return str(ACTION_LABELS.get(action.lower()) or f"{action[:1].upper()}{action[1:]}")


def coins(count: int) -> str:
    """Return "3 coin", in the language of whoever reads it."""
    return ngettext("{count} coin", "{count} coin", count).format(count=count)


def code_of(action: str) -> str:
    """Return the code of an action that is named in the reader's language; what is not on the sheet stays as it was typed."""
    wanted = folded(action)
    return next((code for code, label in ACTION_LABELS.items() if folded(str(label)) == wanted), action)


def action(values: Values, name: str) -> Trait:
    """Return an action, with 0 to 4 dots, by its name or how it begins. Raises SheetError."""
    return find(SHEET, name, values)


def attribute(values: Values, name: str) -> int:
    """Return the rating of an attribute, 0 to 4, by its name or how it begins. Raises SheetError."""
    wanted = folded(name)
    for known, actions in ACTIONS.items():
        if wanted and (known.startswith(wanted) or folded(str(ATTRIBUTE_LABELS[known])).startswith(wanted)):
            return sum(SHEET.number(values, action) > 0 for action in actions)
    message = _("The attributes are Insight, Prowess and Resolve.")
    raise SheetError(message, field="attribute", value=name[:40])


def harm(values: Values) -> dict[int, tuple[str, ...]]:
    """Return the names of harm, by level from 1 to 3."""
    return {level: tuple(row["name"] for row in SHEET.rows(values, harm_rows(level))) for level in HARM_SLOTS}


def traumas(values: Values) -> tuple[str, ...]:
    """Return the trauma conditions someone has."""
    return tuple(condition for condition in TRAUMAS if SHEET.value(values, trauma_of(condition)))


# A crew: everyone's, not one character's

MOST_TIER = 6
REP = 12
TURF = 6
HEAT = 9
WANTED = 4
MOST_COIN = 16
MOST_GAMBITS = 12
COHORT_KINDS = (
    ("gang", gettext_lazy("Gang")),
    ("expert", gettext_lazy("Expert")),
    ("vehicle", gettext_lazy("Vehicle")),
)
COHORT_STATES = (
    ("fine", pgettext_lazy("cohort", "Fine")),
    ("weakened", pgettext_lazy("cohort", "Weakened")),
    ("impaired", pgettext_lazy("cohort", "Impaired")),
    ("broken", pgettext_lazy("cohort", "Broken")),
)

CREW = Sheet(
    "crew",
    [
        Group(
            "standing",
            pgettext_lazy("crew", "Standing"),
            (
                Text("crew_type", gettext_lazy("Kind of crew"), longest=60),
                Text("reputation", gettext_lazy("Reputation"), longest=60),
                Text("lair", gettext_lazy("Lair"), longest=400),
                Number("tier", gettext_lazy("Tier"), maximum=MOST_TIER, drawn=MOST_TIER),
                Choice(
                    "hold",
                    pgettext_lazy("crew", "Hold"),
                    choices=(("weak", pgettext_lazy("hold", "Weak")), ("strong", pgettext_lazy("hold", "Strong"))),
                    default="strong",
                ),
                boxes("rep", gettext_lazy("Rep"), REP),
                boxes("turf", gettext_lazy("Turf"), TURF),
                boxes("heat", pgettext_lazy("the law", "Heat"), HEAT),
                Number("wanted", gettext_lazy("Wanted level"), maximum=WANTED, marks=Marks.BOXES, drawn=WANTED),
            ),
        ),
        Group(
            "means",
            pgettext_lazy("crew", "Means"),
            (
                boxes("coin", gettext_lazy("Coin"), MOST_COIN),
                boxes("crew_xp", gettext_lazy("Crew XP"), XP_BOXES["crew_xp"]),
            ),
        ),
        Group("gambits", gettext_lazy("Gambits"), (boxes("gambits", gettext_lazy("Gambits"), MOST_GAMBITS),)),
        Group(
            "cohorts",
            gettext_lazy("Cohorts"),
            (
                Rows(
                    "cohorts",
                    gettext_lazy("Cohorts"),
                    gettext_lazy("Cohort"),
                    (
                        Text("name", gettext_lazy("Name"), required=True),
                        Choice("kind", gettext_lazy("Kind"), choices=COHORT_KINDS, default="gang"),
                        number("quality", pgettext_lazy("cohort", "Quality"), 10),
                        Choice("state", pgettext_lazy("cohort", "State"), choices=COHORT_STATES, default="fine"),
                        Text("words", gettext_lazy("Edges and flaws"), longest=400),
                    ),
                    most=20,
                    trait="quality",
                ),
            ),
        ),
        Group(
            "abilities",
            gettext_lazy("Special abilities"),
            (
                SPECIAL_ABILITIES,
                Rows(
                    "upgrades",
                    gettext_lazy("Upgrades"),
                    gettext_lazy("Upgrade"),
                    (Text("name", gettext_lazy("Name"), required=True),),
                    most=60,
                ),
                Rows(
                    "claims",
                    pgettext_lazy("crew", "Claims"),
                    pgettext_lazy("crew", "Claim"),
                    (
                        Text("name", gettext_lazy("Name"), required=True),
                        Text("words", gettext_lazy("What it gives"), longest=400),
                    ),
                    most=40,
                ),
            ),
        ),
        ABOUT,
    ],
    layout=Layout(
        bands=(("standing",),),
        resources=(Resource("heat"), Resource("wanted"), Resource("coin"), Resource("rep", own=True)),
    ),
    crew_of="forged",
    retired=("with_gambits",),
)


def heat(values: Values) -> tuple[int, int]:
    """Return heat (0 to 9) and wanted level (0 to 4)."""
    return CREW.number(values, "heat"), CREW.number(values, "wanted")


# The budget. The text has none: seven dots of actions, two at most in one, and one special ability are the public rules' own.


@dataclass(frozen=True, kw_only=True)
class ForgedBudget(Budget):
    """Dots, and numbers of entries."""

    sheet = SHEET

    actions: int = points(7, gettext_lazy("Action dots"))
    most_action: int = points(2, gettext_lazy("Most dots in one action at the start"), most=HIGHEST_RATING)
    abilities: int = points(1, gettext_lazy("Special abilities at the start"))

    def sections(self) -> Sequence[Section]:
        identity = tuple(name for name in SHEET.fields if SHEET.group_of(name) == "identity")
        return (
            Section("identity", _("Who they are"), identity),
            *(
                Section(
                    name,
                    ATTRIBUTE_LABELS[name],
                    fields,
                    most=self.most_action,
                    pot="actions",
                    first=name == "insight",
                )
                for name, fields in ACTIONS.items()
            ),
            Section("abilities", _("Special abilities"), (), "abilities", ("name", "words"), begins=1, first=True),
            Section("items", _("Items"), (), "items", ("name", "load")),
        )

    def reckon(self, values: Values) -> Reckoning:
        rated = {name: self.number(values, name) for names in ACTIONS.values() for name in names}
        pots = (
            Pot("actions", _("Action dots"), self.actions, sum(rated.values())),
            Pot("abilities", _("Special abilities"), self.abilities, len(SHEET.rows(values, "abilities"))),
        )
        faults = {pot.name: too_many(pot) for pot in pots if pot.over}
        faults |= {
            name: _("{action}: no more than {most} at the start.").format(
                action=SHEET.field(name).label, most=self.most_action
            )
            for name, dots in rated.items()
            if dots > self.most_action
        }
        return Reckoning(pots, faults)
