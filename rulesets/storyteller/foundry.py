"""Characters from Foundry's system "worldofdarkness", versions 1 to 7 (docs/sheets.md).

Until its version 6 Abilities and what it calls advantages stand in an actor's data, later in its items; both are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from characters.sheets.conversion import Actor, Conversion, Item, Reading, Usual, actor_in, filled, inside
from characters.sheets.exchange import Head
from characters.sheets.traits import folded
from languages.text import gettext as _
from languages.text import in_every_language
from rulesets.storyteller.sheet import ABILITIES, ATTRIBUTES, DAMAGE, MORTAL, VAMPIRE, VIRTUES

SYSTEM = "worldofdarkness"
SOURCE = "Foundry, World of Darkness 20th"

KINDS = {"talent": "talents", "skill": "skills", "knowledge": "knowledges"}
"""Foundry's names of the three kinds of Abilities, with ours."""
ONE_WORD = {folded(label): label for labels in ABILITIES.values() for label in labels}
OTHER_WORDS = {"craft": "Crafts"}
ABILITY_FIELDS = {label: label.lower().replace(" ", "_") for labels in ABILITIES.values() for label in labels}
ENGLISH = {field: label for label, field in ABILITY_FIELDS.items()}
ENGLISH |= {label.lower().replace("-", "_"): label for label in VIRTUES}
VIRTUE_FIELDS = {label.lower().replace("-", ""): label.lower().replace("-", "_") for label in VIRTUES}
ROWS = {
    "background": "backgrounds",
    "merit": "merits",
    "flaw": "merits",
    "discipline": "powers",
    "disciplinepath": "powers",
}
"""Their types of features and powers, and our lists of them; powers of other types are powers here as well."""
ADVANTAGES = ("willpower", "path", "bloodpool")
OURS = {"willpower": "willpower", "bloodpool": "blood_pool", **VIRTUE_FIELDS}
BIO = ("nature", "demeanor", "clan", "sire", "generation")
AROUND = frozenset(
    ("attributes", "abilities", *KINDS, "advantages", "virtues", "health", "bio", "splatfields", "settings", "traits")
)
LABEL = re.compile(r"wod(\.\w+)*\.(\w+)")

# What is calculated from other values, the same for all, or only for their pages.
_PAGES = [
    "label",
    "*/label",
    "*/max",
    "*/total",
    "*/roll",
    "*/isvisible",
    "*/isfavorited",
    "*/isrollable",
    "shapes/homid/isactive",
    "*/sort",
    "*/order",
    "attributes/*/type",
    "abilities/*/type",
    "abilities/*/altlabel",
    "health/*/penalty",
    "health/damage/wound*",
    "soak/*",
    "movement/*",
    "initiative/base",
    "settings/has*",
    "settings/is*",
    "settings/use*",
    "settings/version",
    "settings/era",
    "settings/game",
    "settings/variantsheet",
    "settings/dicesetting",
    "settings/powers/has*",
    "*/defaultmaxvalue",
    "name",
    "bio/name",
    "isequipped",
    "listdata*",
    "favoriterolls*",
    "settings/splat",
    "items/settings*",
    "items/version",
    "items/id",
    "items/reference",
    "items/label",
    "items/is*",
    "items/game",
    "items/max",
    "items/total",
    "items/type",
    "items/parentid",
    "items/sheettype",
    "items/era",
    "items/roll",
    "items/group",
    "items/secondary*",
]
_VALUES = {
    "attributes/*/value": ("1",),
    "health/[!d]*": ("1",),
    "traits/health/totalhealthlevels/*": ("7",),
    "settings/variant": ("general",),
    "items/difficulty": ("6", "-1"),
    "items/perturn": ("1",),
}
USUAL = Usual(_PAGES, _VALUES)


def converted(file: Mapping[str, Any]) -> Conversion | None:
    """Return a character from an export of that system; None for other files."""
    actor = actor_in(file)
    if actor is None or actor.system not in ("", SYSTEM):
        return None
    data = actor.data
    if inside(data.value, "attributes", "strength") is None:
        return None
    if not actor.system and inside(data.value, "health", "damage") is None:
        return None
    about = data.part("bio") if isinstance(inside(data.value, "bio"), Mapping) else data
    conversion = Conversion(SOURCE, Head("storyteller", actor.name, about.line("concept")))
    items = list(actor.items())
    for name in BIO:
        conversion.put(
            name, about.line("custom", name) or _words(about.part(name)) or _words(about.part("splatfields", name))
        )
    conversion.put("description", about.plain("appearance"), "appearance")
    # All who read a card read the description; their notes stay with those who may read notes.
    conversion.put("notes", "\n\n".join(filter(None, (about.plain(name) for name in ("background", "notes")))))
    _being(conversion, actor)
    for label in (label for labels in ATTRIBUTES.values() for label in labels):
        conversion.put(label.lower(), data.whole("attributes", label.lower(), "value"))
    for kind, name, called, rating in _abilities(data, items):
        _ability(conversion, kind, name, rating)
        _called(conversion, called, _known(name))
    carried = {item.data.line("id") or item.name: item for item in items if item.type == "Advantage"}
    standing = _standing(data) | {name: item.data for name, item in carried.items()}
    _advantages(conversion, standing, {name: item.name for name, item in carried.items()})
    for damage in DAMAGE:
        conversion.put(damage, data.whole("health", "damage", damage))
    _belongings(conversion, items)
    actor.leave_rest(conversion, USUAL, AROUND)
    return conversion


def _being(conversion: Conversion, actor: Actor) -> None:
    being = _words(actor.data.part("settings", "splat")) or actor.type
    conversion.put("being", VAMPIRE if being.lower() == VAMPIRE else MORTAL)
    if being.lower() not in (VAMPIRE, MORTAL, "pc"):
        conversion.leave(being, _("The sheet is for vampires and mortals, so this character soaks as a mortal."))


