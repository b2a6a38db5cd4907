"""Characters from Foundry's system "worldofdarkness", versions 1 to 7 (docs/sheets.md).

Until its version 6 Abilities and what it calls advantages stand in an actor's data, later in its items; both are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from characters.sheets.conversion import Conversion, inside, line, plain, says_something, whole
from characters.sheets.exchange import Head
from characters.sheets.foundry import Actor, Item, actor_in
from characters.sheets.traits import folded
from languages.text import colon
from languages.text import gettext as _
from rulesets.storyteller.sheet import ABILITIES, ATTRIBUTES, DAMAGE, MORTAL, VAMPIRE, VIRTUES

SYSTEM = "worldofdarkness"
SOURCE = "Foundry, World of Darkness 20th"

KINDS = {"talent": "talents", "skill": "skills", "knowledge": "knowledges"}
"""Foundry's names of the three kinds of Abilities, with ours."""
ONE_WORD = {folded(label): label for labels in ABILITIES.values() for label in labels}
OTHER_WORDS = {"craft": "Crafts"}
ABILITY_FIELDS = {label: label.lower().replace(" ", "_") for labels in ABILITIES.values() for label in labels}
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
BIO = ("nature", "demeanor", "clan", "sire", "generation")

# Keys that are read, and those that are calculated from others, the same for all, or only for their pages.
READ = {*BIO, "bio", "concept", "appearance", "background", "notes", "attributes", "abilities", "advantages", "health"}
READ |= {*ADVANTAGES, "virtues"}
RECKONED = {"settings", "traits", "name", "soak", "initiative", "movement", "conditions", "favoriterolls", "isequipped"}
RECKONED |= {"variant", "worldanvil", "generationmod", "listdata"}


def converted(file: Mapping[str, Any]) -> Conversion | None:
    """Return a character from an export of that system; None for other files."""
    actor = actor_in(file)
    if actor is None or actor.system not in ("", SYSTEM):
        return None
    if inside(actor.data, "attributes", "strength") is None or inside(actor.data, "health", "damage") is None:
        return None
    data = actor.data
    about = data["bio"] if isinstance(data.get("bio"), Mapping) else data
    conversion = Conversion(SOURCE, Head("storyteller", actor.name, line(about.get("concept"))[:120]))
    items = list(actor.items(conversion))
    for name in BIO:
        conversion.put(name, _words(about.get(name) or inside(about, "splatfields", name)))
    conversion.put("description", plain(about.get("appearance")), "appearance")
    # All who read a card read the description; their notes stay with those who may read notes.
    conversion.put("notes", "\n\n".join(filter(None, (plain(about.get(name)) for name in ("background", "notes")))))
    _being(conversion, actor)
    for label in (label for labels in ATTRIBUTES.values() for label in labels):
        conversion.put(label.lower(), whole(inside(data, "attributes", label.lower(), "value")))
    for kind, name, rating in _abilities(data, items):
        _ability(conversion, kind, name, rating)
    _advantages(conversion, {**_standing(data), **_carried(items)})
    for damage in DAMAGE:
        conversion.put(damage, whole(inside(data, "health", "damage", damage)))
    _belongings(conversion, items)
    for name, value in data.items():
        if name not in READ | RECKONED and says_something(value):
            conversion.leave(name)
    if about is not data:
        for name, value in about.items():
            if name not in {*READ, *RECKONED, "splatfields"} and says_something(value):
                conversion.leave(name)
        for name, field in _mapping(about.get("splatfields")).items():
            if name not in BIO and _words(field):
                conversion.leave(f"{name}{colon()}{_words(field)}")
    return conversion


def _being(conversion: Conversion, actor: Actor) -> None:
    being = line(inside(actor.data, "settings", "splat")) or actor.type
    conversion.put("being", VAMPIRE if being.lower() == VAMPIRE else MORTAL)
    if being.lower() not in (VAMPIRE, MORTAL, "pc"):
        conversion.leave(being, _("The sheet is for vampires and mortals, so this character soaks as a mortal."))


