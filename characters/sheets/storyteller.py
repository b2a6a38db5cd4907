"""The sheet of a Storyteller character, and what it puts into a pool (storyteller.txt, Basic Systems)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from characters.sheets.fields import Field, Group, Marks, Sheet, SheetError

ATTRIBUTES = {
    "physical": ("Strength", "Dexterity", "Stamina"),
    "social": ("Charisma", "Manipulation", "Appearance"),
    "mental": ("Perception", "Intelligence", "Wits"),
}
ABILITIES = {
    "talents": (
        "Alertness",
        "Athletics",
        "Awareness",
        "Brawl",
        "Empathy",
        "Expression",
        "Intimidation",
        "Leadership",
        "Streetwise",
        "Subterfuge",
    ),
    "skills": (
        "Animal Ken",
        "Crafts",
        "Drive",
        "Etiquette",
        "Firearms",
        "Larceny",
        "Melee",
        "Performance",
        "Stealth",
        "Survival",
    ),
    "knowledges": (
        "Academics",
        "Computer",
        "Finance",
        "Investigation",
        "Law",
        "Medicine",
        "Occult",
        "Politics",
        "Science",
        "Technology",
    ),
}
ATTRIBUTE_MAXIMUM = 5
# The mastery that takes 1s out of a botch speaks of ratings of 5 and 6 (storyteller.txt, Botch Cancellation).
ABILITY_MAXIMUM = 6
# More than an Attribute and an Ability is rare, more than this is a slip of the keyboard.
TRAITS_IN_A_POOL = 4


def _name(label: str) -> str:
    return label.lower().replace(" ", "_")


def _attributes(group: str) -> Group:
    # Everybody has a dot in everything; none at all is for the monstrous.
    fields = (Field(_name(label), label, group, maximum=ATTRIBUTE_MAXIMUM, default=1) for label in ATTRIBUTES[group])
    return Group(group, group.capitalize(), tuple(fields))


def _abilities(group: str) -> Group:
    fields = (Field(_name(label), label, group, maximum=ABILITY_MAXIMUM) for label in ABILITIES[group])
    return Group(group, group.capitalize(), tuple(fields))


WILLPOWER = Field("willpower", "Willpower", "willpower", maximum=10, default=3, ten_maximum=True, drawn=10)
WILLPOWER_NOW = Field(
    "willpower_now",
    "Willpower now",
    "willpower",
    maximum=10,
    default=3,
    rollable=False,
    ceiling="willpower",
    marks=Marks.BOXES,
    drawn=0,
)
HUMANITY = Field("humanity", "Humanity", "humanity", maximum=10, default=7, ten_maximum=True, drawn=10)

SHEET = Sheet(
    "storyteller",
    [
        *(_attributes(group) for group in ATTRIBUTES),
        *(_abilities(group) for group in ABILITIES),
        Group("willpower", "Willpower", (WILLPOWER, WILLPOWER_NOW)),
        Group("humanity", "Humanity", (HUMANITY,)),
    ],
)


@dataclass(frozen=True)
class Rated:
    """A trait with the rating it has on one sheet."""

    name: str
    label: str
    rating: int


@dataclass(frozen=True)
class TraitPool:
    """The traits that are rolled together, in the order they were named."""

    traits: tuple[Rated, ...]

    @property
    def dice(self) -> int:
        """The sum of the ratings; 0 is a pool that cannot be rolled."""
        return sum(trait.rating for trait in self.traits)

    @property
    def ability(self) -> int:
        """The greatest rating among its Abilities, which Botch Cancellation goes by; 0 without one."""
        return max((trait.rating for trait in self.traits if is_ability(trait.name)), default=0)

    @property
    def label(self) -> str:
        """ "Perception + Alertness"."""
        return " + ".join(trait.label for trait in self.traits)


def is_ability(name: str) -> bool:
    return name in SHEET.fields and SHEET.fields[name].group in ABILITIES


def pool(values: Mapping[str, int], names: Sequence[str]) -> TraitPool:
    """The pool of one to four traits of a sheet, each named as `SHEET.find` understands it.

    An Ability at 0 leaves the Attribute alone (storyteller.txt, Default Traits). Raises SheetError for unknown traits, one named
    twice, too many, and a ten-maximum trait beside others.
    """
    fields = [SHEET.find(name) for name in names]
    if not fields:
        raise SheetError("Name a trait to roll.")
    if len(fields) > TRAITS_IN_A_POOL:
        raise SheetError(f"A pool has at most {TRAITS_IN_A_POOL} traits.")
    for field in fields:
        if fields.count(field) > 1:
            raise SheetError(f"{field.label} is in this pool twice.", field=field.name)
        if field.ten_maximum and len(fields) > 1:
            raise SheetError(f"{field.label} is rolled alone.", field=field.name)
    return TraitPool(tuple(Rated(f.name, f.label, SHEET.value(values, f.name)) for f in fields))


def read_pool(values: Mapping[str, int], text: str) -> TraitPool:
    """The pool that somebody typed, such as "perception+alertness" or "perc + alert". Raises SheetError as `pool` does."""
    return pool(values, text.split("+"))
