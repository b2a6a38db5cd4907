"""The first page: one's own campaigns, and what one may know of them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import GameSession, Role, SessionDate
from campaigns.models.members import GM
from campaigns.services import campaigns as services
from campaigns.services import play
from campaigns.services.dates import propose_dates
from campaigns.services.log import happening_at
from campaigns.services.play import add_storyline
from characters.services.cards import Card, make_character
from tests.answers import queries, same_page
from tests.news import news
from tests.presence import arrive

pytestmark = pytest.mark.django_db


def home(person):
    return person.client.get(reverse("home"))


def test_the_first_page_lists_my_campaigns_with_my_role(cast):
    services.create_campaign(cast.player.user, name="Harrow", systems=["storyteller"], key=uuid4())
    cards = home(cast.player).context["cards"]
    assert {(card.campaign.name, card.role.label) for card in cards} == {("Ashes", "Player"), ("Harrow", "GM")}


def test_whoever_sits_nowhere_is_told_what_to_do(cast):
    for who in (cast.outsider, cast.removed):
        page = home(who).content.decode()
        assert "Join a campaign" in page and reverse("campaign_new") in page
        assert "Ashes" not in page


def test_archived_campaigns_stand_apart(cast):
    services.archive_campaign(cast.gm.member, key=uuid4())
    context = home(cast.player).context
    assert not context["cards"]
    assert [card.campaign.name for card in context["archived"]] == ["Ashes"]


def test_last_activity_is_what_the_reader_may_see_of_it(cast):
    then, later = timezone.now() + timedelta(days=1), timezone.now() + timedelta(days=2)
    before = home(cast.player).context["cards"][0].active_at
    with happening_at(later):
        services.start_watching(cast.gm.member, key=uuid4())
    assert home(cast.player).context["cards"][0].active_at == before
    assert home(cast.gm).context["cards"][0].active_at == later
    with happening_at(then):
        add_storyline(cast.gm.member, "Silas owes", key=uuid4())
    assert home(cast.player).context["cards"][0].active_at == then


def test_a_gm_only_operation_leaves_the_first_page_of_a_player_as_it_was(cast):
    before = home(cast.player)
    services.start_watching(cast.gm.member, key=uuid4())
    assert news().get().stream.name == GM
    assert same_page(home(cast.player), before)


def test_whoever_watches_whether_the_site_is_up_may_ask_for_the_head_alone(client, cast):
    assert client.head(reverse("home")).status_code == 200
    assert cast.player.client.head(reverse("home")).status_code == 200


# A card of each campaign


def plan(cast, ahead):
    at = timezone.now().replace(microsecond=0) + ahead
    propose_dates(cast.gm.member, [at], zone="UTC", at_once=True, key=uuid4())
    return at


def card_of(person):
    (card,) = home(person).context["cards"]
    return card


def write_recap(gm, number, words, *, publish):
    session = GameSession.objects.get(campaign=gm.campaign, number=number)
    seen = play.recap_version(play.recap_of(session))
    play.write_recap(gm, session, words, publish=publish, expected=seen, key=uuid4())


def test_a_card_tells_who_is_played_there_and_not_whom_the_gm_keeps(cast):
    make_character(cast.player.member, Card("Silas", "", cast.player.member), key=uuid4())
    make_character(cast.gm.member, Card("Orsolya", "", None, shown=False), key=uuid4())
    assert [face["name"] for face in card_of(cast.spectator).faces] == ["Silas"]
    assert "Orsolya" not in home(cast.gm).content.decode()


def test_it_is_live_while_a_session_is_open_and_not_because_somebody_has_the_table_open(cast):
    plan(cast, timedelta(days=7))
    arrive(cast.campaign.pk, cast.gm.member.pk)
    page = home(cast.player).content.decode()
    assert "1 at the table" in page and "Next session" in page
    assert "Live now" not in page and "Join the table" not in page
    play.start_session(cast.gm.member, "The door", key=uuid4())
    page = home(cast.player).content.decode()
    assert "Live now" in page and "Session 1: The door" in page and "Next session" in page


def test_a_session_that_began_early_is_the_one_that_was_planned(cast):
    plan(cast, timedelta(hours=1))
    sessions = reverse("sessions", args=["ashes"])
    for page in (home(cast.player), cast.player.client.get(sessions)):
        assert "Next session" in page.content.decode()
    play.start_session(cast.gm.member, key=uuid4())
    for page in (home(cast.player), cast.player.client.get(sessions)):
        assert "Next session" not in page.content.decode()


def test_the_last_recap_is_one_that_all_may_read(cast):
    for number, publish in ((1, True), (2, False)):
        play.start_session(cast.gm.member, key=uuid4())
        play.end_session(cast.gm.member, key=uuid4())
        write_recap(cast.gm.member, number, f"They *found* door {number}.", publish=publish)
    for person in (cast.player, cast.gm):
        page = home(person).content.decode()
        assert "They found door 1." in page and "door 2" not in page
        assert reverse("session", args=["ashes", 1]) in page


def test_the_next_session_is_told_in_the_readers_time_until_it_is_past(cast):
    at = plan(cast, timedelta(days=3))
    cast.player.user.time_zone = "Asia/Tokyo"
    cast.player.user.save()
    there = (at + timedelta(hours=9)).strftime("%Y-%m-%dT%H:%M:%S+09:00")
    assert f'Next session <time datetime="{there}">' in home(cast.player).content.decode()
    SessionDate.objects.update(at=timezone.now() - timedelta(hours=1))
    assert "Next session" not in home(cast.player).content.decode()


def test_many_campaigns_take_as_many_queries_as_one(cast):
    make_character(cast.player.member, Card("Silas", "", cast.player.member), key=uuid4())
    few = queries(cast.player.client, reverse("home"))
    for number in range(3):
        gm = cast.outsider
        made = services.create_campaign(gm.user, name=f"Harrow {number}", systems=["storyteller"], key=uuid4())
        gm.membership = made.memberships.select_related("campaign", "user").get()
        member = cast.player.join(gm.member, Role.PLAYER)
        make_character(member, Card("Corvina", "", member), key=uuid4())
        play.start_session(gm.member, key=uuid4())
    assert queries(cast.player.client, reverse("home")) == few


# Readers who are not signed in


def test_a_stranger_reads_what_this_is_and_finds_three_ways_on(client, cast, settings):
    services.create_campaign(cast.gm.user, name="Harrow", systems=["storyteller"], key=uuid4())
    page = client.get(reverse("home")).content.decode()
    assert reverse("account_signup") in page and "Run your own" in page and "Ashes" not in page
    assert page.count("<picture>") == 1 and "front-light" in page and 'alt="A table in play.' in page
    assert 'property="og:image"' in page
    settings.SIGNUP = "invite"
    page = client.get(reverse("home")).content.decode()
    assert reverse("account_signup") not in page and "You need an invitation" in page
