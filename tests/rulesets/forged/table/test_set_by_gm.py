"""Who has set what the GM sets of a forged roll: a player's word is told as theirs, whatever their form says."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Invalid
from rolls.models import Audience, Procedure, Roll
from rolls.services.requests import Call, announce_roll, ask_for_roll, change_request
from rolls.services.roll_making import roll_payload
from rolls.services.rolls import correct_roll
from rulesets.forged.terms import ActionTerms
from tests.answers import refusal
from tests.rulesets.forged.table.forged import card, players_say, roll

DARING = {"position": "desperate", "effect": "great"}
SAID = "Position and effect as Mo said: the GM hasn’t set them"


@pytest.fixture
def page(play, client):
    """Return a function that fetches Mo's table page."""
    client.force_login(play.mo.user)
    return lambda: " ".join(client.get(f"/c/{play.campaign.slug}/").content.decode().split())


@pytest.mark.parametrize("said", [DARING, {}])
def test_a_player_s_own_position_and_effect_are_told_as_theirs(play, cross, page, said):
    players_say(play)
    roll(play, 4, 2, character=cross, action="attune", push_effect=True, trade="position", **said | {"effect": "great"})
    assert card(play)["set_by_gm"] is False
    assert SAID in page()
    assert "Traded: Mo said" in page()
    assert "(Mo said great" in page()
    assert "the GM said" not in page()


def test_position_and_effect_are_the_gm_s_alone_unless_a_campaign_says_otherwise(play, cross):
    for said in ({"position": "controlled"}, {"effect": "great"}, {"trade": "effect"}, {"setup": True}, {"ability": 1}):
        assert refusal(Invalid, roll, play, 4, 2, character=cross, action="attune", **said).field == "position"
    assert roll(play, 4, 2, character=cross, action="attune")
    assert roll(play, 4, 2, by=play.gm, rating=2, **DARING)
    asked = ask_for_roll(play.gm, Call(ActionTerms(action="attune", **DARING)), member=play.mo.pk, key=uuid4())
    assert roll(play, 4, 2, character=cross, action="attune", request=asked.pk, **DARING)


def test_what_a_player_rolls_unasked_is_told_as_usual_and_as_nobody_s_word(play, cross, page):
    roll(play, 4, 2, character=cross, action="attune", push_effect=True)
    assert (card(play)["set_by_gm"], card(play)["usual"]) == (False, True)
    told = page()
    assert "Position and effect as usual: the GM set nothing else" in told
    assert "(usually standard" in told
    assert "Mo said" not in told and "the GM said" not in told


def test_an_action_of_the_roll_form_is_announced_and_the_gm_sets_it(play, cross, client):
    address = reverse("roll", args=[play.campaign.slug])
    given = {"system": "forged", "kind": "action", "action": "prow", "character": cross.pk, "announce": "on"}
    client.force_login(play.mo.user)
    headers = {"hx-request": "true", "hx-trigger": "roll"}
    asked = given | {"note": "Over the wall", "position": "controlled", "effect": "great", "key": uuid4()}
    assert client.post(address, asked, headers=headers).status_code == 204
    procedure = Procedure.objects.get(kind="action")
    assert (procedure.reason, procedure.state["stage"], procedure.state["action"]) == (
        "Over the wall",
        "asked",
        "prowl",
    )
    assert not Roll.objects.exists()
    for action, why in (("dance", "No trait called “dance”"), ("", "Type which action you announce")):
        wrong = client.post(address, given | {"action": action, "key": uuid4()}, headers=headers)
        assert wrong.status_code == 422 and why in wrong.content.decode()


def test_what_is_announced_in_private_has_no_position_before_the_gm_says_so(play, cross):
    call = Call(ActionTerms(character=cross.pk, action="attune", **DARING))
    asked = announce_roll(play.mo, call, audience=Audience.GM, key=uuid4())
    assert asked.terms == {"kind": "action", "action": "attune"}
    change_request(play.gm, asked.pk, call, key=uuid4())
    roll(play, 4, 2, character=cross, action="attune", request=asked.pk, **DARING)
    assert card(play, "gm")["set_by_gm"] is True


@pytest.mark.parametrize(("who", "free", "chosen"), [("gm", False, True), ("mo", False, False), ("mo", True, True)])
def test_a_form_asks_for_position_and_effect_where_they_are_one_s_own_to_say(play, client, who, free, chosen):
    if free:
        players_say(play)
    client.force_login(getattr(play, who).user)
    form = client.get(reverse("roll_form", args=[play.campaign.slug]), {"system": "forged"}).content.decode()
    assert ('<select name="position"' in form, "data-announces" in form) == (chosen, not chosen)


def test_what_the_gm_asks_for_is_the_gm_s(play, cross, page):
    asked = ask_for_roll(play.gm, Call(ActionTerms(action="attune", **DARING)), member=play.mo.pk, key=uuid4())
    roll(play, 4, 2, character=cross, action="attune", push_effect=True, request=asked.pk, **DARING)
    assert card(play)["set_by_gm"] is True
    assert "(the GM set great" in page()
    assert SAID not in page()


def test_what_a_gm_rolls_is_the_gm_s(play):
    roll(play, 4, 2, by=play.gm, rating=2, **DARING)
    assert card(play)["set_by_gm"] is True


def test_a_gm_who_corrects_a_roll_has_set_them(play, cross):
    players_say(play)
    made = roll(play, 4, 2, character=cross, action="attune", **DARING)
    correct_roll(play.gm, made.pk, {"position": "risky", "effect": "standard"}, key=uuid4())
    assert card(play)["set_by_gm"] is True


def test_the_attribute_of_a_resistance_roll_and_what_it_does_are_told_alike(play, cross, page):
    roll(play, 4, 2, 1, character=cross, kind="resistance", attribute="prowess", resisting="avoids")
    assert card(play)["set_by_gm"] is False
    assert "Attribute and what it does as Mo said: the GM hasn’t set them" in page()


def test_nobody_sets_a_fortune_roll(play, page):
    roll(play, 4, kind="fortune", trait=1)
    assert card(play)["set_by_gm"] is True
    assert "the GM hasn’t set them" not in page()


def test_a_roll_from_before_this_was_kept_is_told_as_it_was(play, cross):
    players_say(play)
    made = roll(play, 4, 2, character=cross, action="attune", **DARING)
    Roll.objects.update(ask={name: kept for name, kept in made.ask.items() if name != "set_by_gm"})
    assert roll_payload(Roll.objects.get(pk=made.pk))["card"]["set_by_gm"] is True
