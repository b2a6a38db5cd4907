"""The sheet of a Storyteller character, and what it puts into a pool (storyteller.txt, Basic Systems)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Number, Rows, SheetError, Text
from characters.sheets.sheet import Group, Layout, Limit, Resource, Sheet, Values
from characters.sheets.traits import Trait, find, folded

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
VIRTUES = ("Conscience", "Self-Control", "Courage")
HEALTH_LEVELS = ("Bruised", "Hurt", "Injured", "Wounded", "Mauled", "Crippled", "Incapacitated")
DAMAGE = ("bashing", "lethal", "aggravated")
ARMOUR, FORTITUDE, POTENCE = "armour", "fortitude", "potence"
VAMPIRE, MORTAL = "vampire", "mortal"
BEINGS = ((VAMPIRE, "a vampire"), (MORTAL, "a mortal"))
# What a roll of these kinds is made of: fields of the sheet, and Disciplines by their names.
MADE_OF = {
    "soak": ({"stamina", ARMOUR}, {FORTITUDE}),
    "damage": ({"strength"}, {POTENCE}),
    "initiative": ({"dexterity", "wits"}, set()),
}
# More than an Attribute and an Ability is rare, more than this is a slip of the keyboard.
TRAITS_IN_A_POOL = 4


def _name(label: str) -> str:
    return label.lower().replace(" ", "_").replace("-", "_")


def _attributes(group: str) -> Group:
    # Everybody has a dot in everything; none at all is for the monstrous.
    fields = (Number(_name(label), label, maximum=ATTRIBUTE_MAXIMUM, default=1) for label in ATTRIBUTES[group])
    return Group(group, group.capitalize(), tuple(fields))


def _abilities(group: str) -> Group:
    fields = (Number(_name(label), label, maximum=ABILITY_MAXIMUM) for label in ABILITIES[group])
    own = Rows(
        f"own_{group}",
        f"Further {group}",
        group.capitalize().removesuffix("s"),
        (Text("name", "Name", required=True), Number("rating", "Rating", maximum=ABILITY_MAXIMUM)),
        most=20,
        trait="rating",
    )
    return Group(group, group.capitalize(), (*fields, own))


def _rated_rows(name: str, label: str, singular: str, *, trait: str = "") -> Rows:
    columns = (
        Text("name", "Name", required=True),
        Number("rating", "Rating", maximum=10, rollable=bool(trait)),
        Text("words", "In a few words", longest=400),
    )
    return Rows(name, label, singular, columns, most=40, trait=trait)


def _named_rows(name: str, label: str, singular: str) -> Rows:
    columns = (Text("name", "Name", required=True), Text("words", "In a few words", longest=400))
    return Rows(name, label, singular, columns, most=40)


def _damage(name: str) -> Number:
    # Counted; the track on which they lie is drawn of all three (figures.py).
    return number(name, name.capitalize(), len(HEALTH_LEVELS))


WILLPOWER = Number("willpower", "Willpower", maximum=10, default=3, ten_maximum=True, drawn=10)
WILLPOWER_NOW = boxes("willpower_now", "Willpower now", 10, ceiling="willpower", default=3)
HUMANITY = Number("humanity", "Humanity", maximum=10, default=7, ten_maximum=True, drawn=10)

SHEET = Sheet(
    "storyteller",
    [
        Group(
            "identity",
            "Who they are",
            tuple(
                Text(_name(label), label, longest=80) for label in ("Nature", "Demeanor", "Clan", "Sire", "Generation")
            ),
        ),
        *(_attributes(group) for group in ATTRIBUTES),
        *(_abilities(group) for group in ABILITIES),
        Group("virtues", "Virtues", tuple(Number(_name(label), label, default=1) for label in VIRTUES)),
        Group("willpower", "Willpower", (WILLPOWER, WILLPOWER_NOW)),
        Group("humanity", "Humanity or Path", (HUMANITY, Text("path", "Path, if another", longest=80))),
        Group(
            "blood",
            "Blood",
            (
                number("blood_pool", "Largest blood pool", 50, 10),
                boxes("blood", "Blood now", 50, ceiling="blood_pool", default=10),
                number("blood_per_turn", "Blood a turn", 50, 1),
            ),
        ),
        Group(
            "health",
            "Health",
            (
                *(_damage(kind) for kind in DAMAGE),
                Choice("being", "Soaks as", choices=BEINGS, default=VAMPIRE),
                Number(ARMOUR, "Armour", default=0),
            ),
        ),
        Group("conditions", "Conditions", (_named_rows("conditions", "Conditions", "Condition"),)),
        Group("powers", "Disciplines and other powers", (_rated_rows("powers", "Powers", "Power", trait="rating"),)),
        Group("backgrounds", "Backgrounds", (_rated_rows("backgrounds", "Backgrounds", "Background", trait="rating"),)),
        Group(
            "merits", "Merits and flaws", (_rated_rows("merits", "Merits and flaws", "Merit or flaw"),), at_hand=False
        ),
        Group(
            "experience",
            "Experience",
            (number("xp", "XP earned", 10_000), number("xp_spent", "XP spent", 10_000)),
            at_hand=False,
        ),
        ABOUT,
    ],
    limits=[Limit("Health levels", DAMAGE, len(HEALTH_LEVELS))],
    layout=Layout(
        bands=(("identity",), tuple(ATTRIBUTES), tuple(ABILITIES)),
        gathers=(("abilities", "Abilities", tuple(ABILITIES)),),
        resources=(
            Resource("wounds", "Health", counts=DAMAGE, figure="health"),
            Resource("willpower_now", "Willpower"),
            Resource("blood", "Blood", drops=True),
        ),
    ),
)


@dataclass(frozen=True)
class TraitPool:
    """The traits that are rolled together, in the order they were named."""

    traits: tuple[Trait, ...]

    @property
    def dice(self) -> int:
        """Return the sum of the ratings; 0 is a pool that cannot be rolled."""
        return sum(trait.rating for trait in self.traits)

    @property
    def ability(self) -> int:
        """Return the greatest rating among its Abilities, which Botch Cancellation goes by; 0 without one."""
        return max((trait.rating for trait in self.traits if is_ability(trait.name)), default=0)

    @property
    def label(self) -> str:
        """Return words such as "Perception + Alertness"."""
        return " + ".join(trait.label for trait in self.traits)


def label_of(name: str) -> str:
    """Return what the sheet calls a field of its own; the name itself, in words, where there is none of that name any more."""
    field = SHEET.fields.get(name)
    return field.label if field else name.replace("_", " ")


def is_ability(name: str) -> bool:
    """Return whether an address is that of an Ability, one of the usual or one of somebody's own."""
    return SHEET.group_of(name) in ABILITIES


