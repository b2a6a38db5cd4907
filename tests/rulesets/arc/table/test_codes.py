"""The log and the rows of VI-VIII-X hold codes and names; what they say to people is drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

from campaigns.schema import Code, mistakes
from rolls.events import REQUEST_CHANGED, ROLL_ANNOUNCED, ROLL_VOIDED
from rolls.models import Audience, Roll, RollRequest
from rolls.services import amend
from rolls.services.requests import Call, announce_roll, ask_for_roll, change_request
from rulesets.arc.table import ArcInput
from tests.rulesets.told import made_up, no_codes
from tests.sheets import rewrite

LOCK = {"stat": "control", "skill": "tamper"}
PEOPLE = {"Gm", "Mo", "Other Player", "Silas Grey", "Vesper"}
SKILLS = {"Tamper", "Watch"}
TYPED = {"tamper", "in the dark", "a noise"}


def all_kinds(checks):
    """Every kind of roll, asked for, countered and taken back, in public and for the GM alone."""
    checks.roll(5, level="very_easy", other=-2, note="in the dark")
    checks.roll(8, kind="reaction")
    checks.roll(2, by=checks.gm, character=None, stat="", skill="", ks=6, us=3, es=4, audience=Audience.GM)
    picking = checks.roll(5, kind="opposed")
    call = Call(ArcInput(kind="opposed", against=picking.pk), reason="a noise")
    ask_for_roll(checks.gm, call, member=checks.other.pk, key=uuid4())
    answer = checks.roll(4, by=checks.gm, kind="opposed", against=picking.pk)
    for taken_back in (answer, picking):
        amend.void_roll(checks.gm, taken_back.pk, key=uuid4())
    announced = announce_roll(
        checks.mo, Call(ArcInput(character=checks.silas.pk, **LOCK)), audience="table", key=uuid4()
    )
    for threshold in (None, 12):
        change_request(checks.gm, announced.pk, Call(ArcInput(**LOCK, threshold=threshold)), key=uuid4())


def test_the_log_holds_no_words_of_ours(checks):
    all_kinds(checks)
    told = [*checks.events(), *checks.events("gm"), *checks.events(checks.mo.stream)]
    assert {ROLL_ANNOUNCED, REQUEST_CHANGED, ROLL_VOIDED} <= {event.kind for event in told}
    assert made_up(told) == PEOPLE | SKILLS | TYPED


def test_the_rows_hold_no_words_of_ours(checks):
    all_kinds(checks)
    assert {roll.kind for roll in Roll.objects.all()} == {"check", "opposed", "counter", "reaction"}
    assert no_codes(Roll.objects.all()) <= PEOPLE | SKILLS | {"in the dark"}
    requests = RollRequest.objects.filter(terms__has_key="stat")
    assert requests and not any(mistakes(Code, request.terms["stat"], closed=True) for request in requests)


def test_what_is_taken_back_names_the_check_that_waits_again_or_no_more(checks):
    picking = checks.roll(5, kind="opposed")
    answer = checks.roll(4, by=checks.gm, kind="opposed", against=picking.pk)
    for roll, told in ((answer, "reopened"), (picking, "ended")):
        amend.void_roll(checks.gm, roll.pk, key=uuid4())
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
