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
from rulesets.arc.table import ArcInput


def test_the_lock_of_the_text_opens_with_a_five(checks):
    roll = checks.roll(5)
    assert (roll.outcome["result"], roll.outcome["total"], roll.outcome["margin"]) == ("success", 16, 7)
    payload = roll.event.described
    assert (payload["words"], payload["adjustment"], payload["threshold"], payload["level"]) == (
        "Control + Tamper",
        5,
        9,
        "average",
    )
    (die,) = payload["dice"]
    assert (die["face"], die["sides"], die["role"]) == (5, 8, "bonus")
    assert "not above the skill score of 5" in die["why"]


def test_the_level_names_the_threshold_of_this_campaign(checks):
    assert checks.roll(5, level="extreme").event.described["threshold"] == 18
    arc = Settings()
    harder = type(arc)(thresholds=(4, 8, 12, 16, 20, 24))
    change_settings(checks.gm, RollSettings((harder,)), key=uuid4())
    payload = checks.roll(5, level="average").event.described
    assert (payload["threshold"], payload["level"]) == (12, "average")
    assert checks.roll(5, threshold=11).event.described["level"] == ""


def test_other_adjustments_count_and_are_told(checks):
    roll = checks.roll(8, other=2)
    assert (roll.outcome["total"], roll.event.described["other"], roll.event.described["headline"]) == (
        10,
        2,
        "Success",
    )


def test_a_gm_types_the_es_of_a_skill_that_is_not_on_the_sheet(checks):
    roll = checks.roll(3, by=checks.gm, skill="", es=2)
    assert (roll.outcome["adjustment"], roll.event.described["words"]) == (-1, "Intellect")
    assert roll.event.described["dice"][0]["sides"] == 4


def test_a_gm_rolls_typed_scores(checks):
    roll = checks.roll(2, by=checks.gm, character=None, stat="", skill="", ks=6, us=3, es=4, level="difficult")
    assert (roll.outcome["total"], roll.event.described["headline"]) == (11, "Failure")
    assert roll.event.described["words"] == "A check"


def test_dice_of_a_physical_table_are_read_by_the_same_rules(checks):
    request = checks.ask(checks.mo)
    ask = ArcInput(character=checks.silas.pk, stat="control", skill="tamper", request=request.pk)
    with pytest.raises(Invalid) as refused:
        make_roll(checks.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[9])
    assert refused.value.field == "faces"
    roll = make_roll(checks.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[8])
    assert (roll.outcome["result"], roll.hand_rolled) == ("failure", True)
    assert ", rolled by hand: 8 on a d8" in " ".join(render_line(roll.event, Role.PLAYER).split())


@pytest.mark.parametrize(("face", "result"), [(6, "success"), (7, "failure")])
def test_a_reaction_is_no_higher_than_the_som(checks, face, result):
    roll = checks.roll(face, kind="reaction")
    assert (roll.outcome["result"], roll.event.described["som"]) == (result, 6)
    assert roll.event.described["dice"][0]["sides"] == 10


def test_anybody_may_type_a_som(checks):
    assert checks.roll(9, by=checks.other, kind="reaction", som=9).outcome["result"] == "success"


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
    with pytest.raises(Invalid) as refused:
        checks.roll(5, **wrong)
    assert refused.value.field == field
    assert not Roll.objects.exists()


def test_a_character_of_other_rules_is_told_whom_to_ask(checks):
    with pytest.raises(Invalid) as refused:
        checks.roll(5, by=checks.other, stat="control", skill="tamper")
    assert "Ask the GM" in refused.value.message


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
