"""Events as they happen, for programs: the feed of the sockets with its order, bounds and ends."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import asynccontextmanager
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.testing import ApplicationCommunicator
from django.utils import timezone

from api import stream
from campaigns.models import ApiToken, Role
from campaigns.models.members import GM, TABLE, member_stream
from campaigns.services import members
from campaigns.services.members import revoke_token
from config.application import application
from people.admin import switch_off
from tests.api.callers import calls, token_of
from tests.campaigns.live.clients import act
from tests.campaigns.live.conftest import board
from tests.campaigns.live.test_socket import make_secrets, say
from tests.canaries import must_be_free_of_secrets

__all__ = ["board"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


class Listener(ApplicationCommunicator):
    """A program's end: remembers the messages it was sent, as (event, id, data)."""

    def __init__(self, slug: str, token: str, last: str = "", query: str = ""):
        headers = [(b"authorization", f"Bearer {token}".encode())]
        headers += [(b"last-event-id", last.encode())] if last else []
        path = f"/api/v1/campaigns/{slug}/events/stream"
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}
        super().__init__(application, scope)
        self.messages: list[tuple[str, str, dict]] = []
        self._text = ""
        self.ended = False

    async def begin(self) -> int:
        await self.send_input({"type": "http.request", "body": b"", "more_body": False})
        return (await self.receive_output(timeout=30))["status"]

    async def read(self) -> tuple[str, str, dict] | None:
        """Return the next message; None if the stream has ended."""
        while "\n\n" not in self._text:
            if self.ended:
                return None
            part = await self.receive_output(timeout=30)
            self._text += part.get("body", b"").decode()
            self.ended = not part.get("more_body")
        block, _, self._text = self._text.partition("\n\n")
        said = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" not in said:
            return await self.read()
        self.messages.append((said["event"], said.get("id", ""), json.loads(said["data"])))
        return self.messages[-1]

    async def until(self, kind: str) -> dict:
        """Return the data of the next message of this kind."""
        while (message := await self.read()) is not None and message[0] != kind:
            pass
        assert message is not None, "it has ended"
        return message[2]

    async def hears(self, words: str) -> None:
        while words not in (await self.until("event"))["text"]:
            pass

    @property
    def events(self) -> list[tuple[str, int]]:
        return [(data["stream"], data["seq"]) for kind, _, data in self.messages if kind == "event"]


@asynccontextmanager
async def listening(caller, **how):
    listener = Listener(caller.slug, caller.token, **how)
    assert await listener.begin() == 200
    await listener.until("beat")
    try:
        yield listener
    finally:
        await listener.send_input({"type": "http.disconnect"})
        await listener.wait(timeout=30)


async def test_each_hears_the_streams_of_their_member_and_no_other(cast, board):
    callers = {name: await act(calls)(cast.everybody[name]) for name in ("gm", "player", "other_player", "spectator")}
    mine = member_stream(cast.player.member.pk)
    heard = {}
    for name, caller in callers.items():
        async with listening(caller) as listener:
            await make_secrets(cast)
            await say(cast.gm, f"to {name}")
            await listener.hears(f"to {name}")
            heard[name] = {streams for streams, _ in listener.events}
            must_be_free_of_secrets(str(listener.messages), cast.everybody[name].user.username)
    assert heard["gm"] >= {TABLE, GM, mine} and heard["player"] == {TABLE, mine}
    assert heard["other_player"] == heard["spectator"] == {TABLE}


async def test_it_goes_on_from_the_last_id_without_gap_or_repeat(cast, board):
    caller = await act(calls)(cast.player)
    async with listening(caller) as listener:
        await say(cast.gm, "One")
        await listener.hears("One")
        last, seen = listener.messages[-1][1], listener.events
    await say(cast.gm, "Two", "Three")
    async with listening(caller, last=last) as again:
        assert [seq for _, seq in again.events] == [seen[-1][1] + 1, seen[-1][1] + 2]
    async with listening(caller, query=f"after={last}") as other:
        assert other.events == again.events


async def test_an_event_is_drawn_once_for_all_programs_of_a_role(cast, board, monkeypatch):
    from campaigns.live import campaign_feed

    drawn = []
    event_data = campaign_feed.event_data
    monkeypatch.setattr(
        campaign_feed, "event_data", lambda event, role: drawn.append(event.pk) or event_data(event, role)
    )
    one, other = await act(calls)(cast.player), await act(calls)(cast.other_player)
    async with listening(one) as first, listening(other) as second:
        await say(cast.gm, "Hello")
        await first.hears("Hello")
        await second.hears("Hello")
    assert len(drawn) == len(set(drawn)) == 1


