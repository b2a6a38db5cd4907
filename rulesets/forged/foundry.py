"""Scoundrels and crews from Foundry's system "blades-in-the-dark", versions 2 to 4 (docs/sheets.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.sheets.conversion import Conversion, inside, line, plain, says_something, whole
from characters.sheets.exchange import Head
from characters.sheets.foundry import Actor, Item, actor_in
from languages.text import gettext as _
from rulesets.forged.sheet import ACTIONS, ARMOR, LOADS, TRAUMAS, trauma_of, xp_of

SYSTEM = "blades-in-the-dark"
SOURCE = "Foundry, Blades in the Dark"

# Their fields, and ours; those that are marked are lists, numbers or texts of numbers there.
TEXTS = {
    "look": "look",
    "heritage": "heritage",
    "vice": "vice",
    "vice-purveyor": "vice_purveyor",
    "playbook": "playbook",
}
MARKED = {"healing-clock": "healing", "experience": "playbook_xp", "coins": "coin", "coins_stashed": "stash"}
HARM = {"light": "harm_1", "medium": "harm_2", "heavy": "harm_3"}
USED = dict(zip(("armor", "heavy", "special"), ARMOR, strict=True))
NAMED = {"class": "playbook", "heritage": "heritage", "background": "background", "vice": "vice"}
"""Items of which someone has one, and the field that is called so."""
CREW_MARKED = {"tier": "tier", "reputation": "rep", "heat": "heat", "wanted": "wanted", "experience": "crew_xp"}
CREW_NAMED = {"crew_type": "crew_type", "crew_reputation": "reputation"}
COHORT_STATES = {"no": "fine", "weakened": "weakened", "impaired": "impaired", "broken": "broken"}

# Keys that are read, and those that are calculated from others or the same for all.
READ = {*TEXTS, *MARKED, "alias", "background", "background-details", "stress", "trauma", "harm", "armor-uses"}
READ |= {"attributes", "selected_load_level", "acquaintances"}
RECKONED = {"acquaintances_label", "experience_max", "experience_clues", "special_abilities", "loadout", "load_level"}
RECKONED |= {"load_levels", "base_max_load", "name"}
CREW_READ = {*CREW_MARKED, "lair", "hold", "coins", "vault"}
CREW_RECKONED = {"name", "hold_types", "experience_max", "experience_clues", "features"}


def converted(file: Mapping[str, Any]) -> Conversion | None:
    """Return a scoundrel or a crew from an export of that system; None for other files."""
    actor = actor_in(file)
    if actor is None or actor.system not in ("", SYSTEM):
        return None
    if actor.type == "crew" and (actor.system or {"wanted", "heat"} <= set(actor.data)):
        return _crew(actor)
    if actor.type == "character" and (
        actor.system or inside(actor.data, "attributes", "insight", "skills") is not None
    ):
        return _scoundrel(actor)
    return None


def _scoundrel(actor: Actor) -> Conversion:
    data = actor.data
    conversion = Conversion(SOURCE, Head("forged", actor.name, line(data.get("alias"))[:120]))
    details = (line(data.get("background")), line(data.get("background-details")))
    conversion.put("background", ": ".join(filter(None, details)))
    for theirs, ours in TEXTS.items():
        conversion.put(ours, line(data.get(theirs)))
    for theirs, ours in MARKED.items():
        conversion.put(ours, whole(data.get(theirs)))
    for name, actions in ACTIONS.items():
        conversion.put(xp_of(name), whole(inside(data, "attributes", name, "exp")))
        for action in actions:
            conversion.put(action, whole(inside(data, "attributes", name, "skills", action, "value")))
    conversion.put("stress", whole(inside(data, "stress", "value")))
    _traumas(conversion, inside(data, "trauma", "list"))
    for level, slots in _entries(data.get("harm")):
        for _slot, harm in _entries(slots):
            if level in HARM:
                _row(conversion, HARM[level], {"name": line(harm)}, line(harm))
            elif line(harm):
                conversion.leave(line(harm), _("This sheet doesn’t keep fatal harm."))
    # Their sheet has all three, whatever somebody wears.
    conversion.put("armor_boxes", 2)
    conversion.put("special_boxes", 1)
    for theirs, ours in USED.items():
        conversion.put(ours, bool(whole(inside(data, "armor-uses", theirs))))
    _load(conversion, line(data.get("selected_load_level")))
    for acquaintance in data["acquaintances"][:60] if isinstance(data.get("acquaintances"), list) else ():
        name, standing = line(inside(acquaintance, "name")), line(inside(acquaintance, "standing"))
        words = f"{name} ({standing})" if standing else name
        _row(conversion, "links", {"words": words}, words)
    for item in actor.items(conversion):
        _belonging(conversion, item, NAMED)
    _rest(conversion, data, READ | RECKONED)
    return conversion


def _crew(actor: Actor) -> Conversion:
    data = actor.data
    conversion = Conversion(SOURCE, Head("forged", actor.name, is_crew=True))
    conversion.put("lair", line(data.get("lair")))
    for theirs, ours in CREW_MARKED.items():
        conversion.put(ours, whole(data.get(theirs)))
    hold = data.get("hold")
    conversion.put("hold", line(hold[0] if isinstance(hold, list) and hold else hold).lower())
    coin = [whole(inside(data, place, "value")) for place in ("coins", "vault")]
    conversion.put("coin", sum(number or 0 for number in coin), _("coins and vault"))
    for item in actor.items(conversion):
        _belonging(conversion, item, CREW_NAMED)
    _rest(conversion, data, CREW_READ | CREW_RECKONED)
    return conversion


def _belonging(conversion: Conversion, item: Item, named: Mapping[str, str]) -> None:
    data, words = item.data, plain(item.data.get("description"))
    if item.type in named:
        conversion.put(named[item.type], item.name, item.name)
    elif item.type in ("ability", "crew_ability"):
        _row(
            conversion, "abilities", {"name": item.name, "words": conversion.fitting(words, 1000, item.name)}, item.name
        )
    elif item.type == "crew_upgrade":
        _row(conversion, "upgrades", {"name": item.name}, item.name)
    elif item.type == "cohort":
        _cohort(conversion, item)
    elif item.type == "item":
        carried = bool(whole(data.get("equipped")))
        _row(conversion, "items", {"name": item.name, "load": whole(data.get("load")), "carried": carried}, item.name)
    else:
        name = item.name or _("unnamed")
        conversion.leave(f"{name} ({item.type})")


def _cohort(conversion: Conversion, item: Item) -> None:
    kind, state = (line(_first(item.data.get(name))).lower() for name in ("cohort", "harm"))
    parts = (item.data.get(name) for name in ("gang_type", "expert_type", "edges", "flaws"))
    words = ", ".join(
        line(word) for part in parts for word in (part if isinstance(part, list) else [part]) if line(word)
    )
    columns = {
        "name": item.name,
        "kind": kind if kind in ("gang", "expert") else None,
        "quality": whole(item.data.get("quality")),
        "state": COHORT_STATES.get(state),
        "words": conversion.fitting(words, 400, item.name),
    }
    _row(conversion, "cohorts", columns, item.name)


def _row(conversion: Conversion, rows: str, columns: Mapping[str, object], label: str) -> None:
    """Add a row to the sheet if it has such rows and someone named it."""
    if rows not in conversion.head.sheet.lists:
        conversion.leave(label)
    elif columns.get("name") or columns.get("words"):
        conversion.add(rows, columns, label)


def _traumas(conversion: Conversion, listed: object) -> None:
    entries = listed[:20] if isinstance(listed, list) else [value for _slot, value in _entries(listed)]
    for condition in filter(None, map(line, entries)):
        if condition.lower() in TRAUMAS:
            conversion.put(trauma_of(condition.lower()), True, condition)
        else:
            conversion.leave(condition, _("This sheet has no trauma condition of this name."))


def _load(conversion: Conversion, chosen: str) -> None:
    load = chosen.removeprefix("BITD.").lower()
    if load in dict(LOADS):
        conversion.put("load", load)
    else:
        conversion.leave(_("load: {load}").format(load=load))


def _rest(conversion: Conversion, data: Mapping[str, Any], known: set[str]) -> None:
    for name, value in data.items():
        if name not in known and says_something(value):
            conversion.leave(name)


def _entries(value: object) -> list[tuple[str, object]]:
    return list(value.items())[:20] if isinstance(value, Mapping) else []


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else value
