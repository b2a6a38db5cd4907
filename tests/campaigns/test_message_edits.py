"""Putting right what was said: as a new event, with the old words left to be read, by who said them or a GM."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.errors import Invalid, NotFound
from campaigns.models import Event
from campaigns.queries.log_lines import faults
from campaigns.queries.search import LogFilters, find
from campaigns.services import play
from campaigns.services.erasing import erase_words
from campaigns.services.log_entries import amend_words


@pytest.fixture
def said(cast):
    return play.say(cast.player.member, "The dor is open", key=uuid4())


def page(who, event):
    return who.client.get(reverse("log_event", args=["ashes", event.uid])).content.decode()


@pytest.mark.parametrize("by", ["player", "gm"])
def test_the_old_words_stay_struck_through_with_who_and_why(cast, said, by):
    amend_words(getattr(cast, by).member, said.uid, "The *door* is open", reason="a slip", key=uuid4())
    html = page(cast.other_player, said)
    assert '<del class="quiet"><p>The dor is open</p>' in html
    assert "<p>The <em>door</em> is open</p>" in html
    assert f"Edited by {getattr(cast, by).member.name}: a slip" in html
    assert Event.objects.get(pk=said.pk).payload["words"] == "The dor is open"
    assert list(faults(cast.campaign)) == []


def test_the_newest_words_count(cast, said):
    for words in ("one", "two"):
        amend_words(cast.player.member, said.uid, words, key=uuid4())
    html = page(cast.gm, said)
    assert "<p>two</p>" in html and "<p>one</p>" not in html
    with pytest.raises(Invalid):
        amend_words(cast.player.member, said.uid, "two", key=uuid4())


def test_a_whisper_is_put_right_for_those_who_heard_it_alone(cast):
    told = play.whisper(cast.player.member, "psst", to=[cast.other_player.member], key=uuid4())
    amend_words(cast.player.member, told.uid, "hush", key=uuid4())
    for who, hears in ((cast.gm, 1), (cast.player, 1), (cast.other_player, 1), (cast.spectator, 0)):
        assert len(find(viewer_of(who.user, {}, "ashes"), LogFilters(words="hush"), None, 9)) == hears


def test_nobody_puts_words_into_the_mouth_of_others_but_a_gm(cast, said):
    started = Event.objects.filter(kind="campaigns.campaign_made").get()
    for by, uid in ((cast.other_player, said.uid), (cast.gm, started.uid), (cast.gm, uuid4())):
        with pytest.raises(NotFound):
            amend_words(by.member, uid, "other", key=uuid4())
        assert by.client.get(reverse("log_amend", args=["ashes", uid])).status_code == 404
    assert "Edit message" not in page(cast.other_player, said)


def test_the_form_begins_with_the_words_and_leads_back(cast, said):
    url = reverse("log_amend", args=["ashes", said.uid])
    assert url in page(cast.player, said)
    assert "The dor is open" in cast.player.client.get(url).content.decode()
    assert cast.player.client.post(url, {"key": uuid4(), "words": " "}).status_code == 422
    done = cast.player.client.post(url, {"key": uuid4(), "words": "The door", "reason": ""})
    assert done.status_code == 302 and "<p>The door</p>" in page(cast.player, said)


def test_erased_words_are_erased_in_what_put_them_right_as_well(cast, said):
    amend_words(cast.gm.member, said.uid, "The door is open", key=uuid4())
    erase_words(cast.player.member, cast.player.member, key=uuid4())
    html = page(cast.gm, said)
    assert "is open" not in html and html.count("[erased]") >= 2
