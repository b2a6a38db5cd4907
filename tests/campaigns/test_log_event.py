"""One event of the log by its permalink, among its neighbours; and going to a day."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Event
from campaigns.models.members import GM
from campaigns.services import play
from campaigns.services.log import happening_at
from campaigns.views import log
from tests.answers import same_page
from tests.campaigns.log_pages import SECRET, ask, numbers, permalink, read, say
from tests.campaigns.queries.test_search import tell
from tests.news import news


def test_a_permalink_shows_the_event_among_its_neighbours(cast, patience):
    say(cast, 25)
    meant = Event.objects.get(stored__payload__words="line 12.")
    page = cast.player.client.get(permalink(meant)).content.decode()
    assert numbers(page) == list(range(12 - log.BESIDE, 12 + log.BESIDE + 1))
    here = re.search(r'<div class="is-here" aria-current="true">(.*?)</article>', page, re.DOTALL)[1]
    assert numbers(here) == [12]
    earlier, later = (
        url.replace("&amp;", "&") for url in re.findall(r'further">\s*<a class="button"\s+href="([^"]+)"', page)
    )
    assert numbers(cast.player.client.get(earlier).content.decode())[0] == 12 - log.BESIDE - 1
    assert numbers(cast.player.client.get(later).content.decode())[0] == 12 + log.BESIDE + 1


def test_every_line_links_to_itself(cast):
    say(cast, 1)
    event = news().last()
    assert f'href="{permalink(event)}#event-{event.uid}"' in read(cast.player)


def test_the_permalink_of_what_is_hidden_answers_as_one_that_is_not_there(cast):
    say(cast, 1)
    play.whisper(cast.player.member, SECRET, to=[cast.gm.member], key=uuid4())
    whispered = news().last()
    tell(cast.gm.member, {GM: SECRET}, key=uuid4())
    secret = news().last()
    for who, event in ((cast.other_player, whispered), (cast.spectator, whispered), (cast.player, secret)):
        hidden = who.client.get(permalink(event))
        missing = who.client.get(reverse("log_event", args=["ashes", uuid4()]))
        assert (hidden.status_code, missing.status_code) == (404, 404)
        assert same_page(hidden, missing)
        begun, nowhere = ask(who, **{log.FROM: event.uid}), ask(who, **{log.FROM: uuid4()})
        assert (begun.status_code, nowhere.status_code) == (404, 404)
    assert SECRET in cast.player.client.get(permalink(whispered)).content.decode()


def test_neighbours_that_are_hidden_take_no_place(cast, patience):
    say(cast, 20)
    for _ in range(5):
        tell(cast.gm.member, {GM: SECRET}, key=uuid4())
    meant = Event.objects.get(stored__payload__words="line 20.")
    page = cast.player.client.get(permalink(meant)).content.decode()
    assert numbers(page) == list(range(20 - log.BESIDE, 21))
    assert SECRET not in page


def test_a_place_that_is_no_name_of_an_event_is_not_there(cast):
    assert ask(cast.player, **{log.FROM: "x"}).status_code == 404


def test_going_to_a_day_leads_to_its_first_event_or_to_the_last_before(cast):
    start = timezone.now() + timedelta(days=10)
    with happening_at(start):
        first = play.say(cast.player.member, "line 1.", key=uuid4())
    with happening_at(start + timedelta(hours=1)):
        play.say(cast.player.member, "line 2.", key=uuid4())
    for day in (start - timedelta(days=1), start):
        answer = cast.player.client.get(reverse("log_day", args=["ashes"]), {"day": f"{day:%Y-%m-%d}"})
        assert answer.url == f"{permalink(first)}#event-{first.uid}"
    answer = cast.player.client.get(
        reverse("log_day", args=["ashes"]), {"day": f"{start + timedelta(days=5):%Y-%m-%d}"}
    )
    assert "line 2." in cast.player.client.get(answer.url).content.decode()


@pytest.mark.parametrize("asked", [{}, {"day": ""}, {"day": "soon"}])
def test_going_to_no_day_leads_to_the_log(cast, asked):
    assert cast.player.client.get(reverse("log_day", args=["ashes"]), asked).url == reverse("log", args=["ashes"])
