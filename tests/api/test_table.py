"""What else a table keeps, by the API: clocks, sessions, storylines, the Scale, procedures, statistics, odds."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Clock, Event, GameSession, Storyline
from campaigns.services import play
from characters.services import cards
from rolls.registry import RULESETS
from scale.models import Burn
from tests.api.callers import calls
from tests.flows.pictures import upload
from tests.flows.played import PLUS_4

pytestmark = pytest.mark.django_db

CLOCK = {"name": "Dawn", "kind": "progress", "segments": 4, "visibility": "visible", "owner": "crew"}


def test_a_clock_is_made_ticked_and_written_anew(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    made = gm.post("/clocks", CLOCK)
    assert made.status_code == 200, made.content
    path = f"/clocks/{made.json()['id']}"
    assert player.post(f"{path}/ticks", {"ticks": 2, "reason": "noise"}).json()["filled"] == 2
    changed = gm.post(path, CLOCK | {"name": "Dusk"}, method="PUT", **{"If-Match": made.json()["version"]})
    assert changed.status_code == 200 and changed.json()["name"] == "Dusk"
    stale = gm.post(path, CLOCK, method="PUT", **{"If-Match": made.json()["version"]})
    assert stale.status_code == 409 and stale.json()["current"]["name"] == "Dusk"
    assert "version" not in {name for name, value in player.get(path).json().items() if value is not None}
    assert gm.post(f"{path}/archive").json()["archived"] and not gm.post(f"{path}/restore").json()["archived"]
    assert Clock.objects.get().filled == 2


def test_a_session_and_a_scene_begin_and_end(cast):
    gm = calls(cast.gm)
    assert gm.post("/sessions", {"title": "One"}).json()["number"] == 1
    assert gm.post("/scenes", {"title": "Roof"}).json()["title"] == "Roof"
    (session,) = calls(cast.player).get("/sessions").json()["items"]
    assert session["scenes"][0]["title"] == "Roof" and session["ended_at"] is None
    assert gm.post("/scenes/close").status_code == gm.post("/sessions/end").status_code == 200
    assert GameSession.objects.get().ended_at


def test_sessions_come_a_page_at_a_time(cast):
    gm = calls(cast.gm)
    for _ in range(3):
        gm.post("/sessions", {})
        gm.post("/sessions/end")
    first = gm.get("/sessions", limit=2).json()
    assert [session["number"] for session in first["items"]] == [3, 2] and first["next"] == 2
    assert [session["number"] for session in gm.get("/sessions", before=2).json()["items"]] == [1]


def test_a_storyline_is_added_and_resolved_and_its_notes_are_the_gms(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    body = {"title": "A debt", "whose": cast.player.member.pk, "gm_notes": "canary-gm-notes"}
    made = gm.post("/storylines", body).json()
    changed = gm.post(
        f"/storylines/{made['id']}", body | {"title": "A large debt"}, method="PUT", **{"If-Match": made["version"]}
    )
    assert changed.json()["title"] == "A large debt"
    (seen,) = player.get("/storylines").json()
    assert seen["whose"]["name"] == "Mo" and seen["notes"] is None
    assert not gm.post(f"/storylines/{made['id']}/resolve").json()["open"]
    assert gm.post(f"/storylines/{made['id']}/reopen").json()["open"]
    assert Storyline.objects.get().title == "A large debt"


def test_a_burn_is_offered_and_taken(cast, dice, settings):
    settings.RATE_LIMIT = 1_000
    player, roll = calls(cast.player), {"pool": "5", "difficulty": 6}
    silas = _character(cast)
    dice(*PLUS_4)
    made = player.post("/rolls", roll | {"character": str(silas.pk)}).json()
    assert made["event"]["payload"]["scale"]["value"] == 4
    (burn,) = player.get("/scale").json()["offers"]
    assert calls(cast.other_player).post(f"/burns/{burn['id']}/take").status_code == 403
    assert player.post(f"/burns/{burn['id']}/take").status_code == 200
    assert player.post(f"/burns/{burn['id']}/effect", {"effect": "no such"}).json()["errors"][0]["field"] == "effect"
    assert Burn.objects.get().state == Burn.State.FIRED


SET = {"position": "risky", "base": "standard", "potency": "0", "quality": "0", "scale": "0"}


def test_a_procedure_is_opened_and_moved_on_by_its_offers(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    nyx = _character(cast, "forged")
    kinds = {(kind["system"], kind["kind"]): kind for kind in player.get("/procedure-kinds").json()}
    assert kinds["forged", "action"]["form"]["required"] == ["character", "action"]
    body = {"system": "forged", "kind": "action", "character": str(nyx.pk), "action": "skirmish"}
    opened = player.post("/procedures", body | {"reason": "Through the gate"})
    assert opened.status_code == 200, opened.content
    path = f"/procedures/{opened.json()['id']}"
    (offer,) = [offer for offer in gm.get(path).json()["offers"] if offer["act"].startswith("set")]
    assert "position" in offer["form"]["properties"]
    wrong = gm.post(f"{path}/steps", SET | {"act": offer["act"], "position": "easy", "colour": "red"})
    assert wrong.status_code == 422 and [error["field"] for error in wrong.json()["errors"]] == ["colour"]
    wrong = gm.post(f"{path}/steps", SET | {"act": offer["act"], "position": "easy"})
    assert wrong.status_code == 422 and [error["field"] for error in wrong.json()["errors"]] == ["position"]
    assert player.post(f"{path}/steps", SET | {"act": offer["act"]}).status_code == 403
    step = gm.post(f"{path}/steps", SET | {"act": offer["act"]})
    assert step.status_code == 200, step.content
    assert gm.post(f"{path}/back", {"step": str(uuid4())}).status_code == 409
    assert gm.post(f"{path}/back", {"step": step.json()["step"]}).status_code == 200
    assert player.post(f"{path}/close").status_code == 403
    closed = gm.post(f"{path}/close")
    assert closed.json()["over"] and not closed.json()["offers"]
    assert player.get("/procedures").json() == []


def test_a_procedure_that_asks_for_a_roll_is_answered_like_any_request(cast, dice):
    gm, player = calls(cast.gm), calls(cast.player)
    body = {"system": "storyteller", "kind": "extended", "pool": "5", "difficulty": 6, "goal": 5}
    opened = gm.post("/procedures", body | {"character": str(_character(cast).pk), "reason": "The vault"})
    assert opened.status_code == 200, opened.content
    (request,) = player.get("/requests").json()
    dice(7, 8, 6, 3, 2)
    assert player.post(f"/requests/{request['id']}/answer", {}).json()["event"]["kind"] == "rolls.roll_made"
    assert player.get("/procedures").json()[0]["reason"] == "The vault"


def test_statistics_and_odds_are_told_in_figures(cast, dice):
    player = calls(cast.player)
    dice(7, 1, 6, 3, 2)
    player.post("/rolls", {"pool": "5"})
    counted = player.get("/statistics")
    assert counted.status_code == 200 and counted.json()["lines"], counted.content
    assert counted.json()["choices"]["player"] == {str(cast.player.member.pk): "Mo"}
    assert player.get("/statistics", player="nobody").status_code == 422
    page = player.get("//odds/storyteller", dice=5, difficulty=6)
    assert page.status_code == 200 and page.json()["sections"], page.content
    assert player.get("//odds/storyteller", colour="red").status_code == 422
    assert player.get("//odds/chess").status_code == 404


def test_every_ruleset_says_what_its_rolls_take(cast):
    told = calls(cast.player).get("/rulesets").json()
    assert [rules["system"] for rules in told] == list(RULESETS)
    assert all({"character", "audience", "faces"} <= rules["fields"]["properties"].keys() for rules in told)


def test_the_campaign_says_as_whom_it_is_looked_at(cast):
    campaign = calls(cast.player, writes=False).get("").json()
    assert campaign["name"] == "Ashes" and campaign["me"] == {
        "member": cast.player.member.number,
        "name": "Mo",
        "role": "player",
        "writes": False,
    }
    assert calls(cast.player).get("//campaigns").json()[0]["slug"] == cast.campaign.slug


def test_the_page_and_the_document_are_open_to_everybody_and_say_the_same(client, db):
    page, document = client.get(reverse("api_docs")), client.get("/api/v1/openapi.json").json()
    assert page.status_code == 200 and document["openapi"].startswith("3.1")
    shown = page.content.decode()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path.removeprefix('/api/v1')}" in shown, path
    assert "<script" not in shown.partition("<main")[2].partition("</main>")[0]
    assert not Event.objects.exists()


def _character(cast, system=""):
    card = cards.Card("Silas", "", cast.player.member)
    return cards.make_character(cast.player.member, card, system=system, key=uuid4())


def test_xp_are_given_and_spent(cast):
    silas, gm, player = _character(cast, "descriptors"), calls(cast.gm), calls(cast.player)
    assert gm.post("/xp", {"characters": [str(silas.pk)], "amount": 20, "reason": "The vault"}).status_code == 200
    ledger = player.get(f"/characters/{silas.pk}/ledger").json()
    assert ledger["balances"][0]["have"] == 4 and ledger["entries"][0]["words"] == "The vault"
    offer = next(offer for offer in ledger["offers"] if offer["offer"] == "new")
    assert "name" in [ask["name"] for ask in offer["asks"]]
    bought = player.post(f"/characters/{silas.pk}/ledger", {"offer": "new", "given": {"name": "Owes Bob"}})
    assert bought.json()["entries"][0]["words"] == "New Descriptor, 1D: Owes Bob", bought.content
    assert calls(cast.other_player).get(f"/characters/{silas.pk}/ledger").status_code == 404
    assert player.post(f"/characters/{silas.pk}/ledger", {"offer": "the moon"}).status_code == 409
    wrong = gm.post("/xp", {"characters": [str(silas.pk)], "amount": 0, "reason": "The vault"})
    assert wrong.json()["errors"][0]["field"] == "amount"


def test_the_rolls_at_hand_are_those_of_ones_own_character(cast, dice):
    silas, player = _character(cast), calls(cast.player)
    dice(7, 1, 6, 3, 2)
    player.post("/rolls", {"pool": "5", "difficulty": 6, "character": str(silas.pk)})
    (again,) = player.get(f"/characters/{silas.pk}/rolls").json()
    assert again["system"] == "storyteller" and again["fields"]["pool"] == "5"
    assert calls(cast.other_player).get(f"/characters/{silas.pk}/rolls").status_code == 404


def test_a_picture_is_shown_and_kept_as_a_handout(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    uid = play.narrate(cast.gm.member, "A map", picture=upload("a map"), key=uuid4()).uid
    assert gm.post(f"/events/{uid}/handout", {}).json()["errors"][0]["field"] == "title"
    assert gm.post(f"/events/{uid}/handout", {"title": "The map"}).status_code == 200
    (handout,) = player.get("/handouts").json()
    assert handout["title"] == "The map" and handout["event"] == str(uid)
    assert player.get(f"/{handout['picture'].split('/', 3)[3]}").status_code == 200
    assert gm.post(f"/events/{uid}/show").status_code == 200
    assert player.post(f"/events/{uid}/show").status_code == 404  # a player shows their own
    assert gm.post(f"/events/{uid}/handout", method="DELETE").status_code == 200
    assert player.get("/handouts").json() == []
