"""The feed: what a viewer may see, each thing once, page by page into the past."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Event, Role, Viewer
from campaigns.models.members import GM, TABLE
from campaigns.services import play
from campaigns.services.log import UnitOfWork, service
from campaigns.views.log import PAGE, feed
from tests.answers import same_page
from tests.campaigns.log_pages import numbers, say
from tests.cast import viewer
from tests.kinds import ANY_SAID
from tests.news import news

pytestmark = pytest.mark.usefixtures("patience")

SECRET = "xylophone"


@service(Role.GM)
def tell(work: UnitOfWork, words: dict, *, key):
    """Record one operation in several streams, in the given order: {stream: words}."""
    for stream, said in words.items():
        payload = {"manner": "player", "words": said, "voice": None, "to": []}
        work.record(ANY_SAID, payload, stream=stream)


def told_before(who):
    """Return the number of lines in a viewer's feed from when the cast joined."""
    return len(feed(viewer(who)).lines)


def ids(html):
    return re.findall(r'id="event-([0-9a-f-]+)"', "".join(html))


def test_the_feed_is_the_last_fifty_lines_oldest_first(cast):
    say(cast, PAGE + 3)
    page = feed(viewer(cast.player))
    assert numbers(page.lines) == list(range(4, PAGE + 4))
    assert page.older_url == reverse("older", args=["ashes", ids(page.lines)[0]])


def test_a_short_feed_has_nothing_older(cast):
    say(cast, PAGE - told_before(cast.player))
    page = feed(viewer(cast.player))
    assert (len(page.lines), page.older_url) == (PAGE, "")
    say(cast, 1)
    assert feed(viewer(cast.player)).older_url


def test_pages_follow_each_other_without_gap_or_repeat(cast):
    say(cast, 2 * PAGE + 7)
    found, url = [], feed(viewer(cast.player)).older_url
    while url:
        answer = cast.player.client.get(url).content.decode()
        found = numbers([answer]) + found
        further = re.search(r'hx-get="([^"]+)"', answer)
        url = further[1] if further else ""
    assert found == list(range(1, PAGE + 8))


def test_new_lines_do_not_move_older_pages(cast):
    say(cast, PAGE + 5)
    url = feed(viewer(cast.player)).older_url
    before = cast.player.client.get(url).content
    say(cast, 3, first=900)
    assert cast.player.client.get(url).content == before


@pytest.mark.parametrize("order", [(GM, TABLE), (TABLE, GM)])
def test_what_is_told_twice_stands_once_in_its_richest_telling(cast, order):
    words, before = {GM: "all of it", TABLE: "some of it"}, told_before(cast.gm)
    tell(cast.gm.member, {stream: words[stream] for stream in order}, key=uuid4())
    assert "all of it" in "".join(feed(viewer(cast.gm)).lines)
    assert len(feed(viewer(cast.gm)).lines) == before + 1
    assert "some of it" in "".join(feed(viewer(cast.player)).lines)
    assert "all of it" not in "".join(feed(viewer(cast.player)).lines)


def test_a_members_telling_comes_before_the_tables(cast):
    tell(cast.gm.member, {cast.player.member.stream: "for you", TABLE: "for all"}, key=uuid4())
    assert "for you" in "".join(feed(viewer(cast.player)).lines)
    assert "for you" in "".join(feed(viewer(cast.gm)).lines)
    assert "for all" in "".join(feed(viewer(cast.other_player)).lines)


def test_a_whisper_to_several_stands_once_for_the_gm(cast):
    play.whisper(cast.player.member, SECRET, to=[cast.other_player.member, cast.spectator.member], key=uuid4())
    for who in (cast.gm, cast.player, cast.other_player, cast.spectator):
        assert "".join(feed(viewer(who)).lines).count(SECRET) == 1


def test_hidden_lines_take_no_place_on_a_players_pages(cast):
    say(cast, PAGE - told_before(cast.player))
    for _ in range(5):
        tell(cast.gm.member, {GM: SECRET}, key=uuid4())
    page = feed(viewer(cast.player))
    assert (len(page.lines), page.older_url) == (PAGE, "")
    assert SECRET not in "".join(page.lines)


def test_seen_as_a_player_the_feed_is_a_players(cast):
    tell(cast.gm.member, {GM: SECRET, TABLE: "for all"}, key=uuid4())
    as_player = Viewer(cast.campaign, None, Role.PLAYER, real=cast.gm.member)
    as_mo = Viewer(cast.campaign, cast.player.member, Role.PLAYER, real=cast.gm.member)
    for looking in (as_player, as_mo):
        assert "for all" in "".join(feed(looking).lines)
        assert SECRET not in "".join(feed(looking).lines)


def test_pages_cost_the_same_however_much_is_on_them(cast, django_assert_num_queries):
    say(cast, 3)
    with django_assert_num_queries(2):  # one for what a GM can undo
        feed(viewer(cast.gm))
    say(cast, PAGE, first=4)
    play.whisper(cast.player.member, SECRET, to=[cast.other_player.member], key=uuid4())
    with django_assert_num_queries(2):
        feed(viewer(cast.gm))


# Over HTTP


def older(client, uid):
    return client.get(reverse("older", args=["ashes", uid]))


def test_whoever_may_not_see_a_line_does_not_find_what_came_before_it(cast):
    say(cast, 1)
    play.whisper(cast.player.member, SECRET, to=[cast.other_player.member], key=uuid4())
    whispered = news().last().uid
    assert older(cast.player.client, whispered).status_code == 200
    assert older(cast.gm.client, whispered).status_code == 200
    hidden, missing = older(cast.spectator.client, whispered), older(cast.spectator.client, uuid4())
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert same_page(hidden, missing)


def test_older_lines_are_those_the_reader_may_see(cast):
    tell(cast.gm.member, {GM: SECRET}, key=uuid4())
    play.whisper(cast.other_player.member, SECRET, to=[cast.gm.member], key=uuid4())
    say(cast, 1)
    last = news().last().uid
    assert older(cast.gm.client, last).content.decode().count(SECRET) == 2
    for who in (cast.player, cast.spectator):
        assert SECRET not in older(who.client, last).content.decode()


def test_the_oldest_line_has_nothing_before_it(cast):
    answer = older(cast.player.client, Event.objects.filter(stream__name=TABLE).earliest("pk").uid)
    assert answer.status_code == 200
    assert answer.content.decode().strip() == ""
