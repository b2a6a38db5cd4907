"""The hub only pulls: whatever becomes of hints, nothing is lost and nothing doubled."""

from __future__ import annotations

import asyncio
import random
from uuid import uuid4

import pytest

from campaigns.live import hub as live
from campaigns.live.hub import Hub
from campaigns.live.pump import RESEATED
from campaigns.models import Event
from campaigns.models.streams import TABLE, member_stream
from campaigns.services import play
from tests.campaigns.live.clients import act, heads, seat_at, settled

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@act
def say(person, *words):
    for one in words:
        play.say(person.member, one, key=uuid4())


@act
def whisper(person, to, words):
    play.whisper(person.member, words, to=[to.member], key=uuid4())


async def opened(cast):
    hub = await Hub.open(cast.campaign.pk)
    return hub, hub.head, dict(hub.heads)


async def test_a_new_hub_stands_where_the_log_stands(cast):
    hub, head, numbers = await opened(cast)
    last = await act(Event.objects.order_by("id").last)()
    assert head == last.pk and numbers[TABLE] > 0
    await hub.pull()
    assert hub.head == head and not hub.frames


async def test_hints_that_come_doubled_and_all_at_once_bring_each_event_once(cast, sit):
    hub, _, numbers = await opened(cast)
    client = await sit(hub, seat_at(cast.player.member), numbers)
    await say(cast.player, "one", "two", "three")
    await asyncio.gather(*(hub.pull() for _ in range(7)))
    await settled(lambda: len(client.events) == 3)
    start = numbers[TABLE]
    assert client.events == [(TABLE, start + 1), (TABLE, start + 2), (TABLE, start + 3)]


async def test_hints_that_are_lost_cost_only_time(cast, sit):
    hub, _, numbers = await opened(cast)
    client = await sit(hub, seat_at(cast.player.member), numbers)
    await say(cast.player, *"abcdef")
    assert client.events == []
    await hub.pull()
    await settled(lambda: len(client.events) == 6)
    assert [seq for _, seq in client.events] == list(range(numbers[TABLE] + 1, numbers[TABLE] + 7))


async def test_deeds_hints_and_arrivals_in_any_order_give_everybody_the_same(cast, sit):
    """Twenty deeds; hints come early, late, twice or not at all, and clients come and go in between."""
    chance = random.Random(5)
    hub, _, numbers = await opened(cast)
    seats = [seat_at(cast.player.member), seat_at(cast.gm.member), seat_at(cast.spectator.member)]
    clients = [await sit(hub, seat, numbers) for seat in seats]
    for deed in range(20):
        if deed % 3:
            await say(cast.player, str(deed))
        else:
            await whisper(cast.player, cast.other_player, str(deed))
        await asyncio.gather(*(hub.pull() for _ in range(chance.choice((0, 0, 1, 3)))))
        if deed % 5 == 0:
            clients.append(await sit(hub, seats[deed % 3], numbers))
    await hub.pull()
    for client in clients:
        stand = await heads(client.seat)
        want = [(name, seq) for name in stand for seq in range(numbers.get(name, 0) + 1, stand[name] + 1)]
        await settled(lambda client=client, want=want: len(client.events) >= len(want))
        by_stream = sorted(client.events, key=lambda event: list(stand).index(event[0]))
        assert by_stream == want


async def test_a_batch_is_not_the_end(cast, sit, monkeypatch):
    monkeypatch.setattr(live, "BATCH", 2)
    hub, _, numbers = await opened(cast)
    client = await sit(hub, seat_at(cast.player.member), numbers)
    await say(cast.player, *"abcde")
    await hub.pull()
    await settled(lambda: len(client.events) == 5)


async def test_an_event_is_rendered_once_for_each_role_however_many_watch(cast, sit, monkeypatch):
    hub, _, numbers = await opened(cast)
    clients = [await sit(hub, seat_at(person.member), numbers) for person in (cast.player, cast.other_player) * 3]
    drawn = []
    plain = live.render_live
    monkeypatch.setattr(live, "render_live", lambda event, role: drawn.append(role) or plain(event, role))
    await say(cast.player, "Hi")
    await hub.pull()
    await settled(lambda: all(client.events for client in clients))
    assert len(drawn) == 3 and len(set(drawn)) == 3
    assert len({client.frames[-1]["html"] for client in clients}) == 1


async def test_nobody_gets_a_row_of_a_stream_that_is_not_theirs(cast, sit):
    hub, _, numbers = await opened(cast)
    people = (cast.player, cast.other_player, cast.spectator, cast.gm)
    clients = {person.user.pk: await sit(hub, seat_at(person.member), numbers) for person in people}
    await whisper(cast.player, cast.gm, "canary-whisper")
    await say(cast.player, "Hi")
    await hub.pull()
    await settled(lambda: all((TABLE, numbers[TABLE] + 1) in client.events for client in clients.values()))
    for person in (cast.other_player, cast.spectator):
        client = clients[person.user.pk]
        assert {stream for stream, _ in client.events} == {TABLE}
        assert "canary-whisper" not in str(client.frames)
    own = member_stream(cast.player.member.pk)
    assert own in dict(clients[cast.player.user.pk].events)
    assert {own, member_stream(cast.gm.member.pk)} <= set(dict(clients[cast.gm.user.pk].events))


async def test_a_client_the_hub_no_longer_has_the_frames_for_loads_anew(cast, sit, monkeypatch):
    monkeypatch.setattr(live, "KEPT", 4)
    hub, head, numbers = await opened(cast)
    hub.frames = type(hub.frames)(maxlen=4)
    await say(cast.player, *"abc")
    await hub.pull()
    assert [frame.id > head for frame in hub.after(head)] == [True] * 3
    await say(cast.player, *"defg")
    await hub.pull()
    assert hub.after(head) is None
    assert len(hub.after(hub.frames[0].id)) == 3
    late = seat_at(cast.player.member)
    client = await sit(hub, late, numbers)
    assert len(client.events) == 7 and client.closed is None  # the log itself still has them
    client.pump._at = head
    client.pump.wake()
    await settled(lambda: client.closed == RESEATED)


async def test_an_event_that_cannot_be_drawn_holds_up_no_other(cast, sit, monkeypatch, caplog):
    hub, _, numbers = await opened(cast)
    client = await sit(hub, seat_at(cast.player.member), numbers)
    plain = live.render_live

    def broken(event, role):
        if event.facts["words"] == "broken":
            raise ZeroDivisionError
        return plain(event, role)

    monkeypatch.setattr(live, "render_live", broken)
    await say(cast.player, "broken", "whole")
    await hub.pull()
    await settled(lambda: len(client.events) == 2)
    assert [seq for _, seq in client.events] == [numbers[TABLE] + 1, numbers[TABLE] + 2]
    assert "whole" in client.frames[-1]["html"]
    assert "cannot be drawn" in caplog.text
