"""The first page: one's own campaigns, and what one may know of them."""

from datetime import timedelta
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.clocks import ClockKind
from campaigns.models import Answer, GameSession, Role, SessionDate, Viewer
from campaigns.models.clocks import ClockVisibility
from campaigns.models.members import GM
from campaigns.services import campaigns as services
from campaigns.services import play
from campaigns.services.clocks import Draft, make_clock
from campaigns.services.dates import answer_date, propose_dates
from campaigns.services.log import happening_at
from campaigns.services.play import add_storyline
from characters.services.cards import Card, make_character
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn
from tests.answers import queries, same_page
from tests.news import news
from tests.presence import arrive
from tests.stored import store
from world.models import PageKind
from world.services import PageDraft, make_page, page_version, write_page


def home(person):
    return person.client.get(reverse("home"))


def test_the_first_page_lists_my_campaigns_with_my_role(cast):
    services.create_campaign(cast.player.user, name="Harrow", systems=["storyteller"], key=uuid4())
    cards = home(cast.player).context["cards"]
    assert {(card.campaign.name, card.viewer.role.label) for card in cards} == {("Ashes", "Player"), ("Harrow", "GM")}


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
    store(cast.player.user, time_zone="Asia/Tokyo")
    there = at + timedelta(hours=9)
    page = " ".join(home(cast.player).content.decode().split())
    assert f"{there:%A} {there.day} {there:%B}, {there:%H:%M}" in page and "your time, Tokyo" in page
    SessionDate.objects.update(at=timezone.now() - timedelta(hours=1))
    assert "No date yet" in home(cast.player).content.decode()


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


# The card that leads, and what others did


def away(person, days):
    store(person.membership, here_at=timezone.now() - timedelta(days=days))


def told(person):
    """Return what a person is told, but for who joined."""
    news = ((one.words, one.quote) for one in home(person).context["news"])
    return [one for one in news if "joined" not in one[0]]


def test_the_table_that_plays_leads_then_the_one_that_meets_next(cast):
    names = ["Harrow", "Signal"]
    gms = []
    for name in names:
        made = services.create_campaign(cast.player.user, name=name, systems=["storyteller"], key=uuid4())
        gms.append(made.memberships.select_related("campaign", "user").get())
    plan(cast, timedelta(days=3))
    assert home(cast.player).context["lead"].campaign == cast.campaign
    propose_dates(gms[0], [timezone.now() + timedelta(days=2)], zone="UTC", at_once=True, key=uuid4())
    assert home(cast.player).context["lead"].campaign.name == "Harrow"
    play.start_session(gms[1], key=uuid4())
    assert home(cast.player).context["lead"].campaign.name == "Signal"


def test_its_date_is_answered_there_and_not_asked_for_once_more(cast):
    plan(cast, timedelta(days=3))
    date = SessionDate.objects.get()
    page = home(cast.player).content.decode()
    assert f"shown={date.pk}" in page and "Can you come?" in page
    waiting = cast.player.client.get(reverse("home_waiting"), {"shown": date.pk})
    assert "Can you come?" not in waiting.content.decode()
    for by, answer in ((cast.player, "yes"), (cast.gm, "maybe")):
        answer_date(by.member, date, Answer(answer), key=uuid4())
    context = home(cast.player).context
    assert context["answers"]["mine"] == "yes"
    assert [(member.name, answer) for member, answer, _ in context["answers"]["given"]] == [
        ("Mo", "yes"),
        ("Gm", "maybe"),
    ]
    assert "Can you come?" not in home(cast.player).content.decode()
    assert reverse("date_answer", args=["ashes", date.pk]) not in home(cast.spectator).content.decode()


def test_a_gm_without_a_date_is_offered_to_propose_some(cast):
    assert "Propose dates" in home(cast.gm).content.decode()
    for person in (cast.player, cast.spectator):
        page = home(person).content.decode()
        assert "No date yet" in page and "Propose dates" not in page


def test_what_others_did_since_the_last_visit_is_told_until_it_is_marked_as_read(cast):
    away(cast.player, days=3)
    page = make_page(cast.other_player.member, "The Gull", PageKind.PLACE, key=uuid4())
    viewer = Viewer(cast.campaign, cast.other_player.member, Role.PLAYER)
    draft = PageDraft("The Gull", PageKind.PLACE, note="It *was* [[a ship|once a ship]].")
    write_page(cast.other_player.member, page, draft, expected=page_version(page, viewer), key=uuid4())
    play.say(cast.other_player.member, "I will be late.", key=uuid4())
    play.say(cast.player.member, "So will I.", key=uuid4())
    assert told(cast.player) == [
        ("Other Player", "I will be late."),
        ("Other Player wrote on the page of “The Gull”.", "It was once a ship."),
        ("Other Player made a page about “The Gull”.", ""),
    ]
    shown = home(cast.player)
    assert [one.url for one in shown.context["news"]][1:3] == [page.url] * 2
    assert f"Since {timezone.now() - timedelta(days=3):%A}" in shown.content.decode()
    cast.player.client.post(reverse("home_seen"), {"key": uuid4()})
    assert told(cast.player) == []
    assert cast.other_player.client.post(reverse("home_seen")).status_code == 422


def test_nothing_is_told_that_the_reader_may_not_know(cast):
    orsolya = make_character(cast.gm.member, Card("Orsolya", "", None, shown=False), key=uuid4())
    for person in (cast.player, cast.spectator, cast.other_player):
        away(person, days=2)
    make_page(cast.gm.member, "The canary", PageKind.THING, shown=False, key=uuid4())
    play.whisper(cast.gm.member, "canary", to=[cast.other_player.member], key=uuid4())
    make_clock(cast.gm.member, Draft("Canary", 4, ClockKind.DANGER, ClockVisibility.SECRET), key=uuid4())
    make_roll(cast.gm.member, StorytellerInput(character=orsolya.pk, dice=3), audience=Audience.GM, key=uuid4())
    for person in (cast.player, cast.spectator):
        assert told(person) == []
        page = home(person).content.decode()
        assert "anary" not in page and "Orsolya" not in page
    assert [quote for _, quote in told(cast.other_player)] == ["canary"]


def test_an_offered_burn_is_taken_from_the_first_page(play):  # the fixture
    play.roll(8, 9, 10)
    offer = play.burn(Burn.State.OFFERED)
    take = reverse("burn_take", args=[play.campaign.slug, offer.pk])

    def waits(member):
        client = Client()
        client.force_login(member.user)
        return client, client.get(reverse("home_waiting")).content.decode()

    client, page = waits(play.mo)
    assert take in page and reverse("burn_bank", args=[play.campaign.slug, offer.pk]) in page
    assert all(take not in waits(other)[1] for other in (play.other, play.gm))
    assert client.post(take, {"key": uuid4()}, headers={"HX-Request": "true"}).status_code == 204
    page = waits(play.mo)[1]
    assert take not in page and f'href="{play.campaign.url}#offer-{offer.pk}"' in page


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
