"""What comes of one thing stands on one card of the feed and the log, for everyone with what they may know."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.live.campaign_feed import Readers, frames_of
from campaigns.live.render import forget_texts
from campaigns.models import Event, Role
from campaigns.models.members import TABLE
from campaigns.services import clocks, play
from campaigns.services.clocks import Draft
from characters.services.cards import Card, make_character
from characters.services.fields import set_field
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests.dom import Node, parse
from tests.rulesets.forged.procedures.staged import SET


@pytest.fixture
def prowler(cast):
    play.start_session(cast.gm.member, "One", key=uuid4())
    mo = cast.player.member
    made = make_character(mo, Card("Cross", "", mo), system="forged", key=uuid4())
    return set_field(mo, made, "prowl", 2, expected=0, key=uuid4())


@pytest.fixture
def action(cast, prowler):
    """Return an action that was announced, and pushed for, which the sheet will pay."""
    given = {"character": str(prowler.pk), "action": "prowl"}
    return open_procedure(cast.player.member, "forged", "action", given, reason="over the wall", key=uuid4())


def feed(person, cast) -> Node:
    found = parse(person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()).by_id("feed")
    assert found is not None
    return found


def words(node: Node | None) -> str:
    return " ".join(str(node).split())


def lines(person, cast) -> list[Node]:
    return [one for one in feed(person, cast).children if isinstance(one, Node) and one.attrs.get("id")]


def test_the_steps_of_a_procedure_leave_one_card_which_says_what_it_is_about(cast, action):
    before = len(lines(cast.player, cast))
    act(cast.gm.member, action.pk, ActKey("set", ""), given=SET, key=uuid4())
    cards = [one for one in lines(cast.player, cast) if one.attrs["id"] == f"card-{action.pk}"]
    assert len(cards) == 1 and len(lines(cast.player, cast)) == before
    assert "over the wall" in str(cards[0]) and str(cards[0]).count("article class='line'") == 2, "both steps are in it"


def test_what_a_player_alone_is_told_stands_on_their_card_and_on_nobody_elses(cast, prowler, action):
    mo = cast.player.member
    act(cast.gm.member, action.pk, ActKey("set", ""), given=SET, key=uuid4())
    act(mo, action.pk, ActKey("push", f"{prowler.pk}.die"), key=uuid4())
    act(mo, action.pk, ActKey("roll", str(prowler.pk)), key=uuid4())
    for person in (cast.gm, cast.player):
        assert "Stress +2" in words(feed(person, cast).by_id(f"card-{action.pk}"))
    for person in (cast.other_player, cast.spectator):
        assert "Stress" not in words(feed(person, cast).by_id(f"card-{action.pk}"))


def test_a_clock_ticked_by_hand_is_a_line_of_its_own(cast, action):
    clock = clocks.make_clock(cast.gm.member, Draft("The watch wakes", 4), key=uuid4())
    clocks.tick_clock(cast.gm.member, clock, 1, key=uuid4())
    assert "The watch wakes" not in str(feed(cast.gm, cast).by_id(f"card-{action.pk}"))
    assert any("The watch wakes" in str(line) for line in lines(cast.gm, cast))


def test_the_log_has_the_same_card_and_what_is_searched_for_by_itself(cast, action):
    url = reverse("log", args=[cast.campaign.slug])
    assert f"card-{action.pk}" in cast.player.client.get(url).content.decode()
    found = cast.player.client.get(url, {"topic": "roll"}).content.decode()
    assert f"card-{action.pk}" not in found and "Cross" in found


def test_a_step_is_read_once_for_its_line_and_its_card(cast, action):
    told = Event.objects.filter(index__card=action.pk, stream__name=TABLE).with_related().linked()
    step = told.select_related("campaign").order_by("pk").last()
    forget_texts()
    with CaptureQueriesContext(connection) as asked:
        (frame,) = frames_of([step], [Readers(Role.PLAYER, "en-gb")])
    assert "story-head" in frame.texts[Readers(Role.PLAYER, "en-gb")]
    assert sum('FROM "rolls_procedure"' in query["sql"] for query in asked) == 1
