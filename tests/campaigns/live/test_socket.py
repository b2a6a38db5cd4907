"""The socket of a table: who gets what, in order, once, and who gets nothing."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from campaigns.live.socket_writer import GONE, LATER, RESEATED
from campaigns.models import Role
from campaigns.models.members import GM, TABLE, member_stream
from campaigns.services import members, play
from campaigns.services.members import invite
from tests.campaigns.live.clients import act, heads, say
from tests.campaigns.live.sockets import Socket, away, browser, quiet, socket
from tests.cast import seat_at
from tests.doors import watcher

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@act
def make_secrets(cast):
    """Make an event in the GM's stream, and one in the player's and one in the GM's own."""
    invite(cast.gm.member, Role.PLAYER, days=1, uses=1, key=uuid4())
    play.whisper(cast.player.member, "canary-whisper", to=[cast.gm.member], key=uuid4())


async def test_everybody_gets_the_streams_of_their_seat_whole_and_in_order(cast, board):
    slug = cast.campaign.slug
    link_client = await act(watcher)(cast)
    await make_secrets(cast)
    mine, gms = member_stream(cast.player.member.pk), member_stream(cast.gm.member.pk)
    allowed = {
        "gm": {TABLE, GM, mine, gms},
        "player": {TABLE, mine},
        "other_player": {TABLE},
        "spectator": {TABLE},
    }
    all_heads = await heads(seat_at(cast.gm.member))
    clients = {name: await browser(cast.everybody[name]) for name in allowed} | {"link": link_client}
    for name, streams in (allowed | {"link": {TABLE}}).items():
        async with socket(slug, clients[name]) as link:
            want = [
                (stream, seq) for stream in all_heads if stream in streams for seq in range(1, all_heads[stream] + 1)
            ]
            assert sorted(link.events) == sorted(want), name
            assert link.frames[-1]["heads"] == {stream: all_heads[stream] for stream in streams}, name
            if mine not in streams:
                assert "canary" not in str(link.frames)


async def test_every_event_says_which_it_follows_whether_it_was_missed_or_is_new(cast, board):
    await say(cast.gm, "Missed")
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await say(cast.gm, "New", "Newer")
        while "Newer" not in (await link.event())["html"]:
            pass
        rows = [frame for frame in link.frames if frame["t"] == "event" and frame["stream"] == TABLE]
        assert [row["prev"] for row in rows] == [None, *(row["hash"] for row in rows[:-1])]


async def test_news_reaches_everybody_who_may_see_it_and_nobody_else(cast, board):
    slug = cast.campaign.slug
    people = [await browser(person) for person in (cast.gm, cast.player, cast.other_player)]
    async with socket(slug, people[0]) as gm, socket(slug, people[1]) as player, socket(slug, people[2]) as other:
        before = len(other.frames)
        await make_secrets(cast)
        await say(cast.player, "Hello, all")
        for link in (gm, player, other):
            while "Hello, all" not in (await link.event())["html"]:
                pass
        fresh = [frame for frame in other.frames[before:] if frame["t"] == "event"]
        assert [frame["stream"] for frame in fresh] == [TABLE]
        assert "canary" in str(gm.frames) and "canary" in str(player.frames)
        # All viewers of one role get the same bytes.
        assert player.frames[-1]["html"] == other.frames[-1]["html"]


async def test_strangers_learn_nothing_not_even_whether_there_is_such_a_table(cast, board):
    async def answers(slug, client):
        link = Socket(slug, client)
        said = [await link.connect(timeout=30)]
        await link.send_json_to({"since": {}})
        said.append(await link.receive_output(timeout=30))
        await link.disconnect(timeout=30)
        return said

    outsider, removed = await browser(cast.outsider), await browser(cast.removed)
    nobody = Client()
    all_answers = [await answers(cast.campaign.slug, client) for client in (outsider, removed, nobody)]
    all_answers += [await answers("no-such-table", client) for client in (await browser(cast.player), nobody)]
    for answer in all_answers:
        assert answer == [(True, None), {"type": "websocket.close", "code": GONE}]


@pytest.mark.parametrize("path", ["/", "/c/ashes/", "/c/ashes/live", "/nowhere/live/", "/c/%00/live/"])
async def test_a_socket_where_there_is_none_is_refused_and_no_error(cast, board, path):
    link = Socket(cast.campaign.slug, await browser(cast.player))
    link.scope["path"] = path
    accepted, code = await link.connect(timeout=30)
    assert (accepted, code) == (False, 1000)
    assert not board.sockets


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:8000"]
)
async def test_another_site_opens_no_socket(cast, board, origin):
    link = Socket(cast.campaign.slug, await browser(cast.player), origin=origin)
    accepted, _ = await link.connect(timeout=30)
    assert not accepted
    assert not board.sockets


