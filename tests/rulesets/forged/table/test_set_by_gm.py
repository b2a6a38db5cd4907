"""Who has set what the GM sets of a forged roll: a player's word is told as theirs, whatever their form says."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from rolls.models import Roll
from rolls.services.amend import correct_roll
from rolls.services.cards import roll_payload
from rolls.services.requests import Call, ask_for_roll
from rulesets.forged.table import RollInput
from tests.rulesets.forged.table.forged import card, roll, scoundrel
from tests.rulesets.forged.table.test_action import decide

DARING = {"position": "desperate", "effect": "great"}
SAID = "Position and effect as Mo said: the GM has not set them"


@pytest.fixture
def cross(play):
    return scoundrel(play)


@pytest.fixture
def page(play, client):
    """What Mo's table page shows."""
    client.force_login(play.mo.user)
    return lambda: " ".join(client.get(f"/c/{play.campaign.slug}/").content.decode().split())


@pytest.mark.parametrize("said", [DARING, {}])
def test_a_player_s_own_position_and_effect_are_told_as_theirs(play, cross, page, said):
    roll(play, 4, 2, character=cross, action="attune", push="effect", trade="position", **said | {"effect": "great"})
    assert card(play)["set_by_gm"] is False
    assert SAID in page()
    assert "Traded: Mo said" in page()
    assert "(Mo said great" in page()
    assert "the GM said" not in page()


def test_a_campaign_may_leave_position_and_effect_to_the_gm_alone(play, cross):
    decide(play, only_gm_sets=True)
    for said in ({"position": "controlled"}, {"effect": "great"}, {"trade": "effect"}):
        with pytest.raises(Invalid) as refused:
            roll(play, 4, 2, character=cross, action="attune", **said)
        assert refused.value.field == "position"
    assert roll(play, 4, 2, character=cross, action="attune")
    assert roll(play, 4, 2, by=play.gm, rating=2, **DARING)
    asked = ask_for_roll(play.gm, Call(RollInput(action="attune", **DARING)), member=play.mo.pk, key=uuid4())
    assert roll(play, 4, 2, character=cross, action="attune", request=asked.pk, **DARING)


def test_what_the_gm_asks_for_is_the_gm_s(play, cross, page):
    asked = ask_for_roll(play.gm, Call(RollInput(action="attune", **DARING)), member=play.mo.pk, key=uuid4())
    roll(play, 4, 2, character=cross, action="attune", push="effect", request=asked.pk, **DARING)
    assert card(play)["set_by_gm"] is True
    assert "(the GM said great" in page()
    assert SAID not in page()


def test_what_a_gm_rolls_is_the_gm_s(play):
    roll(play, 4, 2, by=play.gm, rating=2, **DARING)
    assert card(play)["set_by_gm"] is True


def test_a_gm_who_corrects_a_roll_has_set_them(play, cross):
    made = roll(play, 4, 2, character=cross, action="attune", **DARING)
    correct_roll(play.gm, made.pk, {"position": "risky", "effect": "standard"}, key=uuid4())
    assert card(play)["set_by_gm"] is True


def test_the_attribute_of_a_resistance_roll_and_what_it_does_are_told_alike(play, cross, page):
    roll(play, 4, 2, 1, character=cross, kind="resistance", attribute="prowess", resisting="avoids")
    assert card(play)["set_by_gm"] is False
    assert "Attribute and what it does as Mo said: the GM has not set them" in page()


def test_nobody_sets_a_fortune_roll(play, page):
    roll(play, 4, kind="fortune", trait=1)
    assert card(play)["set_by_gm"] is True
    assert "the GM has not set them" not in page()


def test_a_roll_from_before_this_was_kept_is_told_as_it_was(play, cross):
    made = roll(play, 4, 2, character=cross, action="attune", **DARING)
    Roll.objects.update(ask={name: kept for name, kept in made.ask.items() if name != "set_by_gm"})
    assert roll_payload(Roll.objects.get(pk=made.pk))["card"]["set_by_gm"] is True
