"""The last curtain of a session: its name is asked at the end, and each says in one sentence what they remember."""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked, Conflict, Invalid
from campaigns.live import drafts
from campaigns.models import GameSession
from campaigns.queries.play import memories, memory_of
from campaigns.services import play
from campaigns.services.erasing import erase_words
from campaigns.services.log import version
from characters.services.cards import Card, make_character
from tests.cast import viewer
from tests.news import news
from tests.racing import at_once


@pytest.fixture
def session(cast):
    play.start_session(cast.gm.member, "Wake", key=uuid4())
    return play.end_session(cast.gm.member, key=uuid4())


def remember(person, session, words, *, over=""):
    return play.remember(person.member, session, words, expected=play.memory_version(over), key=uuid4())


def page(person, name="session"):
    return person.client.get(reverse(name, args=["ashes", 1])).content.decode()


def post(person, words, over=""):
    form = {"key": uuid4(), "words": words, "expected": play.memory_version(over)}
    return person.client.post(reverse("session_remember", args=["ashes", 1]), form)


def end(person, **form):
    url = reverse("session_end", args=["ashes"])
    return person.client.post(url, {"key": uuid4(), **form}, headers={"HX-Request": "true"})


def test_everyone_reads_the_sentence_of_each_in_the_order_in_which_they_began(cast, session):
    remember(cast.gm, session, "The door.")
    remember(cast.player, session, "We *clapped*.")
    remember(cast.gm, session, "The chair.", over="The door.")
    assert [event.payload["words"] for event in memories(session).values()] == ["The chair.", "We *clapped*."]
    for reader in (cast.player, cast.other_player, cast.spectator):
        assert "The chair." in page(reader) and "The door." not in page(reader)
    make_character(cast.player.member, Card("Silas Grey", "", cast.player.member), key=uuid4())
    faces = re.findall(r'<li>\s*<span class="(\w+)', page(cast.spectator).partition("curtain-memories")[2])
    assert faces == ["avatar", "portrait"]
    assert [event.stream.name for event in news().filter(kind="campaigns.remembered")] == ["table"] * 3


def test_only_who_plays_is_asked(cast, session):
    assert "What will you remember?" in page(cast.player)
    assert "What will you remember?" not in page(cast.spectator)


def test_it_is_written_from_the_end_until_the_next_session_starts(cast):
    current = play.start_session(cast.gm.member, key=uuid4())
    with pytest.raises(Blocked):
        remember(cast.player, current, "Too early.")
    play.end_session(cast.gm.member, key=uuid4())
    remember(cast.player, current, "In time.")
    play.start_session(cast.gm.member, key=uuid4())
    answer = post(cast.player, "Too late.", over="In time.")
    assert answer.status_code == 409 and ">\nToo late.</textarea>" in answer.content.decode()
    assert memory_of(current, cast.player.member) == "In time."
    assert "In time." in page(cast.player) and "What will you remember?" not in page(cast.player)


def test_nothing_is_refused_where_nothing_was_and_removes_what_was(cast, session):
    with pytest.raises(Invalid):
        remember(cast.player, session, "")
    remember(cast.player, session, "The door.")
    remember(cast.player, session, "", over="The door.")
    assert not memories(session) and "The door." not in page(cast.other_player)


def test_the_same_again_is_no_news(cast, session):
    remember(cast.player, session, "The door.")
    before = news().count()
    remember(cast.player, session, "The door.", over="The door.")
    assert news().count() == before


@pytest.mark.parametrize(
    ("words", "why"), [("x " * 151, "the limit is 300"), ("a\x07b", "can’t be shown"), ("", "first")]
)
def test_what_cannot_be_written_is_said_beside_it_with_what_was_typed(cast, session, words, why):
    answer = post(cast.player, words)
    assert answer.status_code == 422 and why in answer.content.decode()
    assert words[:20].strip().replace("\x07", "") in answer.content.decode().replace("\x07", "")
    assert not memories(session)


def test_it_is_kept_on_one_line_and_leads_back_to_where_it_stands(cast, session):
    answer = post(cast.player, "The\ndoor.")
    assert memory_of(session, cast.player.member) == "The door."
    assert answer.status_code == 302 and answer["Location"].endswith("/sessions/1/#remembered")


