"""The X-card: anybody pauses play, nobody is told who, and a GM lets it go on."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaigns.errors import Blocked, Invalid, NotFound, RateLimited
from campaigns.models import Campaign, Event, IdempotencyKey
from campaigns.models.members import PAUSED
from campaigns.services import campaigns, clocks, play, safety
from campaigns.services.clocks import Draft
from campaigns.services.log import happening_at
from campaigns.services.safety import MOST_PAUSES, OFTEN, WITHIN, choose_pause_words, pause_play, resume_play
from campaigns.views.log import FORMS
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests import memory
from tests.doors import send

TOKEN = re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+')


def at(name, cast):
    return reverse(name, args=[cast.campaign.slug])


def paused(cast):
    return Campaign.objects.get(pk=cast.campaign.pk).paused


def test_everybody_at_the_table_can_pause_it_spectators_too_and_a_gm_lets_it_go_on(cast):
    for person in (cast.gm, cast.player, cast.spectator):
        assert send(person, "play_pause").status_code == 204
        assert paused(cast) == PAUSED
        resume_play(cast.gm.member, key=uuid4())
        assert paused(cast) == ""
    with pytest.raises(NotFound):
        pause_play(cast.removed.member, key=uuid4())


def test_what_is_said_and_rolled_waits_and_all_else_goes_on(cast, dice):
    clock = clocks.make_clock(cast.gm.member, Draft("Dawn", 4, owner="crew"), key=uuid4())
    pause_play(cast.spectator.member, key=uuid4())
    waiting = (
        lambda key: play.say(cast.player.member, "And then", key=key),
        lambda key: play.narrate(cast.gm.member, "And then", key=key),
        lambda key: play.whisper(cast.player.member, "And then", to=[cast.gm.member], key=key),
        lambda key: make_roll(cast.player.member, StorytellerInput(dice=2), audience=Audience.TABLE, key=key),
        lambda key: clocks.tick_clock(cast.player.member, clock, 1, key=key),
    )
    keys = [uuid4() for _ in waiting]
    before = Event.objects.count()
    for operation, key in zip(waiting, keys, strict=True):
        with pytest.raises(Blocked, match=str(PAUSED)):
            operation(key)
    assert Event.objects.count() == before
    play.start_session(cast.gm.member, key=uuid4())
    resume_play(cast.gm.member, key=uuid4())
    for operation, key in zip(waiting, keys, strict=True):  # refused operations were not done
        operation(key)


def test_a_line_that_was_said_before_is_answered_again_and_not_refused(cast):
    key = uuid4()
    said = play.say(cast.player.member, "Before", key=key)
    pause_play(cast.player.member, key=uuid4())
    assert play.say(cast.player.member, "Before", key=key) == said


def test_who_writes_meanwhile_is_told_so_in_the_words_of_the_group(cast):
    choose_pause_words(cast.gm.member, "Breathe <b>first</b>.", key=uuid4())
    send(cast.other_player, "play_pause")
    answer = cast.player.client.post(
        at("compose", cast), {"key": str(uuid4()), "voice": "player", "text": "x"}, headers={"hx-request": "true"}
    )
    assert answer.status_code == 409 and "Breathe &lt;b&gt;first&lt;/b&gt;." in answer.content.decode()


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
def test_nothing_that_is_kept_logged_or_answered_says_who_pressed(cast, caplog):
    """Two tables that differ only in who pressed are equal in every row of the database, in the logs and on the GM's pages."""
    key, now, told = uuid4(), timezone.now(), []
    clients = [cast.gm.client, cast.player.client, cast.other_player.client, cast.spectator.client]
    for client in clients:
        client.get(at("table", cast))
    for person in (cast.player, cast.other_player, cast.spectator):
        caplog.clear()
        before = transaction.savepoint()
        with happening_at(now):
            assert send(person, "play_pause", key=str(key)).status_code == 204
        answers = [cast.gm.client.get(at(name, cast)) for name in ("log", "members", "boundaries")]
        pages = [TOKEN.sub("", answer.content.decode()) for answer in answers]
        told.append((memory._rows(), caplog.text, pages))
        transaction.savepoint_rollback(before)
    assert told[0] == told[1] == told[2]
    assert cast.gm.user.name and str(PAUSED) in told[0][2][0]


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
def test_nothing_that_is_kept_says_when_it_was(cast):
    """Nor does anything say what came before and after it: keys of other operations have times."""
    key, now, kept = uuid4(), timezone.now(), []
    for minutes in (1, 40):
        before = transaction.savepoint()
        with happening_at(now):
            play.say(cast.gm.member, "Before", key=UUID(int=1, version=4))
        with happening_at(now + timedelta(minutes=minutes)):
            pause_play(cast.player.member, key=key)
        assert not IdempotencyKey.objects.filter(key=key).exists()
        kept.append(Campaign.objects.filter(pk=cast.campaign.pk).values().get())
        transaction.savepoint_rollback(before)
    assert kept[0] == kept[1]
    assert kept[0]["pause_key"] == key


