"""What the conformance tests try Forged in the Dark with."""

SHEET = {"skirmish": 2, "prowl": 1}
ROLLS = {
    "action": {"kind": "action", "action": "skirmish", "push": "die"},
    "no dice at all": {"kind": "action", "action": "0"},
    "resistance": {"kind": "resistance", "attribute": "prowess"},
    "fortune": {"kind": "fortune", "trait": "1", "advantages": "1"},
}
ASKED = {
    "action": ({"kind": "action", "action": "prowl", "position": "desperate", "effect": "great"}, {"push": "effect"})
}
CORRECTED = {"action": ({"position": "desperate"}, {"prowess_xp": 2})}
