"""What the conformance tests try Storyteller with."""

SHEET = {"perception": 3, "alertness": 2, "willpower": 5, "willpower_now": 3}
ROLLS = {
    "traits": {"pool": "perception + alertness", "difficulty": "7"},
    "a few dice with Willpower": {"pool": "3", "willpower": "on"},
    "Willpower": {"pool": "willpower"},
    "Humanity": {"pool": "humanity"},
    "a virtue": {"pool": "conscience"},
    **{kind: {"pool": "2", "kind": kind} for kind in ("soak", "initiative", "damage", "other")},
}
ASKED = {
    "traits": ({"pool": "perception + alertness", "difficulty": "8"}, {}),
    "without dice": ({"pool": "perception + alertness", "difficulty": "4", "automatic": "on"}, {"automatic": "on"}),
}