def test_it_is_in_no_stream_export_log_or_search(cast):
    before = [_taken(person, cast) for person in (cast.gm, cast.player)]
    streams = _streams(cast)
    send(cast.player, "play_pause")
    resume_play(cast.gm.member, key=uuid4())
    assert _streams(cast) == streams
    assert [_taken(person, cast) for person in (cast.gm, cast.player)] == before


def _taken(person, cast):
    return [person.client.get(at("log_export", cast), {"as": form}).getvalue() for form in FORMS]


def _streams(cast):
    return list(Event.objects.filter(campaign=cast.campaign).order_by("pk").values_list("stream", "seq", "hash"))


def test_pressing_again_changes_nothing_and_the_same_key_pauses_once(cast):
    key = uuid4()
    pause_play(cast.player.member, key=key)
    pause_play(cast.other_player.member, key=uuid4())
    resume_play(cast.gm.member, key=uuid4())
    pause_play(cast.player.member, key=key)
    assert not paused(cast)
    said = uuid4()
    play.say(cast.player.member, "x", key=said)
    with pytest.raises(Invalid, match="already sent"):
        pause_play(cast.player.member, key=said)


def test_who_presses_again_and_again_is_asked_to_wait_and_others_are_not(cast):
    now = timezone.now()
    with happening_at(now):
        for _ in range(MOST_PAUSES):
            pause_play(cast.player.member, key=uuid4())
            resume_play(cast.gm.member, key=uuid4())
        with pytest.raises(RateLimited, match=str(OFTEN)[:30]):
            pause_play(cast.player.member, key=uuid4())
        pause_play(cast.spectator.member, key=uuid4())
    resume_play(cast.gm.member, key=uuid4())
    with happening_at(now + WITHIN + timedelta(seconds=1)):
        pause_play(cast.player.member, key=uuid4())
    assert paused(cast)


def test_how_often_somebody_pressed_is_counted_without_their_number(cast):
    pause_play(cast.player.member, key=uuid4())
    (name,) = safety._presses._moments
    assert name != safety.Presses()._name(cast.player.member)  # another process would not know them again


def test_every_page_shows_the_pause_and_the_button_to_who_can_press(cast):
    for name in ("table", "log", "members", "boundaries"):
        assert 'data-paused=""' in cast.player.client.get(at(name, cast)).content.decode(), name
    send(cast.player, "play_pause")
    for person in (cast.gm, cast.player, cast.spectator):
        for name in ("table", "log", "members", "boundaries"):
            page = person.client.get(at(name, cast)).content.decode()
            assert f'data-paused="{PAUSED}"' in page and 'id="x-card-form"' in page, name
            assert ('id="resume"' in page) == (person is cast.gm)


def test_an_archived_campaign_is_not_paused_and_cannot_be(cast):
    pause_play(cast.player.member, key=uuid4())
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    assert not paused(cast)
    assert send(cast.player, "play_pause").status_code == 409
    assert 'id="x-card-form"' not in cast.player.client.get(at("table", cast)).content.decode()


def test_no_answer_leads_to_a_page_on_which_others_would_see_who_comes_just_now(cast):
    answer = cast.player.client.post(at("play_pause", cast), {"key": str(uuid4())}, follow=True)
    assert answer.status_code == 200 and "data-live" not in answer.content.decode()


def test_only_gms_choose_the_words(cast):
    answer = cast.gm.client.post(at("pause_words", cast), {"key": str(uuid4()), "words": "Wait."})
    assert answer.status_code == 302
    assert Campaign.objects.get(pk=cast.campaign.pk).pause_words == "Wait."
    assert json.dumps(Campaign.objects.get(pk=cast.campaign.pk).payload()).count("Wait.") == 0
    long = cast.gm.client.post(at("pause_words", cast), {"key": str(uuid4()), "words": "x" * 301})
    assert long.status_code == 422 and b"x" * 301 in long.content
