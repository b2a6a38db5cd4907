"""Rolls by the API: the same services, keys, forms and refusals as the page has."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from campaigns.models import Event
from rolls.models import Audience, Roll
from tests.api.callers import calls

pytestmark = pytest.mark.django_db

POOL = {"system": "storyteller", "pool": "5", "difficulty": 6}


def test_a_roll_is_made_and_told(cast, dice):
    dice(7, 1, 6, 3, 2)
    answer = calls(cast.player).post("/rolls", POOL)
    assert answer.status_code == 200, answer.content
    made = answer.json()
    assert Roll.objects.get().pk.hex == made["roll"].replace("-", "")
    assert made["event"]["kind"] == "rolls.roll_made" and made["event"]["by"]["name"] == "Mo"
    assert made["client_seed_by"] == "server" and len(made["client_seed"]) == 32


def test_a_slash_command_rolls_as_it_does_in_the_composer(cast, dice):
    dice(7, 1, 6, 3, 2)
    assert calls(cast.player).post("/rolls", {"text": "/r 5 d7 # past the dogs"}).json()["roll"]
    assert Roll.objects.get().ask["note"] == "past the dogs"


def test_sent_again_it_is_the_same_roll(cast, dice):
    dice(7, 1, 6, 3, 2)
    caller, key = calls(cast.player), uuid4()
    first, second = (caller.post("/rolls", POOL, key=key).json() for _ in range(2))
    assert first == second and Roll.objects.count() == 1
    other = caller.post("/rolls", POOL | {"pool": "4"}, key=key)
    assert other.status_code == 422 and other.json()["errors"][0]["field"] == "key"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (POOL | {"dice": 5}, "dice"),
        (POOL | {"pool": {"a": 1}}, "pool"),
        (POOL | {"pool": ["5", "6"]}, "pool"),
        (POOL | {"modifier": "many"}, "modifier"),
        (POOL | {"client_seed": "zz"}, "client_seed"),
        (POOL | {"system": "chess"}, "system"),
        ({"text": "hello"}, "text"),
    ],
)
def test_what_cannot_be_used_is_named(cast, body, field):
    answer = calls(cast.player).post("/rolls", body)
    assert answer.status_code == 422, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not Roll.objects.exists()


def test_a_roll_that_the_gm_alone_sees_is_not_told_to_who_made_it(cast, dice):
    dice(7, 1, 6, 3, 2)
    made = calls(cast.player).post("/rolls", POOL | {"audience": "gm"}).json()
    roll = Roll.objects.get()
    assert roll.audience == Audience.GM and made["event"] is None


def test_faces_of_a_real_table_are_a_list(cast):
    made = calls(cast.player).post("/rolls", POOL | {"faces": [7, 1, 6, 3, 2]}).json()
    assert made["event"]["payload"]["hand_rolled"] is True
    assert Roll.objects.get().faces == [7, 1, 6, 3, 2]


def test_what_a_gm_asks_for_is_answered(cast, dice):
    gm, player = calls(cast.gm), calls(cast.player)
    asked = gm.post("/requests", POOL | {"member": cast.player.member.pk, "reason": "a noise", "difficulty": 8})
    assert asked.status_code == 200, asked.content
    (request,) = player.get("/requests").json()
    assert request["id"] == asked.json()["id"] and request["reason"] == "a noise"
    dice(7, 8, 9, 3, 2)
    answer = partial(player.post, f"/requests/{request['id']}/answer", {"pool": "5"})
    answered = answer(key=(key := uuid4()))
    assert answered.status_code == 200, answered.content
    assert player.get("/requests").json() == []
    assert Roll.objects.get().ask["difficulty"] == 8
    # Whether the answer was lost or somebody else was faster, it says so.
    assert answer(key=key).json()["roll"] == answered.json()["roll"]
    late = answer()
    assert late.status_code == 409 and "already" in late.json()["detail"], late.content
    assert Roll.objects.count() == 1


def test_a_gm_takes_a_roll_back(cast, dice):
    dice(7, 1, 6, 3, 2)
    roll = calls(cast.player).post("/rolls", POOL).json()["roll"]
    assert calls(cast.gm).post(f"/rolls/{roll}/void", {"reason": "slipped"}).status_code == 200
    assert Roll.objects.get().voided_at and Event.objects.filter(kind="rolls.roll_voided").exists()


def test_a_correction_changes_what_it_names_alone(cast, dice):
    dice(1, 1, 6, 3, 2)
    roll = calls(cast.player).post("/rolls", POOL | {"difficulty": 7, "note": "a leap"}).json()["roll"]
    answer = calls(cast.gm).post(f"/rolls/{roll}/correct", {"ability": 5})
    assert answer.status_code == 200, answer.content
    corrected = Roll.objects.get(corrects=roll).ask
    assert [corrected[name] for name in ("difficulty", "kind", "ability", "note")] == [7, "action", 5, "a leap"]


def test_odds_are_told_before_the_dice_fall_and_change_nothing(cast):
    before = Event.objects.count()
    answer = calls(cast.player, writes=False).post("/odds", POOL)
    assert answer.status_code == 200 and answer.json()["odds"], answer.content
    assert Event.objects.count() == before
