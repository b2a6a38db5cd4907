"""What a browser asks to learn whether the log is still the one that it has seen."""

from __future__ import annotations

from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Event, Stream
from campaigns.services import play
from rolls.services.fairness import mark_restored


def ask(person, cast, **kept):
    answer = person.client.get(reverse("chain", args=[cast.campaign.slug]), kept)
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
    return answer.json()


def test_it_says_the_last_number_and_hash_of_what_one_may_see(cast):
    play.whisper(cast.other_player.member, "psst", to=[cast.gm.member], key=uuid4())
    play.say(cast.player.member, "Hello", key=uuid4())
    table = Stream.objects.get(campaign=cast.campaign, name="table")
    assert ask(cast.player, cast) == {"table": {"seq": table.seq, "hash": table.head, "kept": None}}
    assert set(ask(cast.other_player, cast)) == {"table", cast.other_player.member.stream}
    assert cast.other_player.member.stream in ask(cast.gm, cast)


def test_it_gives_the_hash_of_the_number_that_was_kept(cast):
    play.say(cast.player.member, "Hello", key=uuid4())
    for event in Event.objects.filter(campaign=cast.campaign, stream__name="table"):
        assert ask(cast.player, cast, table=event.seq)["table"]["kept"] == event.hash


def test_a_number_that_is_not_there_has_no_hash(cast):
    for number in ("99999", "0", "-1", "9" * 30, "x", "٣"):
        assert ask(cast.player, cast, table=number)["table"]["kept"] is None
    assert ask(cast.player, cast, **{"ta\0ble": 1})["table"]["kept"] is None


def test_it_takes_as_many_queries_however_many_streams_and_restorations_there_are(cast):
    def queries():
        with CaptureQueriesContext(connection) as done:
            ask(cast.gm, cast, table=1, gm=2)
        return len(done)

    play.say(cast.player.member, "Hello", key=uuid4())
    mark_restored(cast.campaign)
    ask(cast.gm, cast)
    before = queries()
    play.whisper(cast.other_player.member, "psst", to=[cast.gm.member, cast.player.member], key=uuid4())
    mark_restored(cast.campaign)
    assert len(ask(cast.gm, cast)) == 5
    assert queries() == before


def test_the_table_page_asks_and_has_the_bar_ready(cast):
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert reverse("chain", args=[cast.campaign.slug]) in page
    assert 'id="chain-alarm"' in page


def test_it_says_how_far_each_stream_reached_when_a_backup_was_restored(cast):
    play.whisper(cast.other_player.member, "psst", to=[cast.gm.member], key=uuid4())
    stood = {stream.name: stream.seq for stream in Stream.objects.filter(campaign=cast.campaign)}
    marks = []
    for _ in range(2):
        mark_restored(cast.campaign)
        marks.append(Event.objects.filter(kind="campaigns.log_restored").latest("pk").hash)
    seen = ask(cast.other_player, cast)
    table = seen["table"]["restored"]
    assert [one["mark"] for one in table] == marks
    assert [one["seq"] for one in table] == [stood["table"], table[0]["seq"] + 1]
    own = cast.other_player.member.stream
    assert [one["seq"] for one in seen[own]["restored"]] == [stood[own]] * 2
