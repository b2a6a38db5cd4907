"""What a GM writes for the table is shown to it as it is written: to those who may see it, to no one else, and stored nowhere."""

from __future__ import annotations

import json
from dataclasses import asdict
from uuid import uuid4

import pytest
import pytest_asyncio
from django.db import connection

from campaigns.live import drafts
from campaigns.live import presence as places
from campaigns.models import Event, Presence
from campaigns.models.members import GM, TABLE
from tests.campaigns.live.backends import LISTENING, come_to
from tests.campaigns.live.clients import act
from tests.campaigns.live.sockets import Socket, browser, socket
from tests.cast import Cast, viewer


@pytest_asyncio.fixture
async def board(board):
    """Return the connection manager once it listens: anything said before that is lost."""
    if connection.vendor == "postgresql":
        await come_to(1, LISTENING)
    return board


WORDS = "The lamps gutter, all of them at once"


def writes(cast: Cast, text: str = WORDS, streams: tuple[str, ...] = (TABLE,)) -> dict:
    token = places.token(cast.campaign.pk, "major:1", streams)
    return {"token": token, "field": "text", "text": text}


async def told(link: Socket) -> dict:
    while (frame := await link.read())["t"] != "draft":
        pass
    return frame


def heard(*links: Socket) -> list[dict]:
    return [frame for link in links for frame in link.frames if frame["t"] == "draft"]


@act
def stored() -> tuple[int, str]:
    rows = [*Presence.objects.values_list("place", flat=True)]
    return Event.objects.count(), json.dumps(rows)


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_everyone_at_the_table_reads_a_draft_as_it_is_written_and_nothing_keeps_it(cast, board):
    slug, before = cast.campaign.slug, (await stored())[0]
    async with (
        socket(slug, await browser(cast.gm)) as gm,
        socket(slug, await browser(cast.player)) as mo,
        socket(slug, await browser(cast.spectator)) as watcher,
    ):
        await gm.send_json_to({"draft": writes(cast)})
        for link in (mo, watcher):
            assert await told(link) == {"t": "draft", "subject": "major:1", "name": "Gm", "text": WORDS}
        await gm.send_json_to({"draft": writes(cast, "")})
        assert (await told(mo))["text"] == ""
        events, rows = await stored()
        assert events == before and WORDS not in rows
    # A socket that connects later gets nothing that was written before.
    async with socket(slug, await browser(cast.other_player)) as late:
        assert heard(late) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_draft_for_gms_is_read_by_no_one_else(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as gm, socket(slug, await browser(cast.player)) as mo:
        await gm.send_json_to({"draft": writes(cast, streams=(GM,))})
        assert (await told(gm))["text"] == WORDS
        await gm.send_json_to({"draft": writes(cast, "")})
        assert (await told(mo))["text"] == ""
        assert len(heard(mo)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_players_write_no_draft_even_with_the_token_of_a_gm(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as gm, socket(slug, await browser(cast.player)) as mo:
        await mo.send_json_to({"draft": writes(cast, "forged")})
        await mo.send_json_to({"at": {"token": writes(cast)["token"], "field": "text"}})
        while (await gm.read())["t"] != "places":  # so earlier messages have arrived
            pass
        await gm.send_json_to({"draft": writes(cast)})
        for link in (gm, mo):
            assert (await told(link))["text"] == WORDS
            assert len(heard(link)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_drafts_that_come_too_fast_are_dropped(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as gm, socket(slug, await browser(cast.player)) as mo:
        for number in range(20):
            await gm.send_json_to({"draft": writes(cast, f"{number}")})
        await gm.send_json_to({"draft": writes(cast, "")})
        while (await told(mo))["text"]:
            pass
        assert [frame["text"] for frame in heard(mo)] in (["0", ""], [""])  # of several the newest alone


@pytest.mark.parametrize(
    "said",
    [None, 7, {}, {"token": "made:up", "field": "text", "text": "x"}, {"token": 1, "field": "text", "text": "x"}],
)
def test_what_no_page_was_given_is_no_draft(cast, said):
    assert drafts.read(viewer(cast.gm), said) is None


def test_a_token_of_another_campaign_writes_nothing_here(cast):
    elsewhere = {"token": places.token(uuid4(), "major:1", (TABLE,)), "field": "text", "text": "x"}
    assert drafts.read(viewer(cast.gm), elsewhere) is None


def test_of_a_long_draft_the_end_is_told_and_it_fits_a_notification(cast):
    draft = drafts.read(viewer(cast.gm), writes(cast, "\x00" + "📜" * 9000 + " the end"))
    assert draft and draft.text.endswith("the end") and "\x00" not in draft.text
    assert len(json.dumps(asdict(draft), ensure_ascii=False).encode()) < 8000


@pytest.mark.parametrize("payload", ["", "7", "[]", "{}", '{"campaign": 1}', "not json"])
def test_what_strangers_say_on_the_channel_is_passed_over(payload):
    with pytest.raises(ValueError):
        drafts.heard(payload)
