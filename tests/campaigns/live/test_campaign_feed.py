"""The feed only pulls: whatever becomes of notifications, nothing is lost and nothing doubled."""

from __future__ import annotations

import asyncio
import random
from uuid import uuid4

import pytest
from django.utils.translation import get_language

from campaigns.live import campaign_feed
from campaigns.live import campaign_feed as live
from campaigns.live.campaign_feed import Readers
from campaigns.live.socket_writer import RESEATED
from campaigns.models import Event, Role
from campaigns.models.members import TABLE, member_stream
from campaigns.services import play
from campaigns.services.log_entries import amend_words
from tests.campaigns.live.clients import Client, act, heads, opened, say, settled
from tests.cast import seat_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@act
def whisper(person, to, words):
    play.whisper(person.member, words, to=[to.member], key=uuid4())


async def stands(cast):
    """Return (a new feed, its head, its numbers)."""
    feed = await opened(cast.campaign.slug)
    return feed, feed.head, dict(feed.heads)


async def watched(cast, sit):
    """Return (a new feed, the client of a player who watches, the numbers where it began)."""
    feed, _, numbers = await stands(cast)
    return feed, await sit(feed, seat_at(cast.player.member), numbers), numbers


async def hear(feed, person, *words):
    """Let somebody say this, and the feed hear of it."""
    await say(person, *words)
    await feed.pull()


async def test_a_new_feed_stands_where_the_log_stands(cast):
    feed, head, numbers = await stands(cast)
    last = await act(Event.objects.order_by("id").last)()
    assert head == last.pk and numbers[TABLE] > 0
    await feed.pull()
    assert feed.head == head == feed.frames[-1].id
    assert not any(frame.texts for frame in feed.frames)  # not requested by anyone


async def test_notifications_that_come_doubled_and_all_at_once_bring_each_event_once(cast, sit):
    feed, client, numbers = await watched(cast, sit)
    await say(cast.player, "one", "two", "three")
    await asyncio.gather(*(feed.pull() for _ in range(7)))
    await settled(lambda: len(client.events) == 3)
    start = numbers[TABLE]
    assert client.events == [(TABLE, start + 1), (TABLE, start + 2), (TABLE, start + 3)]


async def test_what_was_put_right_before_it_was_read_is_drawn_as_it_is_now(cast, sit):
    feed, _, numbers = await stands(cast)
    await sit(feed, seat_at(cast.player.member), numbers)
    await say(cast.player, "the wrong words", "other words")
    wrong, _ = await act(lambda: list(Event.objects.order_by("-id")[:2][::-1]))()
    await act(amend_words)(cast.player.member, wrong.uid, "the right words", key=uuid4())
    await feed.pull()
    first, second, _ = (frame.texts[Readers(Role.PLAYER, "en-gb")] for frame in [*feed.frames][-3:])
    assert "<p>the right words</p>" in first and "Edited by" in first
    assert "<p>other words</p>" in second and "Edited by" not in second


async def test_notifications_that_are_lost_cost_only_time(cast, sit):
    feed, client, numbers = await watched(cast, sit)
    await say(cast.player, *"abcdef")
    assert client.events == []
    await feed.pull()
    await settled(lambda: len(client.events) == 6)
    assert [seq for _, seq in client.events] == list(range(numbers[TABLE] + 1, numbers[TABLE] + 7))


async def test_operations_notifications_and_arrivals_in_any_order_give_everybody_the_same(cast, sit):
    """Twenty operations; notifications come early, late, twice or not at all, and clients come and go in between."""
    chance = random.Random(5)
    feed, _, numbers = await stands(cast)
    viewers = [seat_at(cast.player.member), seat_at(cast.gm.member), seat_at(cast.spectator.member)]
    clients = [await sit(feed, viewer, numbers) for viewer in viewers]
    for operation in range(20):
        if operation % 3:
            await say(cast.player, str(operation))
        else:
            await whisper(cast.player, cast.other_player, str(operation))
        await asyncio.gather(*(feed.pull() for _ in range(chance.choice((0, 0, 1, 3)))))
        if operation % 5 == 0:
            clients.append(await sit(feed, viewers[operation % 3], numbers))
    await feed.pull()
    for client in clients:
        stand = await heads(client.viewer)
        want = [(name, seq) for name in stand for seq in range(numbers.get(name, 0) + 1, stand[name] + 1)]
        await settled(lambda client=client, want=want: len(client.events) >= len(want))
        by_stream = sorted(client.events, key=lambda event: list(stand).index(event[0]))
        assert by_stream == want


