"""Sockets are let in together: in a few queries, as pages would let their people in, and nobody is cut for having to wait."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.db import connection

from campaigns.live import campaign_feed, connections
from campaigns.live import connections as live
from campaigns.live.socket_writer import GONE, LATER, SILENT, SILENT_AFTER
from campaigns.models import Presence
from campaigns.services import members, play
from tests.campaigns.live.clients import act, heads, settled
from tests.campaigns.live.sockets import Socket, away, browser, knocks, quiet, socket
from tests.cast import seat_at


@pytest.fixture(autouse=True)
def no_other_process_is_heard(monkeypatch):
    """Ignore notifications over PostgreSQL, which could make a feed query again at any time."""

    async def listen(*told):
        await asyncio.Event().wait()

    monkeypatch.setattr(live, "listen_for_ever", listen)


@pytest.fixture
def held(monkeypatch):
    """Look nobody up before `held.go` is set; `held.asked` are those who wait for it."""
    held = SimpleNamespace(go=asyncio.Event(), asked=[])
    plain = connections._viewers

    async def wait(asked):
        held.asked += asked
        await held.go.wait()
        return await plain(asked)

    monkeypatch.setattr(connections, "_viewers", wait)
    return held


async def waiting(held, person, count: int = 1, since: dict | None = None) -> list[Socket]:
    """Return so many sockets of a person; the first is about to be looked up, the others wait behind it."""
    before = len(held.asked)
    links = [await knocks("ashes", await browser(person), since) for _ in range(count)]
    await settled(lambda: len(held.asked) > before)
    await asyncio.sleep(0)
    return links


# Its cost


@act
def count_queries(into: list[str]) -> None:
    """Record the queries of the thread that serves all sockets."""

    def counted(execute, sql, *rest):
        into.append(sql)
        return execute(sql, *rest)

    connection.execute_wrappers.append(counted)


@act
def stop_counting() -> None:
    connection.execute_wrappers.clear()


def of_presence(sql: str) -> bool:
    """Return whether a query is about presence, which is written for a whole crowd at once and at most twice a second."""
    return '"campaigns_presence"' in sql or sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize("crowd", [0, 30])
async def test_a_socket_that_comes_back_costs_two_queries_and_its_row_and_a_crowd_behind_it_as_many(
    cast, board, held, crowd
):
    client, stood = await browser(cast.player), await heads(seat_at(cast.player.member))
    held.go.set()
    await act(play.say)(cast.other_player.member, "Missed", key=uuid4())
    async with socket("ashes", client, stood):  # has its frames drawn for players
        held.go.clear()
        queries: list[str] = []
        await count_queries(queries)
        links = await waiting(held, cast.player, 1 + crowd, stood)
        held.go.set()
        for link in links:
            await link.beat()
        await settled(lambda: any(sql.startswith("INSERT") and of_presence(sql) for sql in queries))
        await stop_counting()
        assert all(link.events == [("table", stood["table"] + 1)] for link in links)
        assert len([sql for sql in queries if not of_presence(sql)]) == (4 if crowd else 2)
        for link in links:
            await link.disconnect(timeout=30)


# Waiting


@act
def remove(cast):
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    play.say(cast.gm.member, "canary-afterwards", key=uuid4())


ASYNC = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


class TestWaiting:
    pytestmark = ASYNC

    async def test_who_is_removed_while_they_wait_is_told_so_and_nothing_else(self, cast, board, held):
        links = await waiting(held, cast.player, 3)
        await remove(cast)
        held.go.set()
        for link in links:
            assert await link.end() == GONE and link.frames == []
        await settled(lambda: not board.sockets)
        assert not await act(Presence.objects.exists)()

    async def test_who_is_removed_just_after_they_were_looked_up_gets_nothing_from_after_that(
        self, cast, board, monkeypatch
    ):
        plain = connections._viewers

        async def too_early(asked):
            viewers = await plain(asked)
            await remove(cast)
            for feed in board.feeds.values():
                await feed.pull()
            return viewers

        stood = await heads(seat_at(cast.player.member))
        monkeypatch.setattr(connections, "_viewers", too_early)
        link = await knocks("ashes", await browser(cast.player), stood)
        assert await link.end() == GONE
        assert "canary-afterwards" not in str(link.frames)

    async def test_nobody_is_cut_while_they_wait_and_silence_counts_from_when_they_were_served(
        self, cast, board, held, clock
    ):
        first, second = await waiting(held, cast.player, 2)
        clock.now += 10 * SILENT_AFTER
        await board.poll(beat=True)
        await quiet(first, second)
        assert len(board.sockets) == 2
        held.go.set()
        for link in (first, second):
            await link.beat()
            assert link.closed is None
        await settled(lambda: all(one._writer._acknowledged == one._writer._sent for one in board.sockets))
        await board.poll(beat=True)
        clock.now += SILENT_AFTER - 1
        await board.poll(beat=False)
        assert len(board.sockets) == 2
        clock.now += 2
        await board.poll(beat=False)
        assert await first.end() == await second.end() == SILENT

    async def test_nobody_is_cut_while_what_they_missed_is_drawn(self, cast, board, clock, monkeypatch):
        drawing, drawn = asyncio.Event(), asyncio.Event()
        plain = campaign_feed._draw

        async def slowly(frames, role):
            drawing.set()
            await drawn.wait()
            await plain(frames, role)

        monkeypatch.setattr(campaign_feed, "_draw", slowly)
        link = await knocks("ashes", await browser(cast.player))
        await drawing.wait()
        clock.now += 2 * SILENT_AFTER
        await board.poll(beat=False)
        drawn.set()
        await link.beat()
        assert link.closed is None and link.events

    async def test_who_leaves_while_they_wait_is_not_let_in(self, cast, board, held):
        gone, stays = await waiting(held, cast.player, 2)
        await gone.disconnect(timeout=30)
        held.go.set()
        await stays.beat()
        assert len(board.sockets) == 1
        assert await act(Presence.objects.count)() == 1
        await stays.disconnect(timeout=30)

    async def test_when_the_database_is_away_all_that_wait_may_come_back(self, cast, board, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(connections, "_viewers", away)
            links = [await knocks("ashes", await browser(cast.player)) for _ in range(3)]
            assert [await link.end() for link in links] == [LATER] * 3
        async with socket("ashes", await browser(cast.player)) as link:
            assert link.events

    async def test_a_page_that_knows_more_than_the_feed_makes_it_read_on(self, cast, board, monkeypatch):
        """If a notification is late, a beat with older heads would look as if the log had become shorter."""
        monkeypatch.setattr("campaigns.live.connections.ConnectionManager._pull_soon", lambda *_: None)
        async with socket("ashes", await browser(cast.gm)):
            await act(play.say)(cast.gm.member, "Unheard of", key=uuid4())
            stood = await heads(seat_at(cast.player.member))
            async with socket("ashes", await browser(cast.player), stood) as link:
                assert link.events == [] and link.frames[-1]["heads"] == stood

    async def test_more_than_a_batch_come_in_turn(self, cast, board, held, monkeypatch):
        monkeypatch.setattr(connections, "AT_ONCE", 2)
        links = await waiting(held, cast.player, 5)
        held.go.set()
        for link in links:
            await link.beat()
        assert len(held.asked) == 5 and len(board.sockets) == 5
        for link in links:
            await link.disconnect(timeout=30)
