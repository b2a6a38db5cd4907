"""The log to take away: what is in it for whom, in every form, and however long it is."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import zlib
from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from campaigns.access import viewer_of
from campaigns.models import Event
from campaigns.queries import export, log_lines
from campaigns.queries.search import EVERYTHING, LogFilters
from campaigns.services import play
from campaigns.services.dates import propose_dates
from campaigns.services.log import happening_at
from campaigns.views import log as export_views
from campaigns.views.log import FORMS
from tests.campaigns.log_pages import say
from tests.stored import store


def take(who, form="jsonl", **filters):
    answer = who.client.get(reverse("log_export", args=["ashes"]), {"as": form, **filters})
    assert answer.status_code == 200, answer.status_code
    return answer.getvalue().decode()


def lines(who, **filters):
    return [json.loads(line) for line in take(who, **filters).splitlines()]


def cells(who, **filters):
    return list(csv.DictReader(io.StringIO(take(who, "csv", **filters).removeprefix("\ufeff"), newline="")))


def test_every_entry_of_the_streams_that_one_sees_is_there_and_no_other(cast):
    play.whisper(cast.player.member, "psst", to=[cast.gm.member], key=uuid4())
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        seen = Event.objects.seen_by(viewer_of(person.user, {}, "ashes"))
        assert [(line["stream"], line["seq"]) for line in lines(person)] == list(
            seen.order_by("pk").values_list("stream__name", "seq")
        )
    assert "psst" in take(cast.gm) and "psst" in take(cast.player)
    assert "psst" not in take(cast.other_player) + take(cast.spectator)


def test_of_a_part_the_rest_is_there_as_bare_links(cast):
    say(cast, 3)
    told = [line for line in lines(cast.player, words="line") if "payload" in line]
    assert [line["payload"]["words"] for line in told if line["kind"] == "campaigns.said"] == [
        "line 1.",
        "line 2.",
        "line 3.",
    ]
    assert len(lines(cast.player, words="line")) == len(lines(cast.player))
    assert {line["kind"] for line in told} <= {"campaigns.said", "rolls.epoch_committed", "rolls.epoch_revealed"}


def test_it_says_where_each_entry_stood(cast):
    session = play.start_session(cast.gm.member, "One", key=uuid4())
    play.open_scene(cast.gm.member, "Door", key=uuid4())
    event = play.say(cast.player.member, "here", key=uuid4())
    last = lines(cast.player)[-1]
    assert (last["uid"], last["session"], last["scene"], last["amends"]) == (str(event.uid), session.number, 1, None)


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "  =", "＝"])
def test_no_cell_is_a_formula(cast, begin):
    assert export.harmless(f"{begin}1+1") == f"'{begin}1+1"


def test_a_table_holds_who_said_what_and_no_formula(cast):
    store(cast.player.user, display_name="=HYPERLINK(1)")
    cast.player.member.refresh_from_db()
    play.narrate(cast.gm.member, '+1 "quoted", and more', key=uuid4())
    play.say(cast.player.member, "Hello", key=uuid4())
    narrated, said = cells(cast.player)[-2:]
    assert narrated["words"] == """'+1 "quoted", and more""" and narrated["what"] == "Narration"
    assert said["who"] == "'=HYPERLINK(1)" and said["words"] == "'=HYPERLINK(1)\nHello" and said["for"] == "everyone"


def test_a_table_is_one_that_a_reader_s_spreadsheet_opens(cast):
    play.say(cast.player.member, "Es regnet; sehr.", key=uuid4())
    store(cast.player.user, language="de")
    head, *rows = csv.reader(io.StringIO(take(cast.player, "csv").removeprefix("\ufeff"), newline=""), delimiter=";")
    assert head == ["wann", "Sitzung", "Szene", "wer", "was", "Ergebnis", "Regeln", "für", "Text"]
    assert "Es regnet; sehr." in rows[-1][-1] and {len(row) for row in rows} == {9}


@pytest.mark.parametrize("language", ["en-gb", "de"])
@pytest.mark.parametrize("form", ["csv", "markdown"])
def test_dates_in_sentences_are_written_as_the_reader_writes_them(cast, form, language):
    at = (timezone.now() + timedelta(days=30)).replace(hour=19, minute=30, second=0, microsecond=0)
    propose_dates(cast.gm.member, [at], zone="UTC", at_once=True, key=uuid4())
    store(cast.player.user, language=language)
    with translation.override(language):
        told = f"{date_format(at, 'DATE_FORMAT')}, 19:30 UTC"
    text = take(cast.player, form).replace("\\", "")
    assert told in text and f"{at:%Y-%m-%d}, 19:30" not in text


