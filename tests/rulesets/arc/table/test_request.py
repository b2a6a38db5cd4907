"""Checks that the GM calls for, in which no score is ever told."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Conflict, Invalid
from rolls.models import Audience, Roll
from rolls.services.requests import Call, ask_for_roll
from rulesets.arc.table import KINDS
from rulesets.arc.terms import ArcInput
from tests.answers import refusal

LOCK = {"stat": "control", "skill": "Tamper"}


def ask(checks, audience=Audience.TABLE, **terms):
    return ask_for_roll(checks.gm, Call(ArcInput(**terms)), member=checks.mo.pk, audience=audience, key=uuid4())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (LOCK, "Control + Tamper, average threshold"),
        (LOCK | {"level": "extreme", "other": -2}, "Control + Tamper, extreme threshold, other −2"),
        ({"stat": "contr", "threshold": 12}, "Control, threshold 12"),
        ({"skill": "tamper", "level": "very_easy"}, "Tamper, very easy threshold"),
        ({"threshold": 0}, "A check, threshold 0"),
        (LOCK | {"kind": "opposed"}, "Control + Tamper, opposed"),
        ({"kind": "reaction"}, "Reaction"),
    ],
)
def test_a_request_says_what_it_asks_in_words(checks, asked, words):
    ask(checks, **asked)
    assert checks.events()[-1].described["request"]["words"] == words


def test_a_check_is_rolled_against_the_threshold_that_the_gm_has_set(checks):
    request = ask(checks, Audience.SELF, **LOCK, level="difficult", other=2)
    assert request.terms == {
        "kind": "check",
        "stat": "control",
        "skill": "Tamper",
        "other": 2,
        "level": "difficult",
        "threshold": None,
    }
    roll = checks.roll(5, request=request.pk, level="difficult", other=2)
    assert (roll.event.described["words"], roll.ask["threshold"], roll.ask["other"]) == ("Control + Tamper", 12, 2)
    assert roll.audience == "self"
    request.refresh_from_db()
    assert request.closed_at


def test_what_the_gm_names_need_not_be_typed(checks):
    request = ask(checks, **LOCK)
    assert checks.roll(5, request=request.pk, stat="", skill="").event.described["words"] == "Control + Tamper"


@pytest.mark.parametrize("stat", ["control", "Control", "Kontrolle"])
def test_a_stat_is_the_same_in_every_language_and_by_its_code(checks, stat):
    request = ask(checks, **LOCK)
    with translation.override("de"):
        made = checks.roll(5, request=request.pk, stat=stat)
    assert made.event.described["words"] == "Control + Tamper"


def test_the_player_chooses_what_the_gm_leaves_open(checks):
    request = ask(checks, threshold=12)
    assert checks.roll(5, request=request.pk, threshold=12).event.described["words"] == "Control + Tamper"


@pytest.mark.parametrize(
    ("seen", "field"),
    [
        ({"stat": "build"}, "stat"),
        ({"skill": "climbing"}, "skill"),
        ({"level": "easy"}, "level"),
        ({"threshold": 3}, "threshold"),
        ({"other": 1}, "other"),
        ({"kind": "reaction"}, "kind"),
    ],
)
def test_nothing_is_rolled_by_who_saw_something_else(checks, seen, field):
    request = ask(checks, **LOCK)
    refused = refusal(Conflict, checks.roll, 5, request=request.pk, **seen)
    assert (refused.field, refused.current) == (field, KINDS["check"].request_fields(request.terms)[field])
    assert not Roll.objects.exists()


def test_who_saw_another_level_is_told_the_new_one_in_words(checks):
    request = ask(checks, **LOCK, level="very_difficult")
    refused = refusal(Conflict, checks.roll, 5, request=request.pk)
    assert "asks for level very difficult." in refused.message
    assert (refused.field, refused.current) == ("level", "very_difficult")


def test_an_opposed_check_that_is_asked_for_counters_no_other(checks):
    first = checks.roll(5, by=checks.gm, kind="opposed", audience=Audience.TABLE)
    request = ask(checks, Audience.GM, **LOCK, kind="opposed")
    refused = refusal(Invalid, checks.roll, 5, request=request.pk, kind="opposed", against=first.pk)
    assert refused.field == "against"
    roll = checks.roll(5, request=request.pk, kind="opposed")
    assert (roll.kind, roll.audience) == ("opposed", "gm")


def test_a_us_is_in_no_request(checks):
    request = ask(checks, **LOCK, us=4)
    told = repr([event.described for event in checks.events()]) + repr(request.terms)
    assert "'us'" not in told
    assert "'ks'" not in told


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"kind": "juggling"}, "kind"),
        ({"kind": "counter"}, "kind"),
        ({"stat": "beauty"}, "stat"),
        ({"ks": 7, "us": 4}, "stat"),
        ({"es": 5}, "skill"),
        ({"skill": "x" * 121}, "skill"),
        ({"level": "loud"}, "level"),
        ({"threshold": 101}, "threshold"),
        ({"other": 101}, "other"),
    ],
)
def test_what_the_rules_do_not_know_is_not_asked_for(checks, asked, field):
    assert refusal(Invalid, ask, checks, **asked).field == field
    assert checks.events() == []
