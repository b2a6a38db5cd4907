"""Checks at the table: the worked examples of the text, what is told to whom, and what is refused at which field."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.live.render import render_line
from campaigns.models import Role
from rolls.models import Audience, Roll
from rolls.services import rolls
from rolls.services.rolls import make_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.arc.settings import Settings
from rulesets.arc.terms import ArcInput
from tests.answers import refusal

SCORES = {"character": None, "stat": "", "skill": "", "ks": 6, "us": 3, "es": 4}
REACTION = {"kind": "reaction"}


@pytest.mark.parametrize(
    ("who", "face", "asked", "outcome", "told", "sides"),
    [
        (
            "mo",
            5,
            {},
            {"result": "success", "total": 16, "margin": 7},
            {"words": "Control + Tamper", "adjustment": 5, "threshold": 9, "level": "average"},
            8,
        ),
        ("mo", 5, {"level": "extreme"}, {"result": "failure"}, {"threshold": 18, "level": "extreme"}, 8),
        ("mo", 5, {"threshold": 11}, {"result": "success"}, {"threshold": 11, "level": ""}, 8),
        ("mo", 8, {"other": 2}, {"total": 10}, {"other": 2, "headline": "Success"}, 8),
        ("gm", 3, {"skill": "", "es": 2}, {"adjustment": -1}, {"words": "Intellect"}, 4),
        ("gm", 2, SCORES | {"level": "difficult"}, {"total": 11}, {"words": "A check", "headline": "Failure"}, 6),
        ("mo", 6, REACTION, {"result": "success"}, {"som": 6}, 10),
        ("mo", 7, REACTION, {"result": "failure"}, {"som": 6}, 10),
        ("other", 9, REACTION | {"som": 9}, {"result": "success"}, {"som": 9}, 10),
    ],
)
def test_a_check_is_read_and_told(checks, who, face, asked, outcome, told, sides):
    roll = checks.roll(face, by=getattr(checks, who), **asked)
    described = roll.event.described
    assert outcome.items() <= roll.outcome.items() and told.items() <= described.items()
    assert [(die["face"], die["sides"]) for die in described["dice"]] == [(face, sides)]


def test_the_die_says_why_it_is_a_bonus(checks):
    (die,) = checks.roll(5).event.described["dice"]
    assert die["role"] == "bonus" and "not above the skill score of 5" in die["why"]


def test_the_level_names_the_threshold_of_this_campaign(checks):
    harder = Settings(thresholds=(4, 8, 12, 16, 20, 24))
    change_settings(checks.gm, RollSettings((harder,)), key=uuid4())
    payload = checks.roll(5, level="average").event.described
    assert (payload["threshold"], payload["level"]) == (12, "average")


def test_dice_of_a_physical_table_are_read_by_the_same_rules(checks):
    request = checks.ask(checks.mo)
    ask = ArcInput(character=checks.silas.pk, stat="control", skill="tamper", request=request.pk)
    refused = refusal(Invalid, make_roll, checks.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[9])
    assert refused.field == "faces"
    roll = make_roll(checks.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[8])
    assert (roll.outcome["result"], roll.hand_rolled) == ("failure", True)
    assert ", rolled by hand: 8 on a d8" in " ".join(render_line(roll.event, Role.PLAYER).split())


REFUSED_TO_A_PLAYER = [
    ("stat", {"stat": "luck"}),
    ("stat", {"stat": "us_control"}),
    ("stat", {"stat": "tamper"}),
    ("stat", {"stat": "", "ks": 7}),
    ("skill", {"character": None}),
    ("us", {"stat": "", "ks": 7, "us": 3}),
    ("skill", {"skill": ""}),
    ("skill", {"skill": "control"}),
    ("skill", {"skill": "", "es": 0}),
    ("skill", {"skill": "", "es": 5}),
    ("skill", {"skill": "tamper", "es": 10}),
    ("other", {"other": -(10**9)}),
    ("threshold", {"threshold": 101}),
    ("kind", {"kind": "prayer"}),
    ("som", {"kind": "reaction", "som": 11}),
    ("som", {"kind": "reaction", "character": None}),
]


@pytest.mark.parametrize(("field", "wrong"), REFUSED_TO_A_PLAYER)
def test_what_cannot_be_rolled_is_refused_at_its_field(checks, field, wrong):
    assert refusal(Invalid, checks.roll, 5, **wrong).field == field
    assert not Roll.objects.exists()


def test_a_character_of_other_rules_is_told_whom_to_ask(checks):
    refused = refusal(Invalid, checks.roll, 5, by=checks.other, stat="control", skill="tamper")
    assert "Ask the GM" in refused.message


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("us", {"ks": 7}), ("us", {"ks": 3, "us": 4}), ("stat", {"ks": 11, "us": 1}), ("stat", {"us": 1})],
)
def test_a_gm_types_a_ks_with_its_us(checks, field, wrong):
    with pytest.raises(Invalid) as refused:
        checks.roll(5, by=checks.gm, **{"character": None, "stat": "", "skill": "", "es": 5} | wrong)
    assert refused.value.field == field


def test_a_threshold_is_corrected_and_the_die_stays(checks):
    wrong = checks.roll(5, level="extreme")
    assert wrong.outcome["result"] == "failure"
    put_right = rolls.correct_roll(checks.gm, wrong.pk, {"threshold": 12, "note": "only difficult"}, key=uuid4())
    assert (put_right.faces, put_right.outcome["result"]) == ([5], "success")
    assert put_right.event.described["level"] == "difficult"
    with pytest.raises(Invalid):
        rolls.correct_roll(checks.gm, put_right.pk, {"us": 1}, key=uuid4())


def test_a_check_for_the_gm_alone_is_told_once_and_shown_without_its_numbers(checks):
    roll = checks.roll(4, by=checks.gm, audience=Audience.GM)
    (told,) = checks.events("gm")
    assert told.described["numbers"]["total"] == 15
    assert not checks.events()
    rolls.reveal_roll(checks.gm, roll.pk, key=uuid4())
    (shown,) = checks.events()
    assert "numbers" not in shown.described
    assert shown.described["headline"] == "Success"


def test_a_private_check_is_the_rollers_and_the_gms_own_telling_says_more(checks):
    roll = checks.roll(5, audience=Audience.SELF)
    (own,), (gms,) = checks.told(checks.mo.stream), checks.told("gm")
    assert own.uid == gms.uid == roll.event.uid
    assert (own.described.get("numbers"), gms.described["numbers"]["margin"]) == (None, 7)
    rolls.reveal_roll(checks.gm, roll.pk, key=uuid4())
    assert checks.events("gm")[-1].parent == gms
