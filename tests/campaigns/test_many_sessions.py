"""What lists sessions stays as short as ever in a campaign of many years, and leads to the old ones all the same."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.queries import play as offered
from campaigns.services import play
from campaigns.views import play as pages
from tests.answers import queries
from tests.doors import read
from tests.stored import store

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


@pytest.fixture
def years(cast, patience, monkeypatch):
    """Twelve sessions with a scene and a word each, the last one still going on; lists end after two of them."""
    monkeypatch.setattr(pages, "PAGE", 2)
    monkeypatch.setattr(offered, "OFFERED", 2)
    store(cast.campaign, systems=["storyteller"])
    cast.said, cast.sessions, cast.scenes = [], [], []
    for number in range(1, 13):
        if number > 1:
            play.end_session(cast.gm.member, key=uuid4())
        cast.sessions.append(play.start_session(cast.gm.member, f"Evening {number}.", key=uuid4()))
        cast.scenes.append(play.open_scene(cast.gm.member, f"place {number}.", key=uuid4()))
        cast.said.append(play.say(cast.player.member, f"Word {number}.", key=uuid4()))
    return cast


def page(person, name, *args, **query):
    return read(person.client, name, person.member.campaign.slug, *args, **query)


def evenings(text):
    return sorted({int(number) for number in re.findall(r"Evening (\d+)\.", text.partition("<main")[2])}, reverse=True)


def test_the_list_of_sessions_takes_as_many_queries_and_as_many_rows_however_many_there_are(years):
    url = reverse("sessions", args=[years.campaign.slug])
    asked = queries(years.gm.client, url)
    for number in range(13, 16):
        play.end_session(years.gm.member, key=uuid4())
        play.start_session(years.gm.member, f"Evening {number}.", key=uuid4())
        play.open_scene(years.gm.member, f"place {number}.", key=uuid4())
    assert queries(years.gm.client, url) == asked
    assert evenings(page(years.gm, "sessions")) == [15, 14]


def choices(text):
    return sorted({int(number) for number in re.findall(r"<opt(?:ion|group)[^<]*Evening (\d+)\.", text)}, reverse=True)


def test_the_list_of_sessions_goes_on_page_by_page(years):
    seen, before = [], {}
    while True:
        text = page(years.player, "sessions", **before)
        seen.append(evenings(text))
        further = re.search(r"\?before=(\d+)", text)
        if further is None:
            break
        before = {"before": further[1]}
    assert seen == [[12, 11], [10, 9], [8, 7], [6, 5], [4, 3], [2, 1]]
    assert "Newest" in text and "No earlier sessions" in page(years.player, "sessions", before="1")
    part = years.player.client.get(
        reverse("sessions", args=[years.campaign.slug]), before, headers={"hx-request": "true"}
    ).content.decode()
    assert "Evening 2." in part and "<html" not in part and "Newest" not in part
    assert evenings(page(years.player, "sessions", before="nothing")) == [12, 11]


def test_the_log_offers_the_newest_sessions_and_the_one_that_is_chosen(years):
    assert choices(page(years.player, "log")) == [12, 11]
    for chosen in ({"session": years.sessions[2].pk}, {"scene": years.scenes[2].pk}):
        text = page(years.player, "log", **chosen)
        assert choices(text) == [12, 11, 3]
        assert "Word 3." in text and "Word 12." not in text


def test_a_session_that_cannot_be_is_refused_in_words(years):
    for wrong in ("9" * 30, "x", "-1"):
        for name in ("session", "scene"):
            url = reverse("log", args=[years.campaign.slug])
            assert years.player.client.get(url, {name: wrong}).status_code == 422


def test_an_event_can_be_put_under_the_newest_scenes_and_those_around_it(years):
    assert choices(page(years.player, "log_refile", years.said[0].uid)) == [12, 11, 6, 5, 4, 3, 2, 1]


def test_the_page_of_the_scale_offers_the_newest_sessions_and_the_one_that_is_shown(years):
    def numbers(**query):
        return re.findall(r'href="\?session=(\d+)"', page(years.player, "scale", **query))

    assert numbers() == ["11", "12"]
    assert numbers(session=3) == ["3", "11", "12"]