@act
def removed(cast):
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())


@act
def revoked(cast):
    token = ApiToken.objects.get(membership=cast.player.member)
    revoke_token(cast.gm.member, token.pk, key=uuid4())


@act
def switched_off(cast):
    switch_off(cast.player.user)


@pytest.mark.parametrize("loses", [removed, revoked, switched_off])
async def test_whoever_loses_the_right_hears_nothing_that_is_said_afterwards(cast, board, loses):
    caller, gm = await act(calls)(cast.player), await act(calls)(cast.gm)
    async with listening(caller) as listener, listening(gm) as other:
        await loses(cast)
        await say(cast.gm, "canary-afterwards")
        await other.hears("canary-afterwards")
        assert (await listener.until("end"))["status"] == 404
        assert "canary-afterwards" not in str(listener.messages)
        assert listener.ended
    again = Listener(caller.slug, caller.token)
    assert await again.begin() == 401
    await again.wait(timeout=30)


async def test_a_token_that_has_run_out_is_cut_by_the_next_poll(cast, board):
    caller = await act(calls)(cast.player)
    async with listening(caller) as listener:
        past = timezone.now() - timedelta(seconds=1)
        await act(lambda: ApiToken.objects.filter(pk=token_of(caller).pk).update(expires_at=past))()
        await board.poll(beat=False)
        assert (await listener.until("end"))["status"] == 404


async def test_another_role_is_told_to_ask_again(cast, board):
    caller = await act(calls)(cast.player)
    async with listening(caller) as listener:
        await act(members.change_role)(
            cast.gm.member, cast.player.member, Role.SPECTATOR, expected=Role.PLAYER, key=uuid4()
        )
        assert (await listener.until("end"))["status"] == 409


async def test_one_that_does_not_read_is_cut_and_holds_up_nobody(cast, board, monkeypatch):
    caller, gm = await act(calls)(cast.player), await act(calls)(cast.gm)
    monkeypatch.setattr(stream, "SILENT_AFTER", 0)
    async with listening(caller), listening(gm) as other:
        (slow,) = [held for held in board.sockets if held.viewer.membership == cast.player.member]
        slow._writer._send = _never
        await say(cast.gm, "Hello")
        await other.hears("Hello")
        await board.poll(beat=False)
        assert slow not in board.sockets and other.messages


async def _never(text: str) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("token", ["", "afterburn_nothing", "x" * 500])
async def test_without_a_token_that_works_nothing_is_told(cast, board, token):
    listener = Listener(cast.campaign.slug, token)
    assert await listener.begin() == 401
    await listener.wait(timeout=30)


async def test_a_token_of_another_campaign_finds_nothing(cast, board):
    caller = await act(calls)(cast.player)
    listener = Listener("no-such-table", caller.token)
    assert await listener.begin() == 404
    await listener.wait(timeout=30)


async def test_a_token_follows_only_so_often(cast, board, monkeypatch):
    monkeypatch.setattr(stream, "MOST_STREAMS", 1)
    caller = await act(calls)(cast.player)
    async with listening(caller):
        second = Listener(caller.slug, caller.token)
        assert await second.begin() == 429
        await second.wait(timeout=30)


async def test_what_is_no_position_is_left_out():
    assert stream.read("table=3,member:5=7,x,gm=-1,a=b,b=٣") == {"table": 3, "member:5": 7}
    assert stream.read(stream.written({"table": 3, "member:5": 7})) == {"table": 3, "member:5": 7}


async def test_a_beat_that_waits_for_its_turn_tells_what_was_sent_before_it(monkeypatch):
    sent = []

    async def send(text):
        sent.append(text)

    writer = stream.EventWriter.__new__(stream.EventWriter)
    feed = SimpleNamespace(heads_for=lambda viewer: {}, paused="")
    monkeypatch.setattr(writer, "wake", lambda: None)
    writer.feed, writer.viewer, writer._send, writer._asides = feed, None, send, deque()
    writer._position = {"table": 9}
    writer.beat()
    writer._position = {"table": 10}
    await writer._put(writer._asides.popleft())
    assert sent[0].startswith("id: table=10\nevent: beat\n")