def pool(values: Values, names: Sequence[str]) -> TraitPool:
    """Return the pool of one to four traits of a sheet, each named as `traits.find` understands it.

    An Ability at 0 leaves the Attribute alone (storyteller.txt, Default Traits). Raises SheetError for unknown traits, one named
    twice, too many, and a ten-maximum trait beside others.
    """
    traits = [find(SHEET, name, values) for name in names]
    if not traits:
        raise SheetError("Name a trait to roll.")
    if len(traits) > TRAITS_IN_A_POOL:
        raise SheetError(f"A pool has at most {TRAITS_IN_A_POOL} traits.")
    for trait in traits:
        if traits.count(trait) > 1:
            raise SheetError(f"{trait.label} is in this pool twice.", field=trait.name)
        if trait.ten_maximum and len(traits) > 1:
            raise SheetError(f"{trait.label} is rolled alone.", field=trait.name)
    return TraitPool(tuple(traits))


def makes(kind: str, traits: Sequence[Trait]) -> bool:
    """Return whether these traits are what a soak, damage or initiative roll is made of, and no others are among them."""
    fields, disciplines = MADE_OF.get(kind, (set(), set()))
    return bool(traits) and all(trait.name in fields or is_discipline(trait, disciplines) for trait in traits)


def is_discipline(trait: Trait, names: Container[str]) -> bool:
    """Return whether a trait is one of the powers on the sheet, and of one of these names."""
    return trait.name.startswith("powers/") and folded(trait.label) in names


def discipline(values: Values, name: str) -> int:
    """Return the rating of a Discipline by its name, 0 for one that nobody has."""
    rows = SHEET.rows(values, "powers")
    return max((row["rating"] for row in rows if folded(row["name"]) == name), default=0)


def wounded(values: Values) -> int:
    """Return how many health levels are marked, 0 to 7."""
    return sum(SHEET.number(values, kind) for kind in DAMAGE)


def is_incapacitated(values: Values) -> bool:
    """Return whether the last health level is marked."""
    return wounded(values) == len(HEALTH_LEVELS)


def health(values: Values) -> list[str]:
    """Return what marks each health level from the first: the worst damage before the lighter, then "" for what is whole."""
    marked = [kind for kind in reversed(DAMAGE) for _ in range(SHEET.number(values, kind))]
    return [*marked, *[""] * (len(HEALTH_LEVELS) - len(marked))]
