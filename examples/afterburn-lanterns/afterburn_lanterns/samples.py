"""Samples with which Afterburn's conformance tests try Lanterns: a sheet, rolls as the form sends them, and GMs'
requests and corrections.
"""

SHEET = {"nerve": 2, "craft": 1, "oil": 3}
ROLLS = {
    "check": {"trait": "nerve", "wind": "1"},
    "check with oil": {"trait": "craft", "oil": "on"},
    "check by a typed number": {"trait": "0"},
}
ASKED = {"check": ({"trait": "nerve", "wind": "2"}, {"oil": "on"})}
CORRECTED = {"check by a typed number": ({"wind": "3"}, {"xp": 1})}  # in such a wind it went dark
