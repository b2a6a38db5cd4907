"""Played by post: without a session people speak, roll and take steps. The log says between which sessions that was, Home what
is new."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from time_machine import travel

from campaigns.models import Event, GameSession, Membership, Scene, SceneOverride
from campaigns.services import play
from campaigns.services.log_entries import refile
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.campaigns.log_pages import ask, choices, numbers, read
from tests.canaries import canary
from tests.notices.telling import ask as request_roll

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]

DAY = timedelta(days=1)


def say(person, number: int) -> Event:
    return play.say(person.member, f"line {number}.", key=uuid4())


def roll(person, audience=Audience.TABLE, **asked):
    return make_roll(person.member, StorytellerInput(dice=3, **asked), audience=audience, key=uuid4())


@pytest.fixture
def posted(cast):
    """Lines 1, 3 and 5 were posted before, between and after two sessions, in which 2 and 4 were said, each on its own day."""
    start = timezone.now()
    for number in range(1, 6):
        with travel(start + number * DAY, tick=True):
            if number in (2, 4):
                play.start_session(cast.gm.member, key=uuid4())
                play.open_scene(cast.gm.member, "Door", key=uuid4())
            say(cast.player, number)
            if number in (2, 4):
                play.end_session(cast.gm.member, key=uuid4())
    with travel(start + 7 * DAY, tick=True):
        yield cast


def test_what_is_rolled_asked_and_said_without_a_session_is_in_none_and_stands_in_the_log(cast):
    asked = request_roll(cast.gm, cast.player)
    say(cast.player, 1)
    roll(cast.player, request=asked.pk)
    assert not GameSession.objects.exists() and not Event.objects.exclude(session=None).exists()
    words = read(cast.other_player)
    assert "line 1." in words and "Perception" not in words and words.count('class="roll') >= 1
    assert 'id="composer"' in cast.player.client.get("/c/ashes/").content.decode()


@pytest.mark.parametrize(("between", "found"), [(0, [1]), (1, [3]), (2, [5])])
def test_each_time_between_sessions_has_its_own_page(posted, between, found):
    for order in ({}, {"order": "oldest"}):
        assert numbers(read(posted.spectator, between=between, **order)) == found
    assert numbers(read(posted.player, between=between, words="line")) == found
    answer = posted.player.client.get("/c/ashes/log/export/", {"between": between, "as": "csv"})
    assert [int(n) for n in re.findall(r"line (\d)", b"".join(answer.streaming_content).decode())] == found


def test_the_log_says_between_which_sessions_a_day_was(posted):
    words = read(posted.player)
    said = re.findall(r'class="log-date">([^<]+)<', words)
    heads = [head.partition(" · ")[2] for head in said]
    assert heads[:5] == ["After session 2", "", "Between sessions 1 and 2", "", "Before session 1"]
    assert choices(words, "between") == {
        "2": "After session 2",
        "1": "Between sessions 1 and 2",
        "0": "Before session 1",
    }
    assert 'href="?between=2&amp;order=oldest"' in words
    first = read(posted.player, between=1)
    assert re.search(r'href="\?between=1&amp;order=oldest"\s+aria-current="page">Between sessions 1 and 2<', first)


def test_what_was_moved_into_a_scene_is_no_longer_between(posted):
    (line,) = (event for event in Event.objects.filter(session=None) if "line 3." in str(event.payload))
    refile(posted.gm.member, line.uid, Scene.objects.first(), key=uuid4())
    assert SceneOverride.objects.exists() and numbers(read(posted.player, between=1)) == []
    words = read(posted.player)
    assert "line 3." in words and " · Between sessions 1 and 2" not in words


def test_what_is_whispered_or_hidden_between_sessions_is_found_by_its_readers_alone(posted):
    play.whisper(posted.player.member, canary("mo", "post"), to=[posted.gm.member], key=uuid4())
    roll(posted.gm, Audience.GM)
    told = {name: read(getattr(posted, name), between=2) for name in ("gm", "player", "other_player", "spectator")}
    assert [name for name, words in told.items() if canary("mo", "post") in words] == ["gm", "player"]
    assert [name for name, words in told.items() if 'id="roll-' in words] == ["gm"]


@pytest.mark.parametrize("between", ["9", "-1", "x", "1" * 30, "٣", "1 OR 1"])
def test_a_time_that_there_was_not_is_refused_and_shows_nothing(posted, between):
    answer = ask(posted.player, between=between)
    assert answer.status_code == 422 and numbers(answer.content.decode()) == []


def new_for(person) -> int:
    return sum("joined" not in one.words for one in person.client.get("/").context["news"])


def test_home_tells_what_others_have_played_by_post_since_one_was_there(posted):
    Membership.objects.update(here_at=timezone.now() - DAY)
    assert new_for(posted.other_player) == 0, "what was posted had been seen"
    say(posted.player, 6)
    asked = request_roll(posted.gm, posted.player)
    roll(posted.player, request=asked.pk)
    roll(posted.gm, Audience.GM)
    play.whisper(posted.player.member, "psst", to=[posted.gm.member], key=uuid4())
    play.add_storyline(posted.gm.member, "Debts", key=uuid4())
    assert [new_for(getattr(posted, name)) for name in ("gm", "player", "other_player", "spectator")] == [3, 1, 3, 3]
    posted.other_player.client.get("/c/ashes/")
    assert new_for(posted.other_player) == 0
    play.start_session(posted.gm.member, key=uuid4())
    assert new_for(posted.gm) == 0, "it is live"
    play.end_session(posted.gm.member, key=uuid4())
    assert new_for(posted.gm) == 0, "it was before the session"


def test_who_was_never_there_is_told_what_came_since_the_session_or_since_they_joined(posted):
    Membership.objects.update(here_at=None, joined_at=timezone.now() - 20 * DAY)
    assert new_for(posted.other_player) == 1
    GameSession.objects.update(ended_at=timezone.now() - 15 * DAY)
    assert new_for(posted.other_player) == 3
