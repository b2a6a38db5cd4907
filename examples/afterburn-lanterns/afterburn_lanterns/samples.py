"""What Afterburn's conformance tests try Lanterns with: a sheet, rolls as the form sends them, and what a GM asks for."""

SHEET = {"nerve": 2, "craft": 1, "oil": 3}
ROLLS = {
    "check": {"trait": "nerve", "wind": "1"},
    "check with oil": {"trait": "craft", "oil": "on"},
    "check by a typed number": {"trait": "3"},
}
ASKED = {"check": ({"trait": "nerve", "wind": "2"}, {"oil": "on"})}
