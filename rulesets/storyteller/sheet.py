"""The sheet of a Storyteller character, and what it puts into a pool (storyteller.txt, Basic Systems)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from characters.sheets.common import ABOUT, boxes, number
from characters.sheets.fields import Choice, Marks, Number, Rows, SheetError, Text, Visibility
from characters.sheets.sheet import Group, Layout, Limit, Resource, Sheet, Values
from characters.sheets.traits import Trait, find, folded
from languages.text import gettext, gettext_noop, in_every_language, pgettext_lazy, pgettext_noop
from languages.text import gettext_lazy as _
from rules.messages import Words, joined, worded

ATTRIBUTES = {
    "physical": (gettext_noop("Strength"), gettext_noop("Dexterity"), gettext_noop("Stamina")),
    "social": (gettext_noop("Charisma"), gettext_noop("Manipulation"), gettext_noop("Appearance")),
    "mental": (gettext_noop("Perception"), gettext_noop("Intelligence"), gettext_noop("Wits")),
}
ABILITIES = {
    "talents": (
        gettext_noop("Alertness"),
        gettext_noop("Athletics"),
        gettext_noop("Awareness"),
        gettext_noop("Brawl"),
        gettext_noop("Empathy"),
        gettext_noop("Expression"),
        gettext_noop("Intimidation"),
        gettext_noop("Leadership"),
        gettext_noop("Streetwise"),
        gettext_noop("Subterfuge"),
    ),
    "skills": (
        gettext_noop("Animal Ken"),
        gettext_noop("Crafts"),
        gettext_noop("Drive"),
        gettext_noop("Etiquette"),
        gettext_noop("Firearms"),
        gettext_noop("Larceny"),
        gettext_noop("Melee"),
        gettext_noop("Performance"),
        gettext_noop("Stealth"),
        gettext_noop("Survival"),
    ),
    "knowledges": (
        gettext_noop("Academics"),
        gettext_noop("Computer"),
        gettext_noop("Finance"),
        gettext_noop("Investigation"),
        gettext_noop("Law"),
        gettext_noop("Medicine"),
        gettext_noop("Occult"),
        gettext_noop("Politics"),
        gettext_noop("Science"),
        gettext_noop("Technology"),
    ),
}
ATTRIBUTE_MAXIMUM = 5
# The mastery that takes 1s out of a botch speaks of ratings of 5 and 6 (storyteller.txt, Botch Cancellation).
ABILITY_MAXIMUM = 6
VIRTUES = (gettext_noop("Conscience"), gettext_noop("Self-Control"), gettext_noop("Courage"))
HEALTH_LEVELS = (
    _("Bruised"),
    pgettext_lazy("a health level", "Hurt"),
    _("Injured"),
    _("Wounded"),
    _("Mauled"),
    _("Crippled"),
    _("Incapacitated"),
)
DAMAGE_WORDS = {
    "bashing": _("Bashing"),
    "lethal": _("Lethal"),
    "aggravated": _("Aggravated"),
}
DAMAGE = tuple(DAMAGE_WORDS)
GROUPS = {
    "physical": _("Physical"),
    "social": _("Social"),
    "mental": _("Mental"),
    "talents": _("Talents"),
    "skills": _("Skills"),
    "knowledges": _("Knowledges"),
}
OWN = {
    "talents": (_("Other talents"), _("Talent")),
    "skills": (_("Other skills"), _("Skill")),
    "knowledges": (_("Other knowledges"), _("Knowledge")),
}
"""The labels of the rows of further Abilities, plural and singular."""
IDENTITY = (
    gettext_noop("Nature"),
    gettext_noop("Demeanor"),
    gettext_noop("Clan"),
    gettext_noop("Sire"),
    gettext_noop("Generation"),
)
OF_CHARACTER = IDENTITY[:2]
NATURES = {
    pgettext_noop("nature", "Builder"): _("Makes things that last, and can’t leave one unfinished."),
    pgettext_noop("nature", "Caretaker"): _("Looks after others first, asked or not."),
    pgettext_noop("nature", "Contrarian"): _("Says no first, and finds the reason afterwards."),
    pgettext_noop("nature", "Guardian"): _("Stands between danger and those who can’t fight."),
    pgettext_noop("nature", "Loner"): _("Trusts no plan that needs somebody else."),
    pgettext_noop("nature", "Peacemaker"): _("Ends every quarrel, whatever it costs."),
    pgettext_noop("nature", "Penitent"): _("Pays for something that nobody else remembers."),
    pgettext_noop("nature", "Seeker"): _("Opens the door because it is closed."),
    pgettext_noop("nature", "Showman"): _("Wants to be watched, even by enemies."),
    pgettext_noop("nature", "Survivor"): _("Has always known where the way out is."),
}
"""What these may be, in our own words: suggestions with a line each. Anything else can be typed."""
ARMOUR = "armour"
POOL = "pool"
MOST_DICE = 99
FORTITUDE, POTENCE = gettext_noop("Fortitude"), gettext_noop("Potence")
VAMPIRE, MORTAL = "vampire", "mortal"
BEINGS = ((VAMPIRE, _("a vampire")), (MORTAL, _("a mortal")))
# The parts of a roll of these kinds: fields of the sheet, and Disciplines by their English names.
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
    # Everyone has a dot in everything; none at all is for monsters.
    fields = (Number(_name(label), _(label), maximum=ATTRIBUTE_MAXIMUM, default=1) for label in ATTRIBUTES[group])
    return Group(group, GROUPS[group], tuple(fields))


def _abilities(group: str) -> Group:
    fields = (Number(_name(label), _(label), maximum=ABILITY_MAXIMUM) for label in ABILITIES[group])
    own = Rows(
        f"own_{group}",
        *OWN[group],
        (
            Text("name", _("Name"), required=True),
            Number("rating", _("Rating"), maximum=ABILITY_MAXIMUM),
        ),
        most=20,
        trait="rating",
    )
    return Group(group, GROUPS[group], (*fields, own), by_label=True)


def _rated_rows(name: str, label: str, singular: str, *, trait: str = "") -> Rows:
    columns = (
        Text("name", _("Name"), required=True),
        Number("rating", _("Rating"), maximum=10, rollable=bool(trait)),
        Text("words", _("In a few words"), longest=400),
    )
    return Rows(name, label, singular, columns, most=40, trait=trait)


SHEET = Sheet(
    "storyteller",
    [
        Group(
            "identity",
            _("Identity"),
            tuple(
                Text(_name(label), _(label), longest=80, suggests=NATURES, context="nature")
                if label in OF_CHARACTER
                else Text(_name(label), _(label), longest=80)
                for label in IDENTITY
            ),
        ),
        *(_attributes(group) for group in ATTRIBUTES),
        *(_abilities(group) for group in ABILITIES),
        Group(
            "virtues",
            _("Virtues"),
            tuple(Number(_name(label), _(label), default=1) for label in VIRTUES),
        ),
        Group(
            "willpower",
            _("Willpower"),
            (
                Number("willpower", _("Willpower"), maximum=10, default=3, ten_maximum=True, drawn=10),
                boxes("willpower_now", _("Current Willpower"), 10, ceiling="willpower", default=3),
            ),
        ),
        # Beside Willpower (storyteller.txt, Personality Traits); most characters have none.
        Group(
            "inspiration",
            _("Inspiration"),
            (
                Number("inspiration", _("Inspiration"), maximum=10, ten_maximum=True, drawn=10),
                boxes("inspiration_now", _("Current Inspiration"), 10, ceiling="inspiration"),
            ),
        ),
        Group(
            "humanity",
            _("Humanity or Path"),
            (
                Number("humanity", _("Humanity"), maximum=10, default=7, ten_maximum=True, drawn=10),
                Text("path", _("Path, if different"), longest=80),
            ),
        ),
        Group(
            "blood",
            _("Blood"),
            (
                number("blood_pool", _("Maximum blood pool"), 50, 10),
                boxes("blood", _("Current blood"), 50, ceiling="blood_pool", default=10),
                number("blood_per_turn", _("Blood per turn"), 50, 1),
            ),
        ),
        Group(
            "health",
            _("Health"),
            (
                # Numbers; the track shows all three together (figures.py).
                *(number(name, label, len(HEALTH_LEVELS)) for name, label in DAMAGE_WORDS.items()),
                Choice("being", _("Soaks as"), choices=BEINGS, default=VAMPIRE),
                Number(ARMOUR, _("Armour"), default=0),
            ),
        ),
        Group(
            "conditions",
            _("Conditions"),
            (
                Rows(
                    "conditions",
                    _("Conditions"),
                    _("Condition"),
                    (
                        Text("name", _("Name"), required=True, context="condition"),
                        Text("words", _("In a few words"), longest=400, context="condition"),
                    ),
                    most=40,
                ),
            ),
        ),
        Group(
            "powers",
            _("Disciplines and other powers"),
            (_rated_rows("powers", _("Powers"), _("Power"), trait="rating"),),
        ),
        Group(
            "backgrounds",
            _("Backgrounds"),
            (_rated_rows("backgrounds", _("Backgrounds"), _("Background"), trait="rating"),),
        ),
        Group(
            "merits",
            _("Merits and flaws"),
            (_rated_rows("merits", _("Merits and flaws"), _("Merit or flaw")),),
            at_hand=False,
        ),
        Group(
            "experience",
            _("Experience"),
            (number("xp", _("XP earned"), 10_000), number("xp_spent", _("XP spent"), 10_000)),
            at_hand=False,
        ),
        Group(
            "npc",
            _("Quick NPC"),
            (
                Number(
                    POOL,
                    _("Dice for any roll"),
                    Visibility.SECRET,
                    maximum=MOST_DICE,
                    rollable=False,
                    marks=Marks.NUMBER,
                    drawn=0,
                ),
            ),
            at_hand=False,
        ),
        ABOUT,
    ],
    quick=POOL,
    limits=[Limit(_("Health levels"), DAMAGE, len(HEALTH_LEVELS))],
    layout=Layout(
        bands=(("identity",), tuple(ATTRIBUTES), tuple(ABILITIES)),
        gathers=(("abilities", _("Abilities"), tuple(ABILITIES)),),
        resources=(
            Resource("wounds", _("Health"), counts=DAMAGE, figure="health"),
            Resource("willpower_now", _("Willpower")),
            Resource("blood", _("Blood"), drops=True),
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
        """Return the greatest rating among its Abilities, for Botch Cancellation; 0 without one."""
        return max((trait.rating for trait in self.traits if SHEET.group_of(trait.name) in ABILITIES), default=0)

    @property
    def label(self) -> str:
        """Return words such as "Perception + Alertness"."""
        return " + ".join(str(trait.label) for trait in self.traits)


def label_of(name: str) -> str:
    """Return the sheet's label for one of its fields; the name itself, in words, if the field no longer exists."""
    return str(label_said(name))


