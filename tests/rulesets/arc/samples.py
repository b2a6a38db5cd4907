"""What the conformance tests try VI-VIII-X with."""

from __future__ import annotations

from uuid import uuid4

from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
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


def check(at, other):
    """Set a check, which is to be rolled."""
    given = BLANK | {"character": at.character.pk, "skill": "tamper"}
    begun = open_procedure(at.cast.player.member, "arc", "check", given, key=uuid4())
    act(at.cast.gm.member, begun.pk, ActKey("level", "difficult"), key=uuid4())


BEGUN = {"check": check}
