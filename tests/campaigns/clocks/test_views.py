"""The pages and forms of clocks, for everybody who may meet them."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Clock, ClockTemplate, Event
from campaigns.services import clocks as services
from campaigns.services.campaigns import create_campaign
from campaigns.services.clocks import Draft
from campaigns.services.log import happening_at
from campaigns.views import clocks as views
from tests.answers import alike
from tests.campaigns.clocks.play import KNOWN, SECRET, VISIBLE, told
from tests.doors import post, send

HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TRIGGER": "clock-tick"}


@pytest.fixture
def clocks(make, tick):
    """Make a clock of each visibility, each with its own progress and reason."""
    made = {
        visibility: make(f"the {visibility} one", 12, visibility=visibility, owner="crew")
        for visibility in (VISIBLE, KNOWN, SECRET)
    }
    for visibility, ticks in ((VISIBLE, 5), (KNOWN, 7), (SECRET, 3)):
        tick(made[visibility], ticks, reason=f"the {visibility} reason")
    return made


@pytest.fixture
def foreign_clock(cast):
    """Make a clock at a table of the outsider's."""
    campaign = create_campaign(cast.outsider.user, name="Elsewhere", systems=["storyteller"], key=uuid4())
    return services.make_clock(campaign.memberships.get(), Draft("Foreign", 4), key=uuid4())


def url(cast, name, *args):
    return reverse(name, args=[cast.campaign.slug, *args])


@pytest.mark.parametrize("who", ["player", "other_player", "spectator"])
def test_everybody_sees_the_clocks_that_are_shown_and_no_more(cast, clocks, who):
    page = getattr(cast, who).client.get(url(cast, "clocks")).content.decode()
    assert "the visible one" in page and "5 of 12" in page
    assert "the known one" in page and "12 segments" in page
    assert "7 of 12" not in page
    for word in ("the secret one", "3 of 12", "New clock", "template", str(clocks[SECRET].pk)):
        assert word not in page


def test_the_gm_sees_all_of_them(cast, clocks):
    page = cast.gm.client.get(url(cast, "clocks")).content.decode()
    for words in ("5 of 12", "7 of 12", "3 of 12", "only the GM sees it", "New clock"):
        assert words in page


def test_a_history_tells_everybody_what_they_may_know(cast, clocks):
    page = cast.player.client.get(url(cast, "clock", clocks[VISIBLE].pk)).content.decode()
    assert "the visible reason" in page and "from 0 to 5 of 12" in page
    page = cast.player.client.get(url(cast, "clock", clocks[KNOWN].pk)).content.decode()
    assert "added the clock" in page and "the known reason" not in page and "7" not in _words(page)
    page = cast.gm.client.get(url(cast, "clock", clocks[KNOWN].pk)).content.decode()
    assert page.count("the known reason") == 1 and page.count("added the clock") == 1


def _words(page):
    """Return the text of a page's cards."""
    return page.partition("<main")[2].partition("</main>")[0].partition("History")[2].split(">")


def test_a_long_history_comes_in_pages(cast, make, tick):
    clock = make(segments=12)
    for at in range(views.PAGE + 1):
        # Not all in one moment, which would be a flood.
        with happening_at(timezone.now() + timedelta(minutes=at)):
            tick(clock, -1 if at % 2 else 1, reason=f"turn {at:02}")
    address = url(cast, "clock", clock.pk)
    page = cast.player.client.get(address).content.decode()
    assert f"turn {views.PAGE:02}" in page and "turn 01" in page and "turn 00" not in page
    older = re.search(r'href="(\?before=[^"]+)"', page)[1]
    for headers in ({}, {"hx-request": "true"}):
        page = cast.player.client.get(address + older, headers=headers).content.decode()
        assert "turn 00" in page and "turn 01" not in page and "added the clock" in page
        assert ("<html" in page) == (not headers)


def test_a_foreign_a_secret_and_a_missing_clock_answer_alike(cast, clocks, foreign_clock):
    hidden = (clocks[SECRET].pk, foreign_clock.pk, uuid4())
    for who in (cast.player, cast.spectator):
        answers = [who.client.get(url(cast, "clock", pk)) for pk in hidden]
        assert answers[0].status_code == 404
        assert all(alike(answers[0], other) for other in answers)
    answers = [send(cast.player, "clock_tick", pk, ticks=1) for pk in hidden]
    assert answers[0].status_code == 404
    assert all(alike(answers[0], other) for other in answers)
    uid = Event.objects.filter(kind="campaigns.clock_ticked", stream__name="table").get().uid
    answers = [send(cast.player, "clock_card", uid, clock=str(pk), ticks=1) for pk in (*hidden, "x")]
    assert answers[0].status_code == 422
    assert all(alike(answers[0], other) for other in answers)


def test_a_tick_from_the_panel_is_answered_with_nothing(cast, clocks):
    answer = send(cast.player, "clock_tick", clocks[VISIBLE].pk, ticks=2, reason="A bell.")
    assert (answer.status_code, answer.content) == (204, b"")
    assert told(cast, what="clock_ticked")[-1]["reason"] == "A bell."


