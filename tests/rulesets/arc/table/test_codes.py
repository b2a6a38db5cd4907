"""The log and the rows of VI-VIII-X hold codes and names; what they say to people is drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

from rolls.services import rolls
from tests.sheets import rewrite


def test_what_is_taken_back_names_the_check_that_waits_again_or_no_more(checks):
    picking = checks.roll(5, kind="opposed")
    answer = checks.roll(4, by=checks.gm, kind="opposed", against=picking.pk)
    for roll, told in ((answer, "reopened"), (picking, "ended")):
        rolls.void_roll(checks.gm, roll.pk, key=uuid4())
        event = checks.events()[-1]
        assert event.payload["back"][told]["traits"] == [
            {"code": "control"},
            {"code": "skills/t1/es", "name": "Tamper"},
        ]
        assert event.described[told]["words"] == "Control + Tamper"


def test_a_roll_is_named_for_ever_though_its_skill_is_gone(checks):
    roll = checks.roll(5)
    rewrite(checks.silas, sheet={"control": 7})
    assert roll.event.described["words"] == "Control + Tamper"
