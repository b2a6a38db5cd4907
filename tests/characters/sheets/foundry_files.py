"""Files as Foundry's systems export them, of our own making: shaped as theirs, about nobody of theirs."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

SHAPES = Path(__file__).with_name("foundry")
"""Small files in shapes that real sheets write, about nobody of theirs."""


def shape(name: str) -> dict[str, Any]:
    """Return one of the files in `SHAPES`."""
    return json.loads((SHAPES / f"{name}.json").read_text())


def scoundrel() -> dict[str, Any]:
    """Return an actor of "blades-in-the-dark" 4."""
    return _actor("blades-in-the-dark", "character", "Nera Voss", SCOUNDREL, SCOUNDRELS_ITEMS)


def crew() -> dict[str, Any]:
    return _actor("blades-in-the-dark", "crew", "The Tide Clerks", CREW, CREWS_ITEMS)


def vampire() -> dict[str, Any]:
    """Return an actor of "worldofdarkness" 2, whose Abilities are in its data."""
    return _actor("worldofdarkness", "Vampire", "Ilse Brandt", VAMPIRE, VAMPIRES_ITEMS)


def pc() -> dict[str, Any]:
    """Return an actor of "worldofdarkness" 7, whose Abilities are items."""
    return _actor("worldofdarkness", "PC", "Tomas Reyl", PC, PCS_ITEMS)


def _actor(system: str, kind: str, name: str, data: dict[str, Any], items: list[dict[str, Any]]) -> dict[str, Any]:
    head = {"name": name, "type": kind, "img": "icons/svg/mystery-man.svg", "effects": [], "folder": None}
    ends = {"prototypeToken": {"name": name, "displayName": 0}, "flags": {}, "_stats": {"systemId": system}}
    return deepcopy(head | {"system": data, "items": items} | ends)


def _item(number: int, kind: str, name: str, **data: Any) -> dict[str, Any]:
    return {"_id": f"item{number:012}", "type": kind, "name": name, "system": data, "effects": []}


def _skills(**ratings: Any) -> dict[str, Any]:
    return {name: {"label": f"BITD.Skills{name.title()}", "value": rating} for name, rating in ratings.items()}


SCOUNDREL = {
    "alias": "Ash",
    "look": "Grey coat",
    "heritage": "",
    "background": "Trade",
    "background-details": "her aunt’s <b>ferry</b>",
    "vice": "",
    "vice-purveyor": "The Blue Lamp",
    "playbook": "",
    "acquaintances": [
        {"id": "x", "name": "Odo", "description_short": "a smith", "standing": "friend"},
        {"id": "y", "name": "Wren", "standing": "rival"},
    ],
    "acquaintances_label": "BITD.Acquaintances",
    "stress": {"value": ["4"], "max": 9, "max_default": 9, "name": "BITD.Stress"},
    "trauma": {"value": [2], "max": 4, "list": {"cold": "cold", "haunted": None, "giddy": "giddy"}},
    "healing-clock": [1],
    "experience": ["3"],
    "experience_max": 8,
    "experience_clues": ["BITD.ClassExpClue3"],
    "coins": [2],
    "coins_stashed": [11],
    "special_abilities": [],
    "loadout": 3,
    "load_level": "BITD.Light",
    "selected_load_level": "BITD.Normal",
    "base_max_load": 0,
    "harm": {
        "light": {"one": "Bruised", "two": ""},
        "medium": {"one": "Limping", "two": ""},
        "heavy": {"one": ""},
        "deadly": {"one": "Drowned"},
    },
    "armor-uses": {"armor": 1, "heavy": 0, "special": 0},
    "attributes": {
        "insight": {"exp": ["2"], "exp_max": 6, "skills": _skills(hunt=["0"], study=["2"], survey=[1], tinker=0)},
        "prowess": {"exp": 0, "exp_max": 6, "skills": _skills(finesse="1", prowl=7, skirmish=0, wreck=0)},
        "resolve": {"exp": 0, "exp_max": 6, "skills": _skills(attune=0, command=0, consort=2, sway=1)},
    },
    "moon": "waning",
}
SCOUNDRELS_ITEMS = [
    _item(1, "class", "Navigator", description="", base_skills={}),
    _item(2, "heritage", "Islander", description=""),
    _item(3, "vice", "Gambling", description=""),
    _item(4, "ability", "Quick Hands", description="<p>You are <em>fast</em>.</p><p>Very.</p>", purchased=True),
    _item(5, "item", "A blade", load=1, equipped=True),
    _item(6, "item", "Rope", load="0", equipped=False),
    _item(7, "faction", "Dockers", tier=2),
]
CREW = {
    "reputation": ["5"],
    "lair": "A boathouse",
    "tier": ["1"],
    "deity": "The tide",
    "hold": ["weak"],
    "experience": [3],
    "hold_types": ["weak", "strong"],
    "coins": {"max": 4, "value": ["3"]},
    "vault": {"value": [2], "max": 8},
    "heat": ["6"],
    "wanted": [1],
}
CREWS_ITEMS = [
    _item(1, "crew_type", "Smugglers", turfs={}),
    _item(2, "crew_reputation", "Subtle"),
    _item(3, "crew_ability", "Like Water", description="Nobody sees you go."),
    _item(4, "crew_upgrade", "Boat", price=1),
    _item(5, "cohort", "The Oars", cohort=["Gang"], quality=1, harm=["Weakened"], edges=["Loyal"], flaws=[]),
]
ATTRIBUTES = ("strength", "dexterity", "stamina", "charisma", "manipulation", "appearance", "perception", "wits")


def _attributes(**ratings: int) -> dict[str, Any]:
    return {
        name: {"value": ratings.get(name, 1), "bonus": 0, "total": 1, "max": 5, "label": f"wod.attributes.{name}"}
        for name in (*ATTRIBUTES, "intelligence", "composure", "resolve")
    }


def _ability(rating: int, altlabel: str = "") -> dict[str, Any]:
    return {"value": rating, "max": 5, "label": "wod.abilities.x", "altlabel": altlabel, "speciality": ""}


VAMPIRE = {
    "traits": {"health": {"totalhealthlevels": {"value": 7, "max": 7}}},
    "settings": {"iscreated": True, "version": "2.2.0"},
    "nature": "Loner",
    "demeanor": "Judge",
    "concept": "Archivist",
    "appearance": "<p>Thin, pale.</p>",
    "background": "<p>Born by the sea.</p>",
    "notes": "<p>Owes the harbour master.</p>",
    "gear": "",
    "attributes": _attributes(strength=2, wits=4),
    "abilities": {
        "talent": {"alertness": _ability(3), "dodge": _ability(2), "art": _ability(0)},
        "skill": {"animalken": _ability(1), "craft": _ability(2)},
        "knowledge": {"occult": _ability(9), "esoterica": _ability(1, "Tide lore")},
    },
    "advantages": {
        "willpower": {"permanent": 6, "temporary": 4, "max": 10, "roll": 6},
        "rage": {"permanent": 2, "temporary": 0, "max": 10},
        "bloodpool": {"temporary": 7, "max": 12, "perturn": 1},
        "virtues": {"conscience": {"permanent": 3}, "selfcontrol": {"permanent": 2}, "courage": {"permanent": 4}},
        "path": {"permanent": 6, "value": 0, "label": "wod.advantages.path.humanity"},
    },
    "health": {"damage": {"bashing": 1, "lethal": 2, "aggravated": 0, "woundlevel": "", "woundpenalty": -1}},
    "sect": "The Quay",
    "clan": "Shore",
    "generation": "11",
    "sire": "Old Marten",
}
VAMPIRES_ITEMS = [
    _item(1, "Power", "Fortitude", type="wod.types.discipline", value=2, max=5, parentid=""),
    _item(2, "Power", "Stone Skin", type="wod.types.disciplinepower", value=0, level="1", parentid="item000000000001"),
    _item(3, "Feature", "Resources", type="wod.types.background", value=3),
    _item(4, "Feature", "Night Sight", type="wod.types.merit", level="2", value=0),
    _item(5, "Melee Weapon", "Boat hook", damage={"bonus": 1}),
    _item(6, "Experience", "Evening one", type="wod.types.expgained", amount=5),
    _item(7, "Experience", "Dots", type="wod.types.expspent", amount="3"),
    _item(9, "Power", "Call the Fog", type="wod.types.gift", value=0, level="3", parentid=""),
    _item(8, "Trait", "Seamanship", type="wod.types.skillsecondability", value=2),
]
PC = {
    "settings": {"splat": "Mage", "version": "7.2.2"},
    "bio": {
        "nature": "Sage",
        "concept": "Clockmaker",
        "splatfields": {"guild": {"label": "x", "value": "Brass"}, "generation": {"value": 12, "mod": 0}},
        "appearance": "",
        "notes": "",
        "roleplaytip": "Speaks softly",
    },
    "attributes": _attributes(intelligence=5),
    "health": {"damage": {"bashing": 0, "lethal": 0, "aggravated": 1}},
    "gear": {"notes": "", "money": {"carried": 0, "bank": 0}},
}
PCS_ITEMS = [
    _item(1, "Ability", "Alertness", type="wod.abilities.talent", id="alertness", value=2),
    _item(2, "Ability", "Clockwork", type="wod.abilities.knowledge", id="clockwork", value=4),
    _item(3, "Advantage", "Willpower", id="willpower", permanent=5, temporary=5),
    _item(4, "Advantage", "Quintessence", id="quintessence", temporary=3),
]
