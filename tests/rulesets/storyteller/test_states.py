"""What becomes of a Storyteller character, in words, and what the incapacitated cannot do."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from characters.rulesets import state_words, states_between
from rolls.services.settings import change_settings
from rolls.settings import roll_settings
from rulesets.storyteller.settings import Settings
from tests.sheets import put


def said(before, after):
    states = states_between("storyteller", before, after)
    return state_words("storyteller", [{"code": one.code, "values": one.values} for one in states])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"lethal": 6}, {"lethal": 6, "bashing": 1}, "is incapacitated"),
        ({"lethal": 7}, {"lethal": 6}, "is no longer incapacitated"),
        ({"lethal": 7}, {"lethal": 6, "aggravated": 1}, ""),
        ({}, {"lethal": 3}, ""),
        ({"willpower_now": 1}, {"willpower_now": 0}, "has no Willpower left"),
        ({}, {"blood": 0, "lethal": 7}, "is incapacitated and has no blood left"),
    ],
)
def test_what_is_told(before, after, words):
    assert said(before, after) == words


@pytest.fixture
def down(play):
    put(play.silas, {"lethal": 5, "bashing": 2})
    return play


def test_the_incapacitated_take_no_actions_unless_a_gm_allows_it(down):
    ask = {"dice": None, "traits": ("perception", "alertness")}
    with pytest.raises(Blocked, match="can’t act until a health level heals"):
        down.roll(9, **ask)
    assert down.roll(9, 8, **ask | {"traits": ("stamina",), "kind": "soak"}).outcome["total"]
    allowed = down.roll(9, by=down.gm, **ask | {"override": True, "character": down.silas.pk})
    assert "while incapacitated" in str(allowed.event.described)


def test_a_table_may_let_them_act(down):
    change_settings(down.gm, roll_settings(down.campaign).with_(Settings(incapacitated_may_act=True)), key=uuid4())
    down.campaign.refresh_from_db()
    assert down.roll(9, dice=None, traits=("perception", "alertness")).ask["wounds"] == 5
