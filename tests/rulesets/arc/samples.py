"""What the conformance tests try VI-VIII-X with."""

from rulesets.arc.rules.check import Typed
from tests.rulesets.conformance.samples import LAST

SHEET = {"control": 9, "som": 6, "us_control": 3}
ROWS = {"skills": [{"name": "Tamper", "es": 5, "stat": "control"}]}
CHECK = {"stat": "control", "skill": "tamper"}
ROLLS = {"reaction": {"kind": "reaction"}}
ASKED = {
    "check": ({"kind": "check", **CHECK, "level": "average"}, {}),
    "opposed": ({"kind": "opposed", **CHECK}, {}),
    "counter": ({"kind": "opposed", **CHECK, "against": LAST}, {}),
}

BLANK = {
    "character": None,
    "name": "",
    "stat": "",
    "skill": "",
    "other": Typed(),
    "level": "",
    "threshold": None,
    "against": None,
    "against_name": "",
    "against_stat": "",
    "against_skill": "",
    "fight": False,
}
"""The form of a check as it is opened, with nothing chosen."""
