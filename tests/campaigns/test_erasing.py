"""Erasing what a person said: the words are nowhere, the log still holds, and nobody does it to others but a GM."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse
from django.utils import translation

from campaigns.access import viewer_of
from campaigns.errors import Forbidden
from campaigns.live.campaign_feed import CampaignFeed, Readers, open_feeds
from campaigns.models import Event, EventPayload, Membership, Role
from campaigns.queries.search import LogFilters, find
from campaigns.services import play as talk
from campaigns.services.erasing import erase_words
from campaigns.services.members import remove_member
from campaigns.text import ERASED
from rolls.models import Audience
from rolls.queries.checking import faults
from rolls.services.rolls import correct_roll, make_roll, reveal_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.rolls.conftest import play  # noqa: F401
from tests.stored import store, stored

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

WORD = "xylophone"


@pytest.fixture
def spoken(cast, play, dice):  # noqa: F811
    """Mo has used one word wherever one can type; the other player has used another."""
    talk.say(play.mo, f"{WORD} *here*", key=uuid4())
    talk.whisper(play.mo, f"a {WORD}", to=[play.gm, play.other], key=uuid4())
    dice(*[5] * 30)
    hidden = make_roll(play.mo, StorytellerInput(dice=3, note=WORD), audience=Audience.SELF, key=uuid4())
    reveal_roll(play.gm, hidden.pk, key=uuid4())
    correct_roll(play.gm, hidden.pk, {"difficulty": 8}, key=uuid4())
    talk.say(play.other, "marimba", key=uuid4())
    return cast


@pytest.mark.parametrize("by", ["player", "gm"])
def test_the_words_are_nowhere_and_the_log_holds(spoken, by):
    assert stored().count(WORD) > 6
    before = {stream.name: stream.seq for stream in spoken.campaign.streams.all()}
    erase_words(getattr(spoken, by).member, spoken.player.member, key=uuid4())
    assert WORD not in stored()
    assert "marimba" in stored()
    assert list(faults(spoken.campaign)) == []
    after = {stream.name: stream.seq for stream in spoken.campaign.streams.all()}
    assert after == before | {"table": before["table"] + 1}
    said = EventPayload.objects.filter(event__kind="campaigns.said", payload__words=ERASED)
    assert said.count() == 4 and all(stored.erased_at for stored in said)


def log_in(language, person):
    store(person.user, language=language)
    return person.client.get(reverse("log", args=["ashes"])).content.decode()


def test_what_is_left_is_read_in_the_language_of_whoever_reads(spoken):
    with translation.override("de"):
        erase_words(spoken.gm.member, spoken.player.member, key=uuid4())
    english, german = (log_in(language, spoken.gm) for language in ("en-gb", "de"))
    assert german.count("[gelöscht]") == english.count("[erased]") == 4
    assert "[erased]" not in german
    assert list(faults(spoken.campaign)) == []


def test_nobody_finds_them_or_takes_them_away(spoken):
    erase_words(spoken.player.member, spoken.player.member, key=uuid4())
    for person in (spoken.gm, spoken.player, spoken.other_player):
        assert find(viewer_of(person.user, {}, "ashes"), LogFilters(words=WORD), None, 9) == []
        for form in ("jsonl", "csv", "markdown", "page"):
            taken = person.client.get(reverse("log_export", args=["ashes"]), {"as": form}).getvalue().decode()
            assert WORD not in taken and "marimba" in taken
        assert WORD not in person.client.get(reverse("log", args=["ashes"])).content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_frames_of_a_running_table_are_drawn_again(spoken):
    async def pulled(feed: CampaignFeed) -> str:
        await feed.pull()
        await feed.draw(feed.frames, Readers(Role.GM, "en-gb"))
        return json.dumps([[*frame.texts.values()] for frame in feed.frames])

    (feed,) = async_to_sync(open_feeds)([spoken.campaign.slug])
    assert WORD in async_to_sync(pulled)(feed)
    ids = [frame.id for frame in feed.frames]
    erase_words(spoken.gm.member, spoken.player.member, key=uuid4())
    text = async_to_sync(pulled)(feed)
    assert WORD not in text and "marimba" in text
    assert [frame.id for frame in feed.frames] == [*ids, Event.objects.latest("pk").pk]


def test_nobody_erases_what_others_said_but_a_gm(spoken):
    with pytest.raises(Forbidden):
        erase_words(spoken.player.member, spoken.other_player.member, key=uuid4())
    url = reverse("member_erase", args=["ashes", spoken.other_player.member.pk])
    assert spoken.player.client.post(url, {"key": uuid4()}).status_code == 403
    assert "marimba" in stored()
    assert spoken.gm.client.post(url, {"key": uuid4()}).status_code == 302
    assert "marimba" not in stored()


def test_a_gm_can_erase_what_those_said_who_have_left(spoken):
    remove_member(spoken.gm.member, spoken.player.member, key=uuid4())
    gone = Membership.objects.get(pk=spoken.player.member.pk)
    url = reverse("member_erase", args=["ashes", gone.pk])
    assert url in spoken.gm.client.get(reverse("members", args=["ashes"])).content.decode()
    assert url not in spoken.other_player.client.get(reverse("members", args=["ashes"])).content.decode()
    spoken.gm.client.post(url, {"key": uuid4()})
    assert WORD not in stored()