@pytest.mark.django_db(transaction=True)
@pytest.mark.run_on("sqlite", "postgresql")
def test_two_tabs_at_once_keep_one_sentence_and_two_people_both(cast, session):
    mine = [partial(remember, cast.player, session, words) for words in ("One.", "Two.")]
    answers = at_once(*mine, partial(remember, cast.other_player, session, "Three."))
    assert [type(one) for one in answers if isinstance(one, Exception)] == [Conflict]
    kept = {member.pk: event.payload["words"] for member, event in memories(session).items()}
    assert kept[cast.other_player.member.pk] == "Three."
    assert kept[cast.player.member.pk] in ("One.", "Two.") and len(kept) == 2


def test_it_goes_with_the_words_of_its_writer_and_may_be_written_again(cast, session):
    remember(cast.player, session, "A xylophone.")
    remember(cast.other_player, session, "The door.")
    erase_words(cast.player.member, cast.player.member, key=uuid4())
    assert [event.payload["words"] for event in memories(session).values()] == ["The door."]
    for place in ("session", "log"):
        assert (
            "xylophone"
            not in cast.gm.client.get(reverse(place, args=["ashes", *([1] * (place == "session"))])).content.decode()
        )
    remember(cast.player, session, "The chair.")
    assert memory_of(session, cast.player.member) == "The chair."


# The end, and its name


def test_the_end_asks_for_the_name_and_everyone_is_led_to_how_it_ended(cast):
    play.start_session(cast.gm.member, "Wake", key=uuid4())
    asked = end(cast.gm).content.decode()
    assert 'value="Wake"' in asked
    assert end(cast.gm, anyway="1", title="One beat too late", expected=version({"title": "Wake"})).status_code == 204
    assert GameSession.objects.get().title == "One beat too late"
    table = cast.player.client.get(reverse("table", args=["ashes"])).content.decode()
    assert 'data-more="See how it ended"' in table and "One beat too late</b>" in table


def test_a_name_that_another_gm_gave_is_not_overwritten(cast):
    current = play.start_session(cast.gm.member, "Wake", key=uuid4())
    seen = version({"title": "Wake"})
    play.title_session(cast.gm.member, current, "Dawn", expected=seen, key=uuid4())
    assert end(cast.gm, anyway="1", title="Dusk", expected=seen).status_code == 409
    assert (GameSession.objects.get().title, GameSession.objects.get().ended_at) == ("Dawn", None)


def test_what_is_typed_stays_where_the_list_has_changed_and_is_asked_again(cast):
    play.start_session(cast.gm.member, "Wake", key=uuid4())
    seen = version({"title": "Wake"})
    asked = end(cast.gm, anyway="1", listed="another", title="Dusk", expected=seen).content.decode()
    assert "This list has changed" in asked and 'value="Dusk"' in asked and seen in asked
    assert GameSession.objects.get().ended_at is None


def test_the_table_reads_along_as_a_gm_types_the_name(cast):
    play.start_session(cast.gm.member, "Wake", key=uuid4())
    token = unescape(re.search(r'data-draft="([^"]+)"', end(cast.gm).content.decode())[1])
    typed = {"token": token, "field": "title", "text": "One beat"}
    draft = drafts.read(viewer(cast.gm), typed)
    assert (draft.subject, draft.text) == ("session:1", "One beat")
    assert all(draft.is_seen_by(viewer(one)) for one in (cast.player, cast.spectator))
    assert drafts.read(viewer(cast.player), typed) is None


def test_a_session_without_scripts_keeps_its_name(cast):
    play.start_session(cast.gm.member, "Wake", key=uuid4())
    answer = cast.gm.client.post(reverse("session_end", args=["ashes"]), {"key": uuid4()})
    assert answer["Location"] == reverse("session", args=["ashes", 1])
    assert GameSession.objects.get().title == "Wake"


def test_it_lies_on_home_until_the_next_session_starts(cast, session):
    def home():
        return cast.player.client.get(reverse("home")).content.decode()

    assert "See how it ended" in home()
    play.start_session(cast.gm.member, key=uuid4())
    assert "See how it ended" not in home()


def test_it_says_what_the_recap_is_drafted_from_to_gms_alone(cast):
    play.start_session(cast.gm.member, key=uuid4())
    play.narrate(cast.gm.member, "It rains.", key=uuid4())
    play.end_session(cast.gm.member, key=uuid4())
    assert "drafted from 1 narration, 0 rolls and 0 quotes" in " ".join(page(cast.gm).split())
    assert "drafted from" not in page(cast.player)
