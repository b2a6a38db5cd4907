"""What Afterburn's conformance tests try Lanterns with: a sheet, rolls as the form sends them, and what GMs ask and correct."""

SHEET = {"nerve": 2, "craft": 1, "oil": 3}
ROLLS = {
    "check": {"trait": "nerve", "wind": "1"},
    "check with oil": {"trait": "craft", "oil": "on"},
    "move": {"move": "go_ahead"},
    "check by a typed number": {"trait": "0"},
}
ASKED = {"check": ({"trait": "nerve", "wind": "2"}, {"oil": "on"})}
CORRECTED = {"check by a typed number": ({"wind": "3"}, {"xp": 1})}  # in such a wind it went dark
