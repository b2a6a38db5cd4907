"""Rolls that a player announces: the GM sets them, and then they are rolled as any that is asked for."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.models import Role, Viewer
from rolls.events import request_words
from rolls.models import Audience, Roll, RollRequest
from rolls.queries.requests import asked_for, open_requests
from rolls.services.requests import Call, announce_roll, change_request, close_request, withdraw_roll
from rulesets.arc.terms import ArcInput
from tests.answers import refusal
from tests.stored import reread

LOCK = {"stat": "control", "skill": "tamper"}


def announce(checks, by=None, audience=Audience.TABLE, reason="", **terms):
    own = {"character": checks.silas.pk, **LOCK} | terms
    return announce_roll(by or checks.mo, Call(ArcInput(**own), reason=reason), audience=audience, key=uuid4())


def answer(checks, request, **terms):
    return checks.roll(5, request=request.pk, **terms)


def test_a_player_announces_the_gm_sets_it_and_the_player_rolls(checks):
    request = announce(checks, reason="while they sleep")
    told = checks.events()[-1]
    assert (told.kind, told.described["request"]["words"]) == ("rolls.roll_announced", "Control + Tamper")
    assert (told.payload["request"]["announced"], told.payload["request"]["waits_for"]) == (True, [])
    assert "hasn’t set the terms" in refusal(Blocked, answer, checks, request).message
    change_request(checks.gm, request.pk, Call(ArcInput(**LOCK, level="difficult", other=-2)), key=uuid4())
    told = checks.events()[-1]
    assert (told.kind, told.payload["request"]["announced"]) == ("rolls.roll_asked", False)
    assert [person["name"] for person in told.payload["request"]["waits_for"]] == ["Mo"]
    roll = answer(checks, request, level="difficult", other=-2)
    assert (roll.ask["threshold"], roll.ask["other"], roll.outcome["total"]) == (12, -2, 14)
    assert reread(request).closed_at


@pytest.mark.parametrize(
    ("field", "wish"),
    [
        ("threshold", {"threshold": 3}),
        ("level", {"level": "easy"}),
        ("other", {"other": 1}),
        ("other", {"other": -1, "kind": "opposed"}),
        ("us", {"us": 3}),
        ("stat", {"ks": 7}),
        ("skill", {"es": 10}),
        ("stat", {"stat": ""}),
        ("stat", {"stat": "us_control"}),
        ("skill", {"skill": ""}),
        ("skill", {"skill": "swimming"}),
        ("stat", {"character": None}),
        ("kind", {"kind": "counter"}),
    ],
)
def test_a_player_announces_no_more_than_a_stat_and_a_skill_of_their_own(checks, field, wish):
    assert refusal(Invalid, announce, checks, **wish).field == field
    assert not RollRequest.objects.exists()


def test_nobody_announces_for_the_character_of_another_and_nobody_who_only_watches(checks, cast):
    with pytest.raises(NotFound):
        announce(checks, by=checks.other)
    with pytest.raises(Forbidden):
        announce(checks, by=cast.spectator.member)


def test_a_counter_is_announced_set_and_rolled_for_the_eyes_of_what_it_counters(checks):
    first = checks.roll(4, by=checks.gm, kind="opposed")  # 6 + 5 + 4
    request = announce(checks, kind="opposed", against=first.pk, audience=Audience.SELF)
    assert request_words(asked_for(request)) == "Control + Tamper, counters Vesper, Intellect + Watch"
    assert request.audience == Audience.TABLE
    wished = ArcInput(kind="opposed", **LOCK, against=first.pk, other=-1)
    change_request(checks.gm, request.pk, Call(wished), key=uuid4())
    assert refusal(Invalid, answer, checks, request, kind="opposed", other=-1, against=uuid4()).field == "against"
    roll = answer(checks, request, kind="opposed", other=-1, against=first.pk)
    # 7 + 4 + 5 - 1 against 15: a tie fails for the side that acts.
    assert (roll.kind, roll.event.described["headline"], roll.event.parent) == ("counter", "Countered", first.event)


def test_a_check_that_one_does_not_see_is_not_announced_against(checks):
    hidden = checks.roll(4, by=checks.gm, kind="opposed", audience=Audience.GM)
    for against in (hidden.pk, uuid4()):
        with pytest.raises(NotFound):
            announce(checks, kind="opposed", against=against)


def test_what_is_announced_in_private_only_its_player_and_the_gms_hear_of(checks):
    announce(checks, audience=Audience.SELF)
    assert not checks.events()
    assert [event.kind for event in checks.events(checks.mo.stream)] == ["rolls.roll_announced"]
    seen = {
        member.pk: len(open_requests(Viewer(member.campaign, member, Role(member.role))))
        for member in (checks.gm, checks.mo, checks.other)
    }
    assert seen == {checks.gm.pk: 1, checks.mo.pk: 1, checks.other.pk: 0}


def test_a_player_takes_back_their_own_until_the_gm_has_set_it(checks):
    request = announce(checks)
    with pytest.raises(NotFound):
        withdraw_roll(checks.other, request.pk, key=uuid4())
    withdraw_roll(checks.mo, request.pk, key=uuid4())
    assert (checks.events()[-1].kind, checks.events()[-1].payload["dropped"]) == ("rolls.request_closed", True)
    with pytest.raises(Blocked):
        change_request(checks.gm, request.pk, Call(ArcInput(**LOCK)), key=uuid4())
    other = announce(checks)
    change_request(checks.gm, other.pk, Call(ArcInput(**LOCK)), key=uuid4())
    with pytest.raises(Blocked):
        withdraw_roll(checks.mo, other.pk, key=uuid4())


def test_a_gm_lets_go_of_what_was_announced(checks):
    request = announce(checks)
    close_request(checks.gm, request.pk, key=uuid4())
    with pytest.raises(Blocked):
        answer(checks, request)
    assert not Roll.objects.exists()