def _abilities(data: Mapping[str, Any], items: list[Item]) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the name and the rating of each Ability that has dots."""
    for kind, ours in KINDS.items():
        for name, ability in _mapping(inside(data, "abilities", kind)).items():
            if rating := whole(inside(ability, "value")):
                yield ours, line(inside(ability, "altlabel")) or name, rating
    for item in items:
        kind = _kind(item)
        ours = next((ours for theirs, ours in KINDS.items() if kind.startswith(theirs)), "")
        if ours and (rating := whole(item.data.get("value"))):
            own = line(item.data.get("id"))
            yield ours, own if _known(own) else item.name, rating


def _ability(conversion: Conversion, kind: str, name: str, rating: int) -> None:
    if known := _known(name):
        conversion.put(known, rating)
    else:
        conversion.add(f"own_{kind}", {"name": name[:1].upper() + name[1:], "rating": rating}, name)


def _known(name: str) -> str:
    """Return the field of an Ability that the sheet has; "" for others."""
    word = folded(name)
    return ABILITY_FIELDS.get(OTHER_WORDS.get(word) or ONE_WORD.get(word, ""), "")


def _standing(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return what Foundry calls advantages, by name, from an actor's data."""
    found: dict[str, Any] = {}
    for place in (data, _mapping(data.get("advantages"))):
        found |= _mapping(place.get("virtues"))
        found |= {name: value for name, value in place.items() if place is not data or name in ADVANTAGES}
    return {name: _mapping(value) for name, value in found.items() if name != "virtues"}


def _carried(items: list[Item]) -> dict[str, Mapping[str, Any]]:
    """Return the same from its items."""
    return {line(item.data.get("id")) or item.name: item.data for item in items if item.type == "Advantage"}


def _advantages(conversion: Conversion, advantages: Mapping[str, Mapping[str, Any]]) -> None:
    for name, advantage in advantages.items():
        now, lasting = whole(advantage.get("temporary")), whole(advantage.get("permanent"))
        lasting = lasting or whole(advantage.get("value"))
        if name == "willpower":
            conversion.put("willpower", lasting)
            conversion.put("willpower_now", now)
        elif name == "bloodpool":
            conversion.put("blood_pool", whole(advantage.get("max")) or None)
            conversion.put("blood", now)
            conversion.put("blood_per_turn", whole(advantage.get("perturn")) or None)
        elif name == "path":
            conversion.put("humanity", lasting or None)
            path = line(advantage.get("custom")) or line(advantage.get("label")).rsplit(".", 1)[-1]
            conversion.put("path", "" if path == "humanity" else path)
        elif name in VIRTUE_FIELDS:
            conversion.put(VIRTUE_FIELDS[name], lasting or None)
        elif now or lasting:
            conversion.leave(f"{name}{colon()}{lasting or now}")


def _belongings(conversion: Conversion, items: list[Item]) -> None:
    earned = spent = 0
    within: dict[str, list[str]] = {}
    for item in items:
        within.setdefault(line(item.data.get("parentid")), []).append(item.name)
    powers = {item.id for item in items if item.id and (_kind(item) in ROWS or item.type == "Power")}
    for item in items:
        kind = _kind(item)
        if item.type == "Experience":
            amount = whole(item.data.get("amount")) or 0
            earned, spent = (earned, spent + amount) if kind == "expspent" else (earned + amount, spent)
        elif kind not in ROWS and line(item.data.get("parentid")) in powers:
            continue  # included in the words of its owner
        elif kind in ROWS or item.type == "Power":
            words = conversion.fitting(", ".join(within.get(item.id, ())) if item.id else "", 400, item.name)
            rating = whole(item.data.get("value")) or whole(item.data.get("level"))
            columns = {"name": item.name, "rating": rating, "words": words}
            conversion.add(ROWS.get(kind, "powers"), columns, item.name)
        elif item.type != "Advantage" and not kind.startswith(tuple(KINDS)):
            named = item.name or _("unnamed")
            conversion.leave(f"{named} ({item.type})")
    conversion.put("xp", earned or None)
    conversion.put("xp_spent", spent or None)


def _kind(item: Item) -> str:
    """Return the last word of an item's type: "discipline" of "wod.types.discipline"."""
    return line(item.data.get("type")).rsplit(".", 1)[-1]


def _words(value: object) -> str:
    value = value.get("value") if isinstance(value, Mapping) else value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else line(value)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
