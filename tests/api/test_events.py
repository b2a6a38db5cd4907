"""The log by the API: looked through, stream by stream, and with its proofs."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns import chain
from campaigns.services import play
from campaigns.views.log import FORMS
from tests.api.callers import calls

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


def said(cast, *words):
    for one in words:
        play.say(cast.player.member, one, key=uuid4())


def test_pages_go_on_from_each_other_without_gap_or_repeat(cast):
    said(cast, *"abcde")
    caller, texts, after = calls(cast.player), [], None
    while True:
        page = caller.get("/events", limit=2, topic="talk", **({"after": after} if after else {})).json()
        texts += [event["payload"]["words"] for event in page["items"]]
        if (after := page["next"]) is None:
            break
    assert texts == list("edcba")


def test_words_are_looked_for_and_the_line_is_told_as_text(cast):
    said(cast, "The lantern room", "nothing")
    (event,) = calls(cast.player).get("/events", words="lantern").json()["items"]
    assert "The lantern room" in event["text"] and event["by"] == {"member": cast.player.member.number, "name": "Mo"}


def test_a_stream_is_read_by_its_numbers(cast):
    said(cast, *"abc")
    caller = calls(cast.player)
    (table,) = [stream for stream in caller.get("/streams").json() if stream["name"] == "table"]
    first = caller.get("/streams/table/events", limit=2).json()
    assert [event["seq"] for event in first["items"]] == [1, 2] and first["next"] == "2"
    rest = caller.get("/streams/table/events", after=first["next"]).json()
    assert rest["items"][-1]["seq"] == table["seq"] and rest["items"][-1]["hash"] == table["hash"]
    assert rest["next"] is None


def test_the_line_of_an_event_gives_its_hash(cast):
    said(cast, "a")
    caller = calls(cast.player)
    events, lines = (caller.get(f"/streams/table/{form}").json()["items"] for form in ("events", "lines"))
    head = chain.first_link(str(cast.campaign.pk), "table")
    for event, line in zip(events, lines, strict=True):
        assert line["prev"] == head
        assert chain.commit(line["salt"], line["payload"]) == line["commitment"]
        head = line["hash"]
        assert event["hash"] == head


def test_lines_come_page_by_page(cast):
    said(cast, *"abc")
    caller = calls(cast.player)
    whole = caller.get("/streams/table/lines").json()
    page = caller.get("/streams/table/lines", limit=2).json()
    rest = caller.get("/streams/table/lines", after=page["next"]).json()
    assert page["items"] + rest["items"] == whole["items"]
    assert page["next"] == "2" and rest["next"] is None


def test_a_stream_of_others_is_not_there(cast):
    play.whisper(cast.player.member, "hush", to=[cast.gm.member], key=uuid4())
    caller = calls(cast.other_player)
    assert [stream["name"] for stream in caller.get("/streams").json()] == ["table"]
    for name in ("gm", cast.player.member.stream, "nothing"):
        assert caller.get(f"/streams/{name}/events").status_code == 404
        assert caller.get(f"/streams/{name}/lines").status_code == 404


def test_what_is_told_in_several_streams_comes_once(cast):
    play.whisper(cast.player.member, "hush", to=[cast.gm.member], key=uuid4())
    assert len(calls(cast.gm).get("/events", topic="whisper").json()["items"]) == 1


def test_one_event_is_told_as_fully_as_its_reader_may_know_it(cast):
    play.whisper(cast.player.member, "hush", to=[cast.gm.member], key=uuid4())
    uid = calls(cast.gm).get("/events", topic="whisper").json()["items"][0]["uid"]
    assert calls(cast.gm).get(f"/events/{uid}").json()["uid"] == uid
    assert calls(cast.player).get(f"/events/{uid}").json()["stream"] == cast.player.member.stream
    assert calls(cast.other_player).get(f"/events/{uid}").status_code == 404


def test_what_is_said_is_told_as_on_the_page(cast):
    caller = calls(cast.player)
    line = caller.post("/lines", {"text": "The lamp goes out."})
    assert line.status_code == 200, line.content
    assert line.json()["kind"] == "campaigns.said" and line.json()["payload"]["words"] == "The lamp goes out."
    whisper = caller.post("/lines", {"voice": "whisper", "text": "hush", "to": [cast.gm.member.number]}).json()
    assert whisper["stream"] == cast.player.member.stream
    assert calls(cast.other_player).get("/events", topic="whisper").json()["items"] == []


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "It rains.", "voice": "narration"}, "voice"),
        ({"text": "hush", "voice": "whisper"}, "to"),
        ({"text": "Look", "picture": "canary.webp"}, "picture"),
    ],
)
def test_a_line_that_cannot_be_said_names_its_field(cast, line, field):
    answer = calls(cast.player).post("/lines", line)
    assert answer.status_code == 422 and answer.json()["errors"][0]["field"] == field


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("/w gm hush", "“whisper”"),
        ("\n\uff0fw gm hush", "“whisper”"),
        ("Hello.\n/w gm hush", "Send it by itself"),
        ("/r 5", "/rolls"),
        ("/ask all 5", "/requests"),
        ("/me nods", "“voice”"),
    ],
)
def test_a_command_of_the_composer_is_not_said_aloud(cast, text, way):
    answer = calls(cast.player).post("/lines", {"text": text})
    assert answer.status_code == 422 and way in answer.json()["errors"][0]["detail"]
    assert calls(cast.gm).get("/events", topic="talk").json()["items"] == []


def test_the_log_is_taken_away_in_the_forms_of_its_page(cast):
    said(cast, "The lantern room", "nothing")
    caller = calls(cast.player)
    for form in FORMS:
        everything, some = (
            caller.get("/export", form=form, **words).getvalue().decode() for words in ({}, {"words": "lantern"})
        )
        assert "nothing" in everything and "lantern" in some and "nothing" not in some, form
    assert caller.get("/export", form="pdf").status_code == caller.get("/export", colour="red").status_code == 422
    assert caller.get("/export", topic="nothing").json()["errors"][0]["field"] == "topic"