def label_said(name: str) -> Words:
    """Return the same as it is stored."""
    field = SHEET.fields.get(name)
    return worded(field.label) if field else name.replace("_", " ")


def label_in_language(label: str) -> str:
    """Return a field's label in the active language, by its English label; typed words as they are."""
    field = SHEET.fields.get(_name(label))
    return str(field.label) if field else label


def pool(values: Values, names: Sequence[str]) -> TraitPool:
    """Return the pool of one to four traits of a sheet, each named as `traits.find` understands it.

    An Ability at 0 leaves the Attribute alone (storyteller.txt, Default Traits). Raises SheetError for unknown traits,
    one named twice, too many, and a ten-maximum trait with others.
    """
    traits = [find(SHEET, name, values) for name in names]
    if not traits:
        raise SheetError(gettext("Name a trait to roll."))
    if len(traits) > TRAITS_IN_A_POOL:
        raise SheetError(gettext("A pool has at most {count} traits.").format(count=TRAITS_IN_A_POOL))
    for trait in traits:
        if traits.count(trait) > 1:
            raise SheetError(gettext("{trait} is in this pool twice.").format(trait=trait.label), field=trait.name)
        if trait.ten_maximum and len(traits) > 1:
            raise SheetError(gettext("{trait} is rolled alone.").format(trait=trait.label), field=trait.name)
    return TraitPool(tuple(traits))


