"""What the conformance tests try Storyteller with."""

from __future__ import annotations

from uuid import uuid4

from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey

SHEET = {"perception": 3, "alertness": 2, "willpower": 5, "willpower_now": 3, "inspiration": 2, "inspiration_now": 2}
ROLLS = {
    "traits": {"pool": "perception + alertness", "difficulty": "7"},
    "a few dice with Willpower": {"pool": "3", "willpower": "on"},
    "Willpower": {"pool": "willpower"},
    "Inspiration": {"pool": "inspiration"},
    "Humanity": {"pool": "humanity"},
    "a virtue": {"pool": "conscience"},
    "soak": {"pool": "stamina", "kind": "soak"},
    "initiative": {"pool": "dexterity + wits", "kind": "initiative"},
    "damage": {"pool": "strength", "kind": "damage"},
}
ASKED = {
    "traits": ({"pool": "perception + alertness", "difficulty": "8"}, {}),
    "a roll that is no action": ({"pool": "perception", "kind": "other"}, {}),
    "without dice": ({"pool": "perception + alertness", "difficulty": "4", "automatic": "on"}, {"automatic": "on"}),
}
BLOW = {
    "a_character": None,
    "a_name": "Thug",
    "a_pool": "3",
    "difficulty": None,
    "willpower": False,
    "target": None,
    "target_name": "",
    "dice": 3,
    "strength": False,
    "harm": "lethal",
    "soak": 2,
    "mortal": True,
}
"""An attack by somebody nameless."""


def attack(at, other):
    """Set an attack, against which its target may defend."""
    blow = BLOW | {"target": at.character.pk}
    begun = open_procedure(at.cast.gm.member, "storyteller", "attack", blow, key=uuid4())
    act(at.cast.gm.member, begun.pk, ActKey("set"), given=BLOW | {"difficulty": 7}, key=uuid4())


BEGUN = {"attack": attack}
