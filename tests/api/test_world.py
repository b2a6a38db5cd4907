"""Pages of what is known, and the tables that GMs roll on, by the API: the same services, and the same people know of them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Event
from characters.services.cards import Card, make_character
from rolls.services.tables import write_table
from tests.api.callers import calls
from tests.canaries import canary
from tests.news import news
from world.models import Page

pytestmark = pytest.mark.django_db


def write(caller, page, seen, **words):
    return caller.post(f"/pages/{page}", words, method="PATCH", **{"If-Match": seen})


def test_a_page_is_made_and_written_by_everyone_who_plays(cast):
    player, other, spectator = calls(cast.player), calls(cast.other_player), calls(cast.spectator)
    made = player.post("/pages", {"name": "The Gull, place"}).json()
    assert (made["name"], made["kind"], made["hidden"]) == ("The Gull", "place", False)
    written = write(other, made["id"], made["version"], note="An inn.", aliases="the inn, the Gull by the sea")
    assert written.status_code == 200, written.content
    read = spectator.get(f"/pages/{made['id']}").json()
    assert (read["note"], read["aliases"], read["version"]) == ("An inn.", ["the inn", "the Gull by the sea"], None)
    assert [page["name"] for page in spectator.get("/pages").json()] == ["The Gull"]
    assert write(spectator, made["id"], written.json()["version"], note="Mine").status_code == 403


def test_what_is_not_sent_stays_as_it_is(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    made = gm.post("/pages", {"name": "The Gull, place"}).json()
    first = write(gm, made["id"], made["version"], note="An inn.", gm_note=canary("gm", "inn"), aliases="inn").json()
    seen = player.get(f"/pages/{made['id']}").json()
    assert seen["gm_note"] is None
    write(player, made["id"], seen["version"], note="It burned.")
    now = gm.get(f"/pages/{made['id']}").json()
    assert now | {"version": ""} == first | {"note": "It burned.", "version": ""}


def test_who_writes_over_what_somebody_else_has_written_is_told_what_it_says_and_loses_nothing(cast):
    player, other = calls(cast.player), calls(cast.other_player)
    made = player.post("/pages", {"name": "The Gull"}).json()
    path = f"/pages/{made['id']}"
    write(other, made["id"], made["version"], note="It stands.")
    stale = write(player, made["id"], made["version"], note="It burned.")
    assert stale.status_code == 409 and stale.json()["by"] == cast.other_player.member.name
    assert stale.json()["current"]["note"] == "It stands." == player.get(path).json()["note"]
    again = write(player, made["id"], player.get(path).json()["version"], note="It stands no more.")
    assert again.json()["note"] == "It stands no more."


def test_the_same_sent_again_is_written_once_and_answered_as_before(cast):
    gm, player, key = calls(cast.gm), calls(cast.player), uuid4()
    made = player.post("/pages", {"name": "The Gull"}).json()
    path, seen = f"/pages/{made['id']}", {"If-Match": made["version"]}
    player.post(path, {"note": "It burned."}, key=key, method="PATCH", **seen)
    write(gm, made["id"], gm.get(path).json()["version"], name="The Old Gull")
    again = player.post(path, {"note": "It burned."}, key=key, method="PATCH", **seen)
    assert again.status_code == 200 and again.json()["name"] == "The Old Gull"
    gone = [gm.post(path, key=key, method="DELETE").status_code for key in [uuid4()] * 2]
    assert gone == [200, 200] and not Page.objects.exists()


def test_gms_show_hide_and_tell_what_is_theirs(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    made = gm.post("/pages", {"name": "The buyers, faction, hidden"}).json()
    path, told = f"/pages/{made['id']}", "They pay in coin."
    write(gm, made["id"], made["version"], gm_note=f"{told}\n\n{canary('gm', 'buyers')}")
    assert made["hidden"] and player.get(path).status_code == 404 and player.get("/pages").json() == []
    assert write(player, made["id"], made["version"], note="Mine").status_code == 404
    assert gm.post(f"{path}/tell", {"paragraph": told}).status_code == 409
    assert not gm.post(f"{path}/show").json()["hidden"]
    assert gm.post(f"{path}/tell", {"paragraph": told}).json()["gm_note"] == canary("gm", "buyers")
    assert player.get(path).json()["note"] == told
    assert gm.post(f"{path}/hide").json()["hidden"] and player.get(path).status_code == 404


def test_a_character_has_a_page_whose_name_is_not_written_there(cast):
    gm, player = calls(cast.gm), calls(cast.player)
    orsolya = make_character(cast.gm.member, Card("Orsolya"), key=uuid4())
    make_character(cast.gm.member, Card(canary("gm", "npc"), shown=False), key=uuid4())
    (page,) = player.get("/pages").json()
    assert page["id"] == str(orsolya.pk) == page["character"]["id"] and page["kind"] == "person"
    seen = player.get(f"/pages/{page['id']}").json()["version"]
    wrong = write(player, page["id"], seen, name="Lady Orsolya")
    assert wrong.status_code == 422 and wrong.json()["errors"][0]["field"] == "name"
    assert write(player, page["id"], seen, note="The house is hers.").status_code == 200
    assert gm.post(f"/pages/{page['id']}/hide").status_code == 422
    assert player.post("/pages", {"name": "orsolya"}).json()["errors"][0]["field"] == "name"


def test_gms_read_roll_tables_with_their_odds(cast):
    streets = write_table(cast.gm.member, None, name="Streets", dice="", lines="x2 Hook Lane\nMill Row", key=uuid4())
    lines = "1-3 Nobody\n4-6 [[streets]], [[Weather]]"
    night = write_table(cast.gm.member, None, name="Night", dice="d6", lines=lines, key=uuid4())
    gm = calls(cast.gm)
    assert [table["id"] for table in gm.get("/tables").json()] == [str(streets.pk), str(night.pk)]
    read = gm.get(f"/tables/{night.pk}").json()
    assert read["lines"] == lines and read["missing"] == ["Weather"]
    assert read["rows"][0] == {"numbers": "1–3", "text": "Nobody", "exact": "1/2"}
    assert {one["text"]: one["exact"] for one in read["results"]}["Mill Row, Weather"] == "1/6"
    for person in (cast.player, cast.spectator):
        for path in ("/tables", f"/tables/{night.pk}"):
            assert calls(person).get(path).status_code == 403


def test_a_roll_on_a_table_is_told_to_everyone_or_to_gms(cast, dice):
    table = write_table(cast.gm.member, None, name="Night", dice="d6", lines="1-5 Fog\n6 A fox", key=uuid4())
    gm, path = calls(cast.gm), f"/tables/{table.pk}/roll"
    dice(2, 6)
    rolled = gm.post(path, {"client_seed": "c1" * 16}).json()
    assert rolled["event"]["payload"]["text"] == "Fog" and rolled["client_seed_by"] == "client"
    secret = gm.post(path, {"audience": "gm"}).json()
    assert secret["event"]["stream"] == "gm" and secret["client_seed_by"] == "server"
    streams = [event.stream.name for event in news().filter(kind="rolls.table_rolled")]
    assert sorted(streams) == ["gm", "table"]
    player = calls(cast.player)
    assert "A fox" not in player.get("/events").content.decode()
    assert player.get(f"/events/{secret['event']['uid']}").status_code == 404
    before = Event.objects.count()
    assert calls(cast.player).post(path, {}).status_code == 403
    assert gm.post(path, {"audience": "self"}).json()["errors"][0]["field"] == "audience"
    assert Event.objects.count() == before
