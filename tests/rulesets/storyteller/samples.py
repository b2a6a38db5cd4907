"""What the conformance tests try Storyteller with."""

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