async def test_a_batch_is_not_the_end(cast, sit, monkeypatch):
    monkeypatch.setattr(live, "BATCH", 2)
    monkeypatch.setattr(live._newer, "_plans", {})  # its SQL has the number, and is compiled once
    feed, client, _ = await watched(cast, sit)
    await hear(feed, cast.player, *"abcde")
    await settled(lambda: len(client.events) == 5)


async def test_only_so_many_bytes_of_drawn_frames_are_kept_and_who_comes_late_gets_all_the_same(
    cast, sit, drawn, monkeypatch
):
    feed, client, numbers = await watched(cast, sit)
    await hear(feed, cast.player, *"abcdef")
    a_frame = len(feed.frames[-1].texts[Readers(Role.PLAYER, "en-gb")])
    monkeypatch.setattr(live, "DRAWN", 3 * a_frame)
    await hear(feed, cast.player, "g")
    kept = [bool(frame.texts) for frame in [*feed.frames][-7:]]
    assert kept[-2:] == [True, True] and not any(kept[:3])
    assert sum(len(text) for frame in feed.frames for text in frame.texts.values()) <= 3 * a_frame
    drawn.clear()
    late = await sit(feed, seat_at(cast.other_player.member), numbers)
    await settled(lambda: len(client.events) == len(late.events) == 7)
    assert client.events == late.events and len(drawn) == kept.count(False)
    assert sum(len(text) for frame in feed.frames for text in frame.texts.values()) <= 3 * a_frame


@pytest.fixture
def drawn(monkeypatch):
    """Return the list of roles and languages for which events were drawn."""
    readers = []
    plain = campaign_feed.render_live

    def draw(event, role, card=None):
        readers.append((role, get_language()))
        return plain(event, role, card)

    monkeypatch.setattr(campaign_feed, "render_live", draw)
    return readers


def drawn_in_english(*roles):
    return [(role, "en-gb") for role in roles]


async def test_an_event_is_rendered_once_for_each_role_that_watches_however_many_they_are(cast, sit, drawn):
    feed, _, numbers = await stands(cast)
    people = (cast.player, cast.other_player, cast.gm)
    clients = [await sit(feed, seat_at(person.member), numbers) for person in people * 3]
    await hear(feed, cast.player, "Hi")
    await settled(lambda: all(client.events for client in clients))
    assert sorted(drawn) == drawn_in_english(Role.GM, Role.PLAYER)
    assert len({client.frames[-1]["html"] for client in clients if client.viewer.role == Role.PLAYER}) == 1


async def test_an_event_is_rendered_once_for_each_language_that_is_read_at_the_table(cast, sit, drawn):
    feed, _, numbers = await stands(cast)
    mo, iva, gm = (seat_at(person.member) for person in (cast.player, cast.other_player, cast.gm))
    watching = [(mo, "de"), (mo, "en-gb"), (iva, "de"), (gm, "en-gb")]
    clients = [await sit(feed, viewer, numbers, language=language) for viewer, language in watching]
    await hear(feed, cast.player, "Hi")
    await settled(lambda: all(client.events for client in clients))
    assert sorted(drawn) == [(Role.GM, "en-gb"), (Role.PLAYER, "de"), (Role.PLAYER, "en-gb")]


async def test_who_comes_after_an_event_was_read_has_it_drawn_for_their_role(cast, sit, drawn):
    feed, _, numbers = await stands(cast)
    late = Client(feed, seat_at(cast.spectator.member))
    await hear(feed, cast.player, "Hi")
    assert drawn == []  # no sockets were open
    watching = asyncio.create_task(late.run(numbers))
    await settled(lambda: late.events and late.beats)
    assert "Hi" in late.frames[0]["html"] and drawn == drawn_in_english(Role.SPECTATOR)
    watching.cancel()


@act
def whisper_and_say(cast, words):
    play.whisper(cast.other_player.member, f"canary-{words}", to=[cast.gm.member], key=uuid4())
    play.say(cast.player.member, words, key=uuid4())


