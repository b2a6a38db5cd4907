"""What a GM finds at a new table: what there is to do before the first session."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.live.render import render_live
from campaigns.models import Event, Membership, Role
from campaigns.services import play
from campaigns.services.campaigns import create_campaign
from characters.services.cards import Card, make_character
from tests.cast import Person

URL = "/c/embers/"


@pytest.fixture
def founder(cast) -> Person:
    create_campaign(cast.outsider.user, name="Embers", systems=["storyteller"], key=uuid4())
    cast.outsider.membership = Membership.objects.get(campaign__slug="embers")
    return cast.outsider


def done(person: Person) -> dict[str, bool] | None:
    context = person.client.get(URL).context
    return context["checklist"]


def test_what_is_done_is_ticked_and_it_goes_for_good_when_all_of_it_is(cast, founder):
    assert done(founder) == {"people": False, "characters": False, "session": False}
    cast.player.join(founder.member, Role.PLAYER)
    assert done(founder) == {"people": True, "characters": False, "session": False}
    make_character(founder.member, Card("Silas", "", None), key=uuid4())
    assert done(founder) == {"people": True, "characters": True, "session": False}
    html = founder.client.get(URL).content.decode()
    for name in ("invitations", "character_new", "session_start"):
        assert reverse(name, args=["embers"]) in html.partition('id="checklist"')[2].partition("</section>")[0]
    play.start_session(founder.member, key=uuid4())
    play.end_session(founder.member, key=uuid4())
    assert done(founder) is None


def test_it_stays_when_the_first_session_starts_before_anyone_is_invited(founder):
    play.start_session(founder.member, key=uuid4())
    assert done(founder) == {"people": False, "characters": False, "session": True}
    play.end_session(founder.member, key=uuid4())
    play.start_session(founder.member, key=uuid4())
    assert done(founder) is None, "nobody is reminded for ever"


def test_an_open_page_is_told_what_is_done_and_nobody_but_gms_is(cast, founder):
    cast.player.join(founder.member, Role.PLAYER)
    make_character(founder.member, Card("Silas", "", None, shown=False), key=uuid4())
    play.start_session(founder.member, key=uuid4())
    events = Event.objects.filter(campaign__slug="embers").with_related().select_related("campaign").order_by("pk")
    told = "".join(render_live(event, Role.GM) for event in events)
    for part in ('id="todo-people"', 'id="todo-characters"', 'id="todo-session"'):
        assert part in told
    assert not any("todo-" in render_live(event, Role.PLAYER) for event in events)


def test_neither_players_nor_a_gm_who_sees_it_as_one_find_it(cast, founder):
    cast.player.join(founder.member, Role.PLAYER)
    assert done(cast.player) is None
    founder.client.post(reverse("see_as", args=["embers"]), {"as": "player"})
    assert done(founder) is None
