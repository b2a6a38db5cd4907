"""The story of “The Salt Signal”, in words of our own: one campaign by three sets of rules."""

from __future__ import annotations

from typing import Any, NamedTuple

NAME = "The Salt Signal"
SLUG = "the-salt-signal"
PITCH = (
    "Every night at four a lighthouse that nobody lit answers ships that are not there. A smuggler, a captain on leave and an "
    "engineer have a boat, a debt each, and until the spring tide."
)
SYSTEMS = ["descriptors", "arc", "forged"]


class Sitter(NamedTuple):
    """A character: its rules, who plays it (None: the GM), its fields, and its rows by list. `crew`: it is a crew."""

    name: str
    concept: str
    system: str
    player: str | None
    fields: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]
    crew: bool = False


ADA = Sitter(
    "Ada Finch",
    "Smuggler with a conscience she denies",
    "forged",
    "mo",
    {"playbook": "Runner", "vice": "Gambling", "prowl": 2, "finesse": 2, "sway": 1, "survey": 1, "wreck": 1}
    | {"stress": 2, "load": "normal", "coin": 2, "armor_boxes": 1},
    {
        "abilities": [{"name": "Knows every tide", "words": "On open water her position is one step better."}],
        "items": [
            {"name": "Oilskin", "load": 1, "carried": True},
            {"name": "Dark lantern", "load": 1, "carried": True},
        ],
        "harm_1": [{"name": "Rope burn"}],
    },
)
ILSE = Sitter(
    "Captain Ilse Brandt",
    "On leave, and not by her own wish",
    "descriptors",
    "iva",
    {"will": 7},
    {
        "descriptors": [
            {"name": "Gives orders", "dice": 3, "category": "Abilities"},
            {"name": "Sabre and pistol", "dice": 3, "category": "Abilities"},
            {"name": "Never left a crew behind", "dice": 2, "category": "Values"},
            {"name": "Her brother keeps the light", "dice": 2, "category": "Relationships"},
            {"name": "A coat with brass buttons", "dice": 1, "category": "Equipment"},
        ],
        "background": [{"name": "Raised on a customs cutter"}],
        "keys": [{"name": "The empty berth", "words": "Somebody from her last crew is named."}],
    },
)
JUN = Sitter(
    "Jun Okafor",
    "Engineer of things that should not run",
    "arc",
    "tess",
    {"build": 4, "control": 6, "intellect": 8, "empathy": 5, "som": 6},
    {
        "skills": [
            {"name": "Engines", "es": 7, "stat": "intellect"},
            {"name": "Signals", "es": 5, "stat": "intellect"},
            {"name": "Climb", "es": 3, "stat": "control"},
            {"name": "Perception", "es": 4, "stat": "empathy"},
        ],
        "carried": [{"name": "Toolbox", "weight": "6.5"}, {"name": "Sea boots", "weight": "1.8", "worn": True}],
    },
)
KEEPER = Sitter(
    "Anton Brandt",
    "Keeps a light that burns without him",
    "descriptors",
    None,
    {"will": 9},
    {"descriptors": [{"name": "Bars the stair", "dice": 3}, {"name": "Afraid of the lamp", "dice": 2}]},
)
WATCH = Sitter(
    "Harbour watch",
    "Two men and a lamp on a pole",
    "arc",
    None,
    {"build": 6, "control": 4, "empathy": 4},
    {"skills": [{"name": "Notice", "es": 4, "stat": "empathy"}]},
)
CREW = Sitter(
    "The Low Lantern",
    "A boat, a boathouse, and what is hidden under it",
    "forged",
    None,
    {"crew_type": "Smugglers", "reputation": "Quiet", "tier": 1, "rep": 4, "heat": 3, "coin": 4},
    {"cohorts": [{"name": "The dockhands", "quality": 1}]},
    crew=True,
)
SITTERS = [ADA, ILSE, JUN, KEEPER, WATCH, CREW]

UNKNOWN = {JUN.name: {"us_intellect": 5, "us_control": 4, "us_empathy": 2}, WATCH.name: {"us_empathy": 3}}
"""Fields that only the GM knows."""

CLOCKS = [("The light comes closer", "danger", 8, "visible", 3), ("Spring tide", "mission", 6, "visible", 2)]

LINE = {"action": "finesse"}
LINE_SET = {
    "position": "desperate",
    "base": "great",
    "potency": 0,
    "quality": 0,
    "scale": 0,
    "why": "the lamp is turning",
}
"""The terms of Ada's action at the lamp, set by the GM."""