async def test_what_is_kept_is_sent_without_asking_the_database(cast, sit, monkeypatch):
    feed, _, numbers = await stands(cast)
    await whisper_and_say(cast, "once")
    await feed.pull()
    first = await sit(feed, seat_at(cast.player.member), numbers)
    asked = []
    for reader in ("_read", "_draw", "backlog"):
        monkeypatch.setattr(live, reader, lambda *_: asked.append(_))
    second = await sit(feed, seat_at(cast.player.member), numbers)
    assert second.events == first.events == [(TABLE, numbers[TABLE] + 1)] and not asked
    assert second.frames == first.frames
    # A socket that is up to date needs no query at all.
    third = await sit(feed, seat_at(cast.spectator.member), dict(feed.heads))
    assert third.events == [] and not asked


async def test_a_feed_that_is_opened_anew_draws_what_was_missed_once_for_all_of_a_role(cast, sit, drawn, monkeypatch):
    _, _, numbers = await stands(cast)
    await whisper_and_say(cast, "before the restart")
    feed = await opened(cast.campaign.slug)
    people = (cast.player, cast.other_player, cast.gm, cast.spectator)
    clients = await asyncio.gather(*(sit(feed, seat_at(person.member), numbers) for person in people * 5))
    for client in clients:
        stand = await heads(client.viewer)
        assert sorted(client.events) == sorted(
            (name, stand[name]) for name in stand if stand[name] > numbers.get(name, 0)
        )
    # The table's event for three roles, the whisper for its author and the GM.
    assert sorted(drawn) == drawn_in_english(*[Role.GM] * 3, *[Role.PLAYER] * 2, Role.SPECTATOR)


async def test_nobody_gets_a_row_of_a_stream_that_is_not_theirs(cast, sit):
    feed, _, numbers = await stands(cast)
    people = (cast.player, cast.other_player, cast.spectator, cast.gm)
    clients = {person.user.pk: await sit(feed, seat_at(person.member), numbers) for person in people}
    await whisper(cast.player, cast.gm, "canary-whisper")
    await hear(feed, cast.player, "Hi")
    await settled(lambda: all((TABLE, numbers[TABLE] + 1) in client.events for client in clients.values()))
    for person in (cast.other_player, cast.spectator):
        client = clients[person.user.pk]
        assert {stream for stream, _ in client.events} == {TABLE}
        assert "canary-whisper" not in str(client.frames)
    own = member_stream(cast.player.member.pk)
    assert own in dict(clients[cast.player.user.pk].events)
    assert {own, member_stream(cast.gm.member.pk)} <= set(dict(clients[cast.gm.user.pk].events))


async def test_a_client_the_feed_no_longer_has_the_frames_for_loads_anew(cast, sit, monkeypatch):
    monkeypatch.setattr(live, "KEPT", 4)
    feed, head, numbers = await stands(cast)
    feed.frames = type(feed.frames)(maxlen=4)
    await hear(feed, cast.player, *"abc")
    assert [frame.id > head for frame in feed.after(head)] == [True] * 3
    await hear(feed, cast.player, *"defg")
    assert feed.after(head) is None
    assert len(feed.after(feed.frames[0].id)) == 3
    late = seat_at(cast.player.member)
    client = await sit(feed, late, numbers)
    assert len(client.events) == 7 and client.closed is None  # the log itself still has them
    client.writer._at = head
    client.writer.wake()
    await settled(lambda: client.closed == RESEATED)


async def test_an_event_that_cannot_be_drawn_holds_up_no_other(cast, sit, monkeypatch, caplog):
    feed, client, numbers = await watched(cast, sit)
    plain = campaign_feed.render_live

    def broken(event, role, card=None):
        if event.payload["words"] == "broken":
            raise ZeroDivisionError
        return plain(event, role, card)

    monkeypatch.setattr(campaign_feed, "render_live", broken)
    await hear(feed, cast.player, "broken", "whole")
    await settled(lambda: len(client.events) == 2)
    assert [seq for _, seq in client.events] == [numbers[TABLE] + 1, numbers[TABLE] + 2]
    assert "whole" in client.frames[-1]["html"]
    assert "cannot be drawn" in caplog.text