@pytest.mark.parametrize(
    "said",
    [{"ticks": "0"}, {"ticks": "99"}, {"ticks": "-13"}, {"ticks": "two"}, {}, {"ticks": "1", "reason": "x" * 201},
     {"ticks": "1", "reason": "bell\x07"}],
)  # fmt: skip
def test_a_tick_that_cannot_be_is_refused_at_its_field(cast, clocks, said):
    before = len(told(cast))
    answer = send(cast.player, "clock_tick", clocks[VISIBLE].pk, **said)
    assert answer.status_code == 422
    assert f'data-field="{"reason" if "reason" in said else "ticks"}"' in answer.content.decode()
    assert len(told(cast)) == before


def test_a_card_offers_the_clocks_that_one_may_tick(cast, clocks, make):
    make("The GM’s own")
    uid = Event.objects.filter(stream__name="table", kind="campaigns.clock_ticked").get().uid
    form = cast.player.client.get(url(cast, "clock_card", uid), **HTMX).content.decode()
    assert "the visible one" in form
    for word in ("the known one", "the secret one", "The GM’s own"):
        assert word not in form
    form = cast.gm.client.get(url(cast, "clock_card", uid), **HTMX).content.decode()
    for word in ("the visible one", "the known one", "the secret one", "The GM’s own"):
        assert word in form
    answer = send(cast.player, "clock_card", uid, clock=str(clocks[VISIBLE].pk), ticks=1)
    assert answer.status_code == 204
    assert told(cast, what="clock_ticked")[-1]["source"] == str(uid)


def test_the_card_of_a_hidden_event_is_not_there(cast, clocks):
    hidden = Event.objects.filter(stream__name="gm", kind="campaigns.clock_ticked").last().uid
    answers = [cast.player.client.get(url(cast, "clock_card", uid)) for uid in (hidden, uuid4())]
    assert answers[0].status_code == 404 and alike(*answers)
    assert cast.spectator.client.get(url(cast, "clock_card", hidden)).status_code == 403


FULL = {"name": "Dawn", "kind": "mission", "segments": "6", "visibility": "visible", "owner": "gm", "filled": "0"}


def test_the_gm_makes_a_clock(cast):
    answer = post(cast.gm.client, "clock_new", "ashes", **FULL)
    assert (answer.status_code, answer["Location"]) == (302, url(cast, "clocks"))
    clock = Clock.objects.get()
    assert (clock.name, clock.kind, clock.segments) == ("Dawn", "mission", 6)


def test_the_gm_makes_a_racing_pair(cast):
    pair = {"kind": "racing", "rival_name": "The watch", "rival_segments": "8"}
    assert post(cast.gm.client, "clock_new", "ashes", **FULL | pair).status_code == 302
    assert {(clock.name, clock.rival.name) for clock in Clock.objects.all()} == {
        ("Dawn", "The watch"),
        ("The watch", "Dawn"),
    }


def test_the_gm_orders_archives_and_brings_back(cast, make):
    first, second = make("Dawn"), make("Dusk")
    assert post(cast.gm.client, "clock_move", "ashes", second.pk, to="up").status_code == 302
    assert [clock.name for clock in Clock.objects.all()] == ["Dusk", "Dawn"]
    assert send(cast.gm, "clock_archive", first.pk).status_code == 204
    assert "Archived" in cast.player.client.get(url(cast, "clocks")).content.decode()
    assert post(cast.gm.client, "clock_restore", "ashes", first.pk).status_code == 302
    assert Clock.objects.running().count() == 2


def test_a_new_clock_can_begin_as_a_template_says(cast, make):
    post(cast.gm.client, "clock_keep", "ashes", make("Escape", 10).pk)
    template = ClockTemplate.objects.get()
    page = cast.gm.client.get(url(cast, "clock_new"), {"template": str(template.pk)}).content.decode()
    assert 'value="Escape"' in page and 'value="10"' in page
    for wrong in (str(uuid4()), "nonsense"):
        assert cast.gm.client.get(url(cast, "clock_new"), {"template": wrong}).status_code == 404
    post(cast.gm.client, "clock_template_drop", "ashes", template.pk)
    assert not ClockTemplate.objects.exists()


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("The wardens notice 6", ("The wardens notice", 6)),
        ("The tide", ("The tide", 4)),
        ("Bridge 7 falls", ("Bridge 7 falls", 4)),
        ("12", ("12", 4)),
    ],
)
def test_a_gm_makes_a_clock_in_one_line(cast, line, made):
    assert send(cast.gm, "clock_new", line=line).status_code == 204
    clock = Clock.objects.get(campaign=cast.campaign)
    assert (clock.name, clock.segments, clock.visibility) == (*made, VISIBLE)


@pytest.mark.parametrize("line", ["", "Dawn 1", "Dawn 13", "x" * 90, "Dawn 99999999999999999999"])
def test_a_line_that_is_no_clock_makes_none_and_says_why(cast, line):
    answer = send(cast.gm, "clock_new", line=line)
    assert answer.status_code == 422 and answer.content
    assert not Clock.objects.filter(campaign=cast.campaign).exists()
