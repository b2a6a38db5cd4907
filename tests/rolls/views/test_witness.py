"""How pages ask for a witness of a GM's roll, give one, and check it afterwards."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Event
from campaigns.services import play as sessions
from rolls.models import Roll, Witness
from tests.damage import link_anew
from tests.doors import send
from tests.presence import arrive
from tests.rolls.views.test_verify import browser, lines, offline, verdicts

SEED = "5e" * 16


@pytest.fixture
def table(cast, play, patience, settings):
    """Return the session of a table at which Mo's page is open."""
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    arrive(cast.campaign.pk, cast.player.member.pk)
    return sessions.start_session(play.gm, "", key=uuid4())


def form(**more):
    return {"key": str(uuid4()), "system": "storyteller", "pool": "5", "client_seed": "c1" * 16} | more


def give(person, roll_id, seed=SEED):
    return send(person, "witness_give", roll_id, seed=seed).status_code


def witnessed(cast, **more):
    """Make a witnessed roll of the GM's, as both pages do."""
    sent = form(**more)
    assert send(cast.gm, "witness_ask", **sent).status_code == 202
    assert give(cast.player, sent["key"]) == 204
    assert send(cast.gm, "roll", **sent).status_code == 204
    return Roll.objects.get(pk=sent["key"])


def test_the_page_of_the_gm_asks_that_of_a_player_answers_and_the_card_names_the_player(cast, table):
    assert witnessed(cast).proof["witness"] == SEED
    for person in (cast.gm, cast.player, cast.spectator):
        page = person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
        assert "verified by Mo" in page


def test_a_roll_typed_as_a_command_is_witnessed_too(cast, table):
    sent = {"key": str(uuid4()), "text": "/r 5 d7", "voice": "player", "client_seed": "c1" * 16}
    assert send(cast.gm, "witness_ask", **sent).status_code == 202
    assert give(cast.player, sent["key"]) == 204
    assert send(cast.gm, "compose", **sent).status_code == 204
    assert Roll.objects.get(pk=sent["key"]).proof["witness"] == SEED


def test_a_roll_without_a_witness_says_so(cast, table):
    sent = form()
    assert send(cast.gm, "witness_ask", **sent).status_code == 202
    assert send(cast.gm, "roll", **sent).status_code == 204
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "not cross-checked" in page


@pytest.mark.parametrize("more", [{"audience": "gm"}, {"faces": "1 2 3 4 5"}, {"text": "Hello"}], ids=str)
def test_the_gms_page_need_not_wait_where_nobody_is_asked(cast, table, more):
    before = Event.objects.count()
    assert send(cast.gm, "witness_ask", **form(**more)).status_code == 204
    assert Event.objects.count() == before


def test_asking_again_for_the_same_roll_waits_only_while_nobody_has_answered(cast, table):
    sent = form()
    assert [send(cast.gm, "witness_ask", **sent).status_code for _ in range(2)] == [202, 202]
    assert give(cast.player, sent["key"]) == 204
    assert send(cast.gm, "witness_ask", **sent).status_code == 204
    assert Event.objects.filter(kind="rolls.witness_asked").count() == 1


def test_a_form_with_a_mistake_asks_nobody(cast, table):
    for mistake in ({"client_seed": "x"}, {"system": "chess"}, {"difficulty": "99"}, {"text": "/r nonsense d99 d9"}):
        assert send(cast.gm, "witness_ask", **form(**mistake)).status_code == 422
    assert not Witness.objects.exists()


def test_a_seed_is_what_a_browser_makes_up_and_comes_once(cast, table):
    sent = form()
    send(cast.gm, "witness_ask", **sent)
    for seed in ("", "x" * 32, "5E" * 16, "5e" * 15):
        assert give(cast.player, sent["key"], seed) == 422
    assert [give(cast.other_player, sent["key"]), give(cast.player, sent["key"])] == [204, 204]
    told = Event.objects.filter(campaign=cast.campaign, kind="rolls.witness_given").select_related("stored")
    assert [event.payload["who"]["member"] for event in told] == [cast.other_player.member.pk]


def test_a_witnessed_roll_fits_for_everybody_in_the_browser_and_offline(cast, table, play, tmp_path):
    made = witnessed(cast)
    sessions.end_session(play.gm, key=uuid4())
    for person in (cast.gm, cast.player, cast.spectator):
        given = lines(person.client, table)
        assert str(made.pk) in json.dumps(given)
        assert verdicts(browser(given)) == ["fits"] and browser(given)["faults"] == []
        assert offline(given, tmp_path)[0] == 0


@pytest.mark.parametrize("kind", ["rolls.witness_asked", "rolls.witness_given"])
def test_a_witnessed_roll_is_wrong_without_what_the_log_must_tell_before_it(cast, table, play, kind, tmp_path):
    witnessed(cast)
    sessions.end_session(play.gm, key=uuid4())
    given = lines(cast.player.client, table)
    for line in given:
        if line["kind"] == kind:
            line["kind"] = "campaigns.said"
    link_anew(given)
    found = browser(given)
    assert found["faults"] == [] and verdicts(found) == ["wrong"]
    assert offline(given, tmp_path)[0] == (kind == "rolls.witness_given")


@pytest.mark.parametrize("other", [{"client": "07" * 16}, {"spec": "6d10"}, {"epoch": "99"}], ids=str)
def test_a_witnessed_roll_is_wrong_where_other_things_were_settled_than_were_used(cast, table, play, other):
    witnessed(cast)
    sessions.end_session(play.gm, key=uuid4())
    given = lines(cast.player.client, table)
    next(line for line in given if line["kind"] == "rolls.witness_asked")["payload"] |= other
    assert verdicts(browser(given)) == ["wrong"]


def test_a_roll_that_was_asked_for_and_never_made_is_counted(cast, table, play):
    witnessed(cast)
    send(cast.gm, "witness_ask", **form())
    given = lines(cast.player.client, table)
    assert browser(given)["unused"] == 1