def _abilities(data: Reading, items: list[Item]) -> Iterator[tuple[str, str, str, int]]:
    """Yield the kind, the name, what it is called in the file and the rating of each Ability that has dots."""
    for kind, ours in KINDS.items():
        for name, ability in data.parts("abilities", kind):
            if rating := ability.whole("value"):
                called = ability.line("altlabel") or name
                yield ours, called, called, rating
    for name, ability in data.parts("abilities"):  # since their version 5
        if (ours := KINDS.get(ability.part("type").value, "")) and (rating := ability.whole("value")):
            called = ability.line("altlabel") or name
            yield ours, called, called, rating
    for item in items:
        kind = _kind(item)
        ours = next((ours for theirs, ours in KINDS.items() if kind.startswith(theirs)), "")
        if ours and (rating := item.data.whole("value")):
            own = item.data.line("id")
            yield ours, own if _known(own) else item.name, item.name, rating


def _ability(conversion: Conversion, kind: str, name: str, rating: int) -> None:
    if known := _known(name):
        conversion.put(known, rating)
    else:
        conversion.add(f"own_{kind}", {"name": name[:1].upper() + name[1:], "rating": rating}, name)


def _called(conversion: Conversion, called: str, field: str) -> None:
    """Name what a file calls something that we call something else, in any language."""
    if not called or not field or _known(called) == field:
        return
    label = conversion.head.sheet.fields[field].label
    ours = {field, str(label), *in_every_language(ENGLISH.get(field, field))}
    if folded(called) not in {folded(word) for word in ours}:
        conversion.leave(called, _("This sheet calls it {name}.").format(name=label))


def _known(name: str) -> str:
    """Return the field of an Ability that the sheet has; "" for others."""
    word = folded(name)
    return ABILITY_FIELDS.get(OTHER_WORDS.get(word) or ONE_WORD.get(word, ""), "")


def _standing(data: Reading) -> dict[str, Reading]:
    """Return what Foundry calls advantages, by name, from an actor's data."""
    older = {name: data.part(name) for name in ADVANTAGES if name in data.value} | dict(data.parts("virtues"))
    found = dict(data.parts("advantages")) | dict(data.parts("advantages", "virtues"))
    for name in older.keys() & found:
        older[name].take()  # a copy that stayed behind when the file's version rose
    return {name: part for name, part in (older | found).items() if name != "virtues"}


def _advantages(conversion: Conversion, advantages: Mapping[str, Reading], names: Mapping[str, str]) -> None:
    for name, advantage in advantages.items():
        called = names.get(name, "")
        if name in ("willpower", "path", *VIRTUE_FIELDS):
            # The same number stands twice in older versions.
            lasting = max(advantage.whole("permanent") or 0, advantage.whole("value") or 0)
        if name == "willpower":
            conversion.put("willpower", lasting)
            conversion.put("willpower_now", advantage.whole("temporary"))
        elif name == "bloodpool":
            conversion.put("blood_pool", advantage.whole("max") or None)
            conversion.put("blood", advantage.whole("temporary"))
            conversion.put("blood_per_turn", advantage.whole("perturn") or None)
        elif name == "path":
            conversion.put("humanity", lasting or None)
            path = advantage.line("custom") or called or _words(advantage.part("label"))
            conversion.put("path", "" if folded(path) == "humanity" else path)
        elif name in VIRTUE_FIELDS:
            conversion.put(VIRTUE_FIELDS[name], lasting or None)
            called = called or _words(advantage.part("label"))
        if name != "path":
            _called(conversion, called, OURS.get(name, ""))


def _belongings(conversion: Conversion, items: list[Item]) -> None:
    earned = spent = 0
    entries: list[str] = []
    within: dict[str, list[str]] = {}
    for item in items:
        within.setdefault(item.data.line("parentid"), []).append(
            f"{item.name} {item.data.whole('level') or ''}".rstrip()
        )
    powers = {item.id for item in items if item.id and (_kind(item) in ROWS or item.type == "Power")}
    for item in items:
        kind, data = _kind(item), item.data
        if item.type == "Experience":
            amount = data.whole("amount") or 0
            earned, spent = (earned, spent + amount) if kind == "expspent" else (earned + amount, spent)
            entries.append(f"{item.name} {amount}")
        elif kind not in ROWS and data.line("parentid") in powers:
            continue  # included in the words of its owner
        elif kind in ROWS or item.type == "Power":
            included = ", ".join(within.get(item.id, ())) if item.id else ""
            words = ". ".join(filter(None, (included, data.line("details"))))
            columns = {"name": item.name, "rating": data.whole("value") or data.whole("level"), "words": words}
            conversion.add(ROWS.get(kind, "powers"), columns, item.name)
        elif item.type != "Advantage" and not kind.startswith(tuple(KINDS)):
            item.leave(conversion)
    conversion.put("xp", earned or None)
    conversion.put("xp_spent", spent or None)
    for words in filled(entries):
        conversion.leave(words, _("This sheet keeps the sums of XP."))


def _kind(item: Item) -> str:
    """Return the last word of an item's type: "discipline" of "wod.types.discipline"."""
    return item.data.line("type").rsplit(".", 1)[-1]


def _words(part: Reading) -> str:
    """Return the words of a part of a file, or of the value in it: of "wod.bio.vampire.shore" the last, with a capital."""
    part = part.part("value") if isinstance(part.value, Mapping) else part
    if (number := part.whole()) is not None:
        return str(number)
    label = LABEL.fullmatch(text := part.line())
    return label[2].capitalize() if label else text