def makes(kind: str, traits: Sequence[Trait]) -> bool:
    """Return whether these traits, and no others, make up a soak, damage or initiative roll."""
    fields, disciplines = MADE_OF.get(kind, (set(), set()))
    return bool(traits) and all(trait.name in fields or is_discipline(trait, disciplines) for trait in traits)


def is_discipline(trait: Trait, names: Iterable[str]) -> bool:
    """Return whether a trait is one of the sheet's powers with one of these English names, in any language."""
    return trait.name.startswith("powers/") and any(folded(trait.label) in _spellings(name) for name in names)


def discipline(values: Values, name: str) -> int:
    """Return the rating of a Discipline by its English name, in any language; 0 if the sheet does not have it."""
    named = _spellings(name)
    return max((row["rating"] for row in SHEET.rows(values, "powers") if folded(row["name"]) in named), default=0)


def _spellings(name: str) -> set[str]:
    return {folded(word) for word in in_every_language(name)}


def wounded(values: Values) -> int:
    """Return how many health levels are marked, 0 to 7."""
    return sum(SHEET.number(values, kind) for kind in DAMAGE)


def is_incapacitated(values: Values) -> bool:
    """Return whether the last health level is marked."""
    return wounded(values) == len(HEALTH_LEVELS)


def health(values: Values) -> list[str]:
    """Return the damage on each health level from the first: the worst first, then "" for unmarked ones."""
    marked = [kind for kind in reversed(DAMAGE) for _ in range(SHEET.number(values, kind))]
    return [*marked, *[""] * (len(HEALTH_LEVELS) - len(marked))]


def state_words(marked: int, lost: int) -> Words:
    """Return how a character is with so many marked health levels, which take so many dice: "Hurt −1"."""
    level = worded(HEALTH_LEVELS[marked - 1] if marked else _("Unhurt"))
    return joined(" ", (level, f"−{lost}")) if lost else level
