"""Scoundrels, crews, NPCs and factions from Foundry's system "blades-in-the-dark", versions 2 to 6 (docs/sheets.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.sheets.conversion import Actor, Conversion, Item, Reading, Usual, actor_in
from characters.sheets.exchange import Head
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
    "pronouns": "pronouns",
}
MARKED = {"healing-clock": "healing", "experience": "playbook_xp", "coins": "coin", "coins_stashed": "stash"}
HARM = {"light": "harm_1", "medium": "harm_2", "heavy": "harm_3"}
USED = dict(zip(("armor", "heavy", "special"), ARMOR, strict=True))
NAMED = {"class": "playbook", "heritage": "heritage", "background": "background", "vice": "vice"}
"""Items of which someone has one, and the field that is called so."""
CREW_MARKED = {"tier": "tier", "reputation": "rep", "heat": "heat", "wanted": "wanted", "experience": "crew_xp"}
CREW_NAMED = {"crew_type": "crew_type", "crew_reputation": "reputation"}
COHORT_STATES = {"no": "fine", "weakened": "weakened", "impaired": "impaired", "broken": "broken"}
TURF, LAIR = "BITD.Turf", "BITD.Lair"
AROUND = frozenset(("attributes", *ACTIONS, "skills", "list"))

# What is calculated from other values, the same for all, or only for their pages.
_PAGES = [
    "name",
    "*_label",
    "*/label",
    "*_default",
    "*/id",
    "*/_id",
    "*/min",
    "experience_max",
    "experience_clues*",
    "trauma/options*",
    "loadout",
    "load_level*",
    "base_max_load",
    "hold_types*",
    "exp_clock/size",
    "exp_clock/color",
    "items/class",
    "items/price",
    "items/logic",
    "items/crew_type",
    "items/experience_clues*",
    "items/base_skills*",
    "items/*_list/*",
    "items/purchased",
    "items/class_default",
    "items/turfs/*/name",
    "items/turfs/*/description",
    "items/turfs/*/connect*",
    "items/max_*",
    "coins/max",
    "vault/max",
    "turfs*",
]
_VALUES = {
    "stress/name": ("BITD.Stress",),
    "trauma/name": ("BITD.Trauma",),
    "hold/name": ("BITD.Hold",),
    "status/name": ("BITD.Status",),
    "stress/max": ("9",),
    "trauma/max": ("4",),
    "healing_clock/max": ("4",),
    "edge/max": ("1",),
    "keys/max": ("4",),
    "coins_max/hand": ("4",),
    "coins_max/stash": ("40",),
    "turf/max": ("6",),
    "max/*": ("4", "6", "8", "9", "12", "16"),
    "attributes/*/exp_max": ("6",),
    "attributes/*/max": ("3", "4"),
    "unique-data/vampire/strictures/dayfire": ("True",),
    "unique-data/*/type": ("Paranormal assistant",),
    "items/uses": ("1",),
    "items/num_available": ("1",),
    "hold/max": ("2",),
    "hold/value": ("1",),
    "status/max": ("7",),
    "status/value": ("4",),
}
USUAL = Usual(_PAGES, _VALUES)


def converted(file: Mapping[str, Any]) -> Conversion | None:
    """Return a scoundrel, a crew or an NPC from an export of that system; None for other files."""
    actor = actor_in(file)
    if actor is None or actor.system not in ("", SYSTEM):
        return None
    kind, data = actor.type, actor.data
    if kind == "crew" and (actor.system or {"wanted", "heat"} <= set(data.value)):
        conversion = _crew(actor)
    elif kind == "character" and (actor.system or _are_ours(data)):
        conversion = _scoundrel(actor)
    elif kind == "npc" and (actor.system or "description_short" in data.value):
        conversion = _npc(actor, data.line("description_short"))
    elif kind in ("faction", "factions") and (actor.system or "goal_1" in data.value):
        conversion = _npc(actor, data.line("type"))
    else:
        return None
    actor.leave_rest(conversion, USUAL, AROUND)
    return conversion


def _are_ours(data: Reading) -> bool:
    """Return whether a file that names no system has our actions and no others: there are more games of this family."""
    known = {action for actions in ACTIONS.values() for action in actions}
    named = {
        action for name, _kind in data.parts("attributes") for action, _part in data.parts("attributes", name, "skills")
    }
    return bool(named) and named <= known


def _scoundrel(actor: Actor) -> Conversion:
    data = actor.data
    conversion = Conversion(SOURCE, Head("forged", actor.name, data.line("alias")))
    details = (data.line("background"), data.line("background-details"))
    conversion.put("background", ": ".join(filter(None, details)))
    for theirs, ours in TEXTS.items():
        conversion.put(ours, data.line(theirs))
    conversion.put("description", data.plain("description"))
    for theirs, ours in MARKED.items():
        conversion.put(ours, data.whole(theirs))
    conversion.put("healing", data.whole("healing_clock", "value") or None)
    for name, actions in ACTIONS.items():
        conversion.put(xp_of(name), data.whole("attributes", name, "exp"))
        for action in actions:
            conversion.put(action, data.whole("attributes", name, "skills", action, "value"))
    conversion.put("stress", data.whole("stress", "value"))
    _traumas(conversion, data.part("trauma"))
    for level, _slots in data.parts("harm"):
        for _slot, harm in data.parts("harm", level):
            if level in HARM:
                _row(conversion, HARM[level], {"name": harm.line()}, harm.line())
            elif fatal := harm.line():
                conversion.leave(fatal, _("This sheet doesn’t keep fatal harm."))
    # Their sheet has all three, whatever somebody wears.
    conversion.put("armor_boxes", 2)
    conversion.put("special_boxes", 1)
    for theirs, ours in USED.items():
        conversion.put(ours, bool(data.whole("armor-uses", theirs)))
    _load(conversion, data.line("selected_load_level"))
    _acquaintances(conversion, data)
    for item in actor.items():
        _belonging(conversion, item, NAMED)
    return conversion


def _crew(actor: Actor) -> Conversion:
    data = actor.data
    conversion = Conversion(SOURCE, Head("forged", actor.name, is_crew=True))
    conversion.put("lair", data.line("lair"))
    conversion.put("description", data.plain("description"))
    for theirs, ours in CREW_MARKED.items():
        conversion.put(ours, data.whole(theirs))
    conversion.put("hold", (data.line("hold") or data.line("hold", "0")).lower())
    coin = [data.whole(place, "value") for place in ("coins", "vault")]
    conversion.put("coin", sum(number or 0 for number in coin), _("coins and vault"))
    _acquaintances(conversion, data)
    for item in actor.items():
        _claims(conversion, item)
        _belonging(conversion, item, CREW_NAMED)
    return conversion


def _npc(actor: Actor, concept: str) -> Conversion:
    conversion = Conversion(SOURCE, Head("forged", actor.name, concept))
    conversion.put("description", actor.data.plain("description"))
    conversion.put("notes", actor.data.plain("notes"))
    for item in actor.items():
        item.leave(conversion)
    return conversion


def _acquaintances(conversion: Conversion, data: Reading) -> None:
    for _place, acquaintance in data.parts("acquaintances"):
        about = filter(None, (acquaintance.line("name"), acquaintance.line("description_short")))
        standing = acquaintance.line("standing")
        words = ", ".join(about) + (f" ({standing})" if standing else "")
        _row(conversion, "links", {"words": words}, words)


def _belonging(conversion: Conversion, item: Item, named: Mapping[str, str]) -> None:
    data, name = item.data, item.name
    if item.type in named:
        typed = str(conversion.values.get(named[item.type], ""))
        if typed and typed != name:
            conversion.leave(typed, _("The file says this, too: {other}.").format(other=name))
        conversion.put(named[item.type], name, name)
    elif item.type in ("ability", "crew_ability"):
        _row(conversion, "abilities", {"name": name, "words": data.plain("description")}, name)
    elif item.type == "crew_upgrade" and "upgrades" in conversion.head.sheet.lists:
        _row(conversion, "upgrades", {"name": name}, name)
    elif item.type == "cohort" and "cohorts" in conversion.head.sheet.lists:
        _cohort(conversion, item)
    elif item.type == "item" and "items" in conversion.head.sheet.lists:
        carried = bool(data.whole("equipped"))
        _row(conversion, "items", {"name": name, "load": data.whole("load"), "carried": carried}, name)
    else:
        item.leave(conversion)


def _claims(conversion: Conversion, item: Item) -> None:
    """Take the claims that a crew holds, which lie in what kind of crew it is."""
    turf = 0
    for _place, claim in item.data.parts("turfs"):
        if not claim.whole("value") or claim.part("name").value == LAIR:
            continue
        name, words = claim.line("name"), claim.line("description")
        turf += name == TURF
        if name != TURF:
            _row(conversion, "claims", {"name": name, "words": words}, name)
    conversion.put("turf", turf or None)


def _cohort(conversion: Conversion, item: Item) -> None:
    data = item.data
    kind, state = ((data.line(name) or data.line(name, "0")).lower() for name in ("cohort", "harm"))
    words = []
    for name in ("gang_type", "expert_type", "edges", "flaws"):
        words += [data.line(name), *(part.line() for _place, part in data.parts(name))]
    columns = {
        "name": item.name,
        "kind": kind if kind in ("gang", "expert") else None,
        "quality": data.whole("quality"),
        "state": COHORT_STATES.get(state),
        "words": ", ".join(filter(None, words)),
    }
    _row(conversion, "cohorts", columns, item.name)
    for said, known in ((kind, ("gang", "expert")), (state, COHORT_STATES)):
        if said and said not in known:
            conversion.leave(f"{item.name}: {said}")


def _row(conversion: Conversion, rows: str, columns: Mapping[str, object], label: str) -> None:
    """Add a row to the sheet if someone named it."""
    if columns.get("name") or columns.get("words"):
        conversion.add(rows, columns, label)


def _traumas(conversion: Conversion, trauma: Reading) -> None:
    """Take conditions that are listed by name, or ticked under their names."""
    found = [name if part.value is True and part.take() else part.line() for name, part in trauma.parts("list")]
    for condition in filter(None, found):
        known = condition.lower().removeprefix("bitd.trauma")
        if known in TRAUMAS:
            conversion.put(trauma_of(known), True, condition)
        else:
            conversion.leave(condition, _("This sheet has no trauma condition of this name."))
    if (number := trauma.whole("value") or 0) > len(list(filter(None, found))):
        conversion.leave(_("trauma: {count}").format(count=number), _("Not every trauma has a condition in this file."))


def _load(conversion: Conversion, chosen: str) -> None:
    load = chosen.removeprefix("BITD.").lower()
    if load in dict(LOADS):
        conversion.put("load", load)
    else:
        conversion.leave(_("load: {load}").format(load=chosen))