async def test_who_comes_back_gets_exactly_what_they_missed_in_order_once(cast, board):
    client = await browser(cast.player)
    async with socket(cast.campaign.slug, client) as link:
        stood = link.frames[-1]["heads"]
    await make_secrets(cast)
    await say(cast.other_player, "one", "two")
    async with socket(cast.campaign.slug, client, stood) as link:
        want = [(TABLE, stood[TABLE] + 1), (TABLE, stood[TABLE] + 2), (member_stream(cast.player.member.pk), 1)]
        assert sorted(link.events) == sorted(want)
        await quiet(link)


async def test_the_removed_get_no_frame_after_the_row_that_removed_them(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.player)) as link, socket(slug, await browser(cast.gm)) as gm:
        before = link.events
        await act(members.remove_member)(cast.gm.member, cast.player.member, key=uuid4())
        await say(cast.gm, "canary-afterwards")
        while "canary-afterwards" not in (await gm.event())["html"]:
            pass
        assert await link.end() == GONE
        assert link.events == before
        assert "canary" not in str(link.frames)
    async with socket(slug, await browser(cast.player)) as again:
        assert again.closed == GONE and again.frames == []


async def test_a_new_role_is_a_new_seat(cast, board):
    slug = cast.campaign.slug
    client = await browser(cast.player)
    async with socket(slug, client) as link:
        await act(members.change_role)(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
        assert await link.end() == RESEATED
    cast.player.member.role = Role.GM
    async with socket(slug, client, await heads(seat_at(cast.player.member))) as link:
        await make_secrets(cast)
        assert (await link.event())["stream"] == GM


async def test_a_gm_who_looks_through_the_eyes_of_one_switched_off_goes_on_looking_until_switched_off_too(cast, board):
    client = await browser(cast.gm)
    await act(client.post)(f"/c/{cast.campaign.slug}/see-as/", {"as": cast.player.member.pk})
    async with socket(cast.campaign.slug, client) as link:
        for person in (cast.player, cast.gm):
            person.user.is_active = False
            await act(person.user.save)()
            await board.poll(beat=True)
            if person is cast.player:
                await link.beat()
                assert link.closed is None
        assert await link.end() == GONE


async def test_a_removal_that_nothing_told_of_is_found_by_the_poll(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        member = cast.player.member
        await act(type(member).objects.filter(pk=member.pk).update)(left_at=member.joined_at)
        await board.poll(beat=False)
        assert await link.end() == GONE


GARBAGE = [
    "nonsense",
    "[]",
    "[" * 100_000,
    "7",
    "null",
    '{"since": 5}',
    '{"got": "many"}',
    '{"got": -7}',
    '{"got": 1e400}',
    '{"write": "campaigns.said", "t": "event"}',
    '{"since": {"gm": 0, "table": 0}}',
]


async def test_whatever_else_a_client_says_is_ignored(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        before = len(link.frames)
        for text in GARBAGE:
            await link.send_to(text_data=text)
        await link.send_to(bytes_data=b"\xff\x00")
        await quiet(link)
        assert len(link.frames) == before
        await say(cast.gm, "All is well")
        assert "All is well" in (await link.event())["html"]


async def test_a_position_that_cannot_be_is_taken_for_the_beginning(cast, board):
    since = {TABLE: -3, GM: 2**80, "member:1": "x", "nonsense\0": 4, "": None, "member:2": True}
    async with socket(cast.campaign.slug, await browser(cast.player), since) as link:
        assert [seq for stream, seq in link.events if stream == TABLE] == list(range(1, len(link.events) + 1))
    async with socket(cast.campaign.slug, await browser(cast.player), {TABLE: 10**40}) as link:
        assert link.events == [] and link.closed == RESEATED  # such a page shows what was lost


async def test_nothing_comes_before_the_client_has_said_where_it_stands(cast, board):
    link = Socket(cast.campaign.slug, await browser(cast.player))
    await link.connect(timeout=30)
    await say(cast.gm, "Hi")
    await board.poll(beat=True)
    await quiet(link)
    await link.disconnect(timeout=30)


async def test_a_socket_whose_log_cannot_be_read_is_closed_so_that_it_comes_back(cast, board, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("campaigns.live.campaign_feed.CampaignFeed.missed", away)
        async with socket(cast.campaign.slug, await browser(cast.player)) as link:
            assert link.closed == LATER
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        assert link.closed is None and link.events