def test_markdown_holds_no_html_whatever_was_said(cast):
    play.start_session(cast.gm.member, "<b>One</b>", key=uuid4())
    play.say(cast.player.member, "<script>alert(1)</script> [x](javascript:alert(1)) *so*", key=uuid4())
    text = take(cast.player, "markdown")
    assert text.startswith("# Ashes\n") and "*so*" in text
    assert "### Session 1: \\<b\\>One\\</b\\>" in text
    assert "<" not in text.replace("\\<", "") and "[x]" not in text


def test_a_page_for_paper_is_whole_and_escapes_what_was_said(cast):
    play.narrate(cast.gm.member, "<script>alert(1)</script>", key=uuid4())
    page = take(cast.player, "page")
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page


def test_headings_skip_no_level_although_a_scene_lasts_over_midnight(cast):
    evening = timezone.now().replace(hour=22, minute=0)
    with happening_at(evening):
        play.start_session(cast.gm.member, key=uuid4())
        play.open_scene(cast.gm.member, "Under the stage", key=uuid4())
    with happening_at(evening + timedelta(hours=4)):
        play.open_scene(cast.gm.member, "On the roof", key=uuid4())
    depths = [int(depth) for depth in re.findall(r"<h(\d)", take(cast.player, "page"))]
    assert depths == [1, 2, 3, 4, 2, 3, 4, 4]


def test_files_are_named_and_pages_are_not(cast):
    named = {}
    for form in FORMS:
        for filters in ({}, {"topic": "talk"}):
            answer = cast.player.client.get(reverse("log_export", args=["ashes"]), {"as": form, **filters})
            named[form, bool(filters)] = answer.get("Content-Disposition", "")
            assert answer["Cache-Control"] == "no-store"
    assert named["jsonl", False] == 'attachment; filename="ashes-log.jsonl"'
    assert named["csv", True] == 'attachment; filename="ashes-log-part.csv"'
    assert named["page", False] == ""


@pytest.mark.parametrize("asked", [{"as": "pdf"}, {"since": "never"}, {"who": "0"}])
def test_what_cannot_be_asked_for_is_refused(cast, asked):
    assert cast.player.client.get(reverse("log_export", args=["ashes"]), asked).status_code == 422


@pytest.mark.parametrize("write", [export.as_jsonl, export.as_csv])
@pytest.mark.parametrize("wanted", [EVERYTHING, LogFilters(topic="talk")])
def test_no_more_is_read_than_one_batch_ahead(cast, monkeypatch, patience, write, wanted):
    say(cast, 40)
    monkeypatch.setattr(export, "BATCH", 5)
    monkeypatch.setattr(log_lines, "BATCH", 5)
    text = write(viewer_of(cast.player.user, {}, "ashes"), wanted)
    steps = []
    while True:
        with CaptureQueriesContext(connection) as asked:
            if next(text, None) is None:
                break
        steps.append(len(asked))
    batches = [count for count in steps[1:] if count]
    assert len(batches) >= 8 and max(batches) <= 12
    assert sum(1 for count in steps if not count) >= 25


def test_what_happens_meanwhile_is_not_in_it(cast):
    text = export.as_jsonl(viewer_of(cast.player.user, {}, "ashes"), EVERYTHING)
    first = next(text)
    say(cast, 1)
    assert "line 1." not in first + "".join(text)


def test_a_log_page_offers_what_it_shows(cast):
    url = reverse("log_export", args=["ashes"])
    page = cast.player.client.get(reverse("log", args=["ashes"]), {"topic": "talk", "order": "oldest"}).content.decode()
    assert f'href="{url}?as=csv&amp;topic=talk"' in page
    assert f'href="{url}?as=csv"' in cast.player.client.get(reverse("log", args=["ashes"])).content.decode()
    assert url in cast.gm.client.get(reverse("campaign_settings", args=["ashes"])).content.decode()


@pytest.mark.django_db(transaction=True)
def test_over_asgi_it_is_sent_bit_by_bit(cast):
    assert asyncio.run(sent(cast.player)).decode() == take(cast.player)


@pytest.mark.django_db(transaction=True)
def test_packed_it_is_one_file_to_its_end_for_browsers_read_no_second(cast, monkeypatch):
    monkeypatch.setattr(export_views, "CHUNK", 100)
    packed = asyncio.run(sent(cast.player, headers={"accept-encoding": "gzip"}))
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    assert reader.decompress(packed).decode() == take(cast.player)
    assert reader.eof and not reader.unused_data


async def sent(who, **asked):
    """Return the bytes of an export as they go over ASGI."""
    client = AsyncClient()
    await client.aforce_login(who.user)
    answer = await client.get(reverse("log_export", args=["ashes"]), **asked)
    assert answer.is_async
    parts = [part async for part in answer.streaming_content]
    await sync_to_async(connections.close_all)()
    return b"".join(parts)
