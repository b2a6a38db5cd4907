"""The log's pages: filters in the address, pages that follow each other, permalinks, days; and nothing of what is hidden."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.forms.log import choices_of
from campaigns.models import Campaign, Clock, Event, GameSession, Membership, Role, Viewer
from campaigns.models.members import TABLE
from campaigns.services import clocks, play
from campaigns.services.clocks import Draft
from campaigns.services.log import happening_at
from campaigns.views import log
from tests.answers import queries, same_page
from tests.campaigns.log_pages import ask, choices, numbers, permalink, read, say
from tests.canaries import canary
from tests.doors import watcher

# Pages


@pytest.fixture
def small_pages(monkeypatch, patience):
    monkeypatch.setattr(log, "PAGE", 5)


def walk(who, html, found):
    """Return all pages from this one on, by the links at their ends."""
    pages = [found(html)]
    while further := re.search(r'class="further">\s*<a class="button"\s+href="([^"]+)"', html):
        html = who.client.get(reverse("log", args=["ashes"]) + further[1].replace("&amp;", "&")).content.decode()
        pages.append(found(html))
    return pages


@pytest.mark.parametrize("asked", [{}, {"topic": "talk"}, {"words": "line"}, {"order": "oldest", "words": "line"}])
def test_pages_follow_each_other_by_plain_links(cast, small_pages, asked):
    say(cast, 12)
    shown = [number for page in walk(cast.player, read(cast.player, **asked), numbers) for number in page]
    assert shown == (list(range(1, 13)) if "order" in asked else list(range(12, 0, -1)))


@pytest.mark.parametrize(("asked", "turned"), [({}, "?topic=talk&order=oldest"), ({"order": "oldest"}, "?topic=talk")])
def test_the_log_can_be_turned_round_with_what_is_searched_for(cast, asked, turned):
    words = read(cast.player, **asked, topic="talk")
    (address,) = re.findall(r'id="log-turned"\s+href="([^"]+)"', words)
    assert address.replace("&amp;", "&") == turned
    assert ("Oldest first" in words) is not bool(asked)
    assert ('name="order" value="oldest"' in words) is bool(asked)  # a search keeps it


def test_the_button_is_answered_with_the_lines_alone(cast, small_pages):
    say(cast, 12)
    page = read(cast.player)
    further = re.search(r'hx-get="([^"]+)"', page)[1].replace("&amp;", "&")
    url = reverse("log", args=["ashes"]) + further
    answer = cast.player.client.get(url, headers={"HX-Request": "true"})
    assert numbers(answer.content.decode()) == [7, 6, 5, 4, 3]
    assert "<html" not in answer.content.decode()
    assert "HX-Request" in answer["Vary"]
    assert "<html" in cast.player.client.get(url).content.decode()


def test_what_happens_meanwhile_does_not_move_later_pages(cast, small_pages):
    say(cast, 12)
    page = read(cast.player)
    url = reverse("log", args=["ashes"]) + re.search(r'hx-get="([^"]+)"', page)[1].replace("&amp;", "&")
    before = numbers(cast.player.client.get(url).content.decode())
    say(cast, 3)
    assert numbers(cast.player.client.get(url).content.decode()) == before


def test_a_day_is_named_where_it_begins_also_across_pages(cast, small_pages):
    start = (timezone.now() + timedelta(days=2)).replace(hour=12)
    for number in range(9):
        with happening_at(start + timedelta(days=number // 3)):
            play.say(cast.player.member, f"line {number}.", key=uuid4())
    days = [
        day for page in walk(cast.player, read(cast.player), lambda html: re.findall("log-date", html)) for day in page
    ]
    html = "".join(walk(cast.player, read(cast.player), lambda html: html))
    assert len(days) == len(set(re.findall(r'class="log-date">([^<]+)', html)))
    assert f"{start:%A}, {start.day} {start:%B %Y}" in html


def test_a_page_costs_the_same_however_much_is_on_it(cast, patience):
    say(cast, 2)
    url = reverse("log", args=["ashes"])
    cast.gm.client.get(url)  # the first visit stores when the member was last present
    few = queries(cast.gm.client, url)
    say(cast, 30)
    for number in range(5):
        play.start_session(cast.gm.member, key=uuid4())
        play.open_scene(cast.gm.member, key=uuid4())
        clocks.make_clock(cast.gm.member, Draft(f"Clock {number}", 4), key=uuid4())
        play.end_session(cast.gm.member, key=uuid4())
    # The first scene of all lets the page ask for scenes at all.
    assert queries(cast.gm.client, url) <= few + 1


# Filters


def test_filters_live_in_the_address_and_can_be_taken_away_one_by_one(cast):
    play.say(cast.player.member, "line 1.", key=uuid4())
    play.narrate(cast.gm.member, "line 2.", key=uuid4())
    page = read(cast.player, words="line", topic="narration")
    assert numbers(page) == [2]
    chips = dict(re.findall(r'<a class="button"\s+href="([^"]+)">\s*([^<]+?)\s*<svg', page))
    assert chips == {"?topic=narration": "Text: line", "?words=line": "Type: Narration"}
    assert numbers(read(cast.player, words="line")) == [2, 1]


def test_every_filter_can_be_asked_for_and_they_can_be_mixed(played, cast):
    session = GameSession.objects.get(number=2)
    character, clock, storyline = played.character.pk, played.clock.pk, played.storyline.pk
    cases = {
        "topic": "roll",
        "outcome": "success",
        "system": "storyteller",
        "who": cast.player.member.pk,
        "character": character,
        "clock": clock,
        "storyline": storyline,
        "session": session.pk,
        "scene": session.scenes.get().pk,
        "since": "2020-01-01",
        "until": "2099-01-01",
        "words": "into the dark",
    }
    for name, value in cases.items():
        page = read(cast.player, **{name: value})
        assert 'class="line"' in page, name
        assert 'class="chips ' in page, name
    assert "Major Burn" in read(cast.player, system="scale")
    mixed = {name: cases[name] for name in ("topic", "character", "session", "words", "who", "since")}
    page = read(cast.player, **mixed)
    assert page.count('class="line"') == 1
    assert "into the dark" in page
    assert 'class="line"' not in read(cast.player, until="2020-01-01")


@pytest.mark.run_on("sqlite", "postgresql")
def test_a_filter_that_cannot_be_says_what_is_wrong(cast):
    for asked, words in (
        ({"since": "soon"}, "Enter a date"),
        ({"who": "nobody"}, "This isn’t here"),
        ({"topic": "x"}, "This isn’t here"),
        ({"words": "x" * 200}, "120"),
        ({"words": "a\x00b"}, "can’t be shown"),
    ):
        answer = ask(cast.player, **asked)
        assert answer.status_code == 422
        assert words in answer.content.decode()
        assert 'class="line"' not in answer.content.decode()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1900-01-01"])
def test_days_at_the_ends_of_time_are_days_like_others(cast, day):
    read(cast.player, since=day)
    read(cast.player, until=day)
    assert cast.player.client.get(reverse("log_day", args=["ashes"]), {"day": day}).status_code == 302


def test_an_empty_answer_says_what_to_do(cast):
    assert "Remove a filter" in read(cast.player, words="unheard")


def test_what_happened_since_the_last_visit_is_one_link_away(cast):
    with happening_at(timezone.now() - timedelta(minutes=50)):
        play.say(cast.gm.member, "line 1.", key=uuid4())
    assert "Since your last visit" not in read(cast.player)
    Membership.objects.filter(pk=cast.player.member.pk).update(last_visit=timezone.now() - timedelta(minutes=40))
    play.say(cast.gm.member, "line 2.", key=uuid4())
    assert "Since your last visit" in read(cast.player)
    assert numbers(read(cast.player, new="on", order="oldest")) == [2]
    # A reader who was never away has no choice.
    assert numbers(read(cast.other_player, new="on", order="oldest")) == [1, 2]


# Hidden lines


def test_a_hidden_npc_and_a_secret_clock_can_be_chosen_by_nobody_but_the_gm(played, cast):
    hidden = {"character": played.hidden_npc.pk, "clock": played.hidden_clock.pk}
    for name, thing in hidden.items():
        assert str(thing) in choices(read(cast.gm), name)
        assert ask(cast.gm, **{name: thing}).status_code == 200
        for who in (cast.player, cast.spectator):
            assert str(thing) not in read(who)
            chosen, missing = ask(who, **{name: thing}), ask(who, **{name: uuid4()})
            assert (chosen.status_code, missing.status_code) == (422, 422)
            assert same_page(chosen, missing)


def test_a_clock_that_was_hidden_later_is_no_choice_any_more(cast):
    clock = clocks.make_clock(cast.gm.member, Draft("The flood", 4), key=uuid4())
    assert choices(read(cast.player), "clock") == {str(clock.pk): "The flood"}
    Clock.objects.filter(pk=clock.pk).update(visibility="secret")
    assert "clock" not in re.findall(r'<option value="[0-9a-f-]{36}"', read(cast.player))
    assert ask(cast.player, clock=clock.pk).status_code == 422


def test_what_others_know_is_in_no_page_under_no_filter(played, cast):
    for who in (cast.player, cast.other_player, cast.spectator):
        page = read(who)
        for name in ("topic", "outcome", "who", "character", "session", "scene", "clock", "storyline", "system"):
            for value in choices(page, name):
                read(who, **{name: value})
        read(who, words="canary")
    assert canary("gm", "notes") in read(cast.gm, words="canary notes")


def test_a_watcher_by_the_link_reads_what_everybody_may(played, cast):
    client = watcher(cast)
    answer = client.get(reverse("log", args=["ashes"]), {"words": "canary"})
    assert answer.status_code == 200
    assert 'class="line"' not in answer.content.decode()
    told = Event.objects.filter(stream__name=TABLE, kind="campaigns.said").latest("pk")
    assert client.get(permalink(told)).status_code == 200
    whispered = Event.objects.filter(stream__name=cast.player.member.stream).latest("pk")
    assert client.get(permalink(whispered)).status_code == 404


def test_a_log_is_filtered_by_what_its_own_rules_know(cast):
    """There are no Burns without a Scale, and no botches without rules for them."""
    found = {}
    for systems in (["storyteller"], ["forged"], ["forged", "gone"]):
        Campaign.objects.update(systems=systems)
        cast.campaign.refresh_from_db()
        offered = choices_of(Viewer(cast.campaign, cast.player.member, Role.PLAYER), {})
        found[systems[-1]] = {name for what in ("topic", "outcome") for name, _ in offered[what]}
    assert {"burn", "botch", "grace"} <= found["storyteller"] and "critical" not in found["storyteller"]
    assert "critical" in found["forged"] and not {"burn", "botch", "grace"} & found["forged"]
    assert "botch" in found["gone"]
