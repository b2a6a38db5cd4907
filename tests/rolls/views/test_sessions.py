"""The page of a session and its recap, as each may see them."""

from datetime import timedelta
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone

from campaigns.clocks import ClockKind
from campaigns.models import Clock, Membership
from campaigns.models.clocks import ClockVisibility
from campaigns.services import clocks
from campaigns.services import log_entries as moments
from campaigns.services import play as sessions
from campaigns.services.clocks import Draft
from characters.services import cards
from characters.services.cards import Card, make_character
from rolls.models import Audience, Procedure
from tests.answers import queries
from tests.characters.operations import portrait_of
from tests.dom import parse
from tests.doors import read

PLUS_4 = (10, 9, 8, 8, 5)
MAJOR = (*PLUS_4, 1, 2)


def page(cast, who, name="session"):
    return read(getattr(cast, who).client, name, cast.campaign.slug, 1)


def test_who_played_is_shown_by_their_character_s_portrait_or_an_initial(play, cast, session):
    play.roll(*PLUS_4)
    silas = cards.set_portrait(play.gm, play.silas, portrait_of("navy"), key=uuid4())
    faces = next(
        node for node in parse(page(cast, "spectator")).walk() if "cover-faces" in (node.attrs.get("class") or "")
    )
    drawn = [node for node in faces.walk() if node.tag == "img" or "avatar" in (node.attrs.get("class") or "")]
    shown = [node.attrs.get("src") or node.children for node in drawn]
    assert shown == [["G"], reverse("portrait_icon", args=[cast.campaign.slug, silas.pk, silas.picture])]


def test_a_session_that_is_not_there_is_not_found(cast, session):
    for name in ("session", "recap"):
        assert cast.gm.client.get(reverse(name, args=[cast.campaign.slug, 2])).status_code == 404


def test_a_burn_on_the_line_leads_to_the_roll(cast, play, session):
    roll = play.roll(*PLUS_4)
    told = page(cast, "spectator")
    assert f"{reverse('log_event', args=[cast.campaign.slug, roll.event.uid])}#event-{roll.event.uid}" in told
    assert "Silas Grey: a Burn offered" in told


def test_a_roll_that_few_saw_leads_to_what_all_were_told(cast, play, session):
    roll = play.roll(*PLUS_4, audience=Audience.SELF, note="xylophone")
    told = page(cast, "other_player")
    assert "Silas Grey: a Burn offered" in told
    assert str(roll.event.uid) not in told and "xylophone" not in told


def test_clocks_that_filled_are_named_to_those_who_know_them(cast, play, session):
    for name, visibility in (("Dawn", ClockVisibility.VISIBLE), ("Xylophone", ClockVisibility.SECRET)):
        clock = clocks.make_clock(play.gm, Draft(name, 4, ClockKind.DANGER, visibility), key=uuid4())
        clocks.tick_clock(play.gm, clock, 4, reason="", key=uuid4())
    assert "Dawn" in page(cast, "player") and "Xylophone" in page(cast, "gm")
    assert "Xylophone" not in page(cast, "player")


def test_a_clock_that_was_pulled_back_did_not_fill(cast, play, session):
    clock = clocks.make_clock(play.gm, Draft("Dawn", 4), key=uuid4())
    clocks.tick_clock(play.gm, clock, 4, reason="", key=uuid4())
    clocks.tick_clock(play.gm, Clock.objects.get(), -1, reason="", key=uuid4())
    assert "Filled clocks" not in page(cast, "player")


def test_a_pinned_whisper_stands_there_for_those_who_heard_it(cast, play, session):
    event = sessions.whisper(play.mo, "xylophone", to=[play.gm], key=uuid4())
    moments.pin(play.mo, event.uid, key=uuid4())
    assert "xylophone" in page(cast, "player") and "xylophone" in page(cast, "gm")
    for who in ("other_player", "spectator"):
        assert "xylophone" not in page(cast, who) and str(event.uid) not in page(cast, who)


def test_only_whoever_acted_was_there_as_far_as_one_may_know(cast, play, session):
    sessions.whisper(play.mo, "psst", to=[play.gm], key=uuid4())
    assert f"who={play.mo.pk}" in page(cast, "gm")
    assert f"who={play.mo.pk}" not in page(cast, "other_player")
    sessions.say(play.mo, "Hello", key=uuid4())
    assert f"who={play.mo.pk}" in page(cast, "other_player")


def test_who_was_away_is_told_how_much_they_missed(cast, play, session):
    before = timezone.now() - timedelta(days=1)
    Membership.objects.filter(pk=play.other.pk).update(last_visit=before, here_at=timezone.now())
    sessions.say(play.mo, "Hello", key=uuid4())
    told = page(cast, "other_player")
    assert "You weren’t in this session." in told and "3 new events in it" in told
    assert "What you missed" not in page(cast, "spectator")


def test_the_draft_is_made_of_what_everybody_saw(cast, play, session):
    play.roll(*PLUS_4, audience=Audience.SELF, note="xylophone")
    hello = sessions.say(play.mo, "I *know* you", key=uuid4())
    psst = sessions.whisper(play.mo, "xylophone", to=[play.gm], key=uuid4())
    for event in (hello, psst):
        moments.pin(play.mo, event.uid, key=uuid4())
    draft = page(cast, "gm", "recap")
    assert "**Scene 1, The door**" in draft and "I *know* you" in draft
    assert "Biggest swings: Silas Grey +4" in draft
    assert "xylophone" not in draft


def test_the_draft_names_who_played_without_the_gm(cast, play, session):
    assert "*No one played.*" in page(cast, "gm", "recap")
    play.roll(*PLUS_4)
    sessions.say(play.other, "Hello", key=uuid4())
    assert f"*{play.mo.name} and {play.other.name} played.*" in page(cast, "gm", "recap")


def test_major_burns_stand_in_the_draft_by_name(cast, play, session):
    play.roll(*PLUS_4)
    play.roll(*MAJOR, dice=5)
    assert "Silas Grey: a Major Burn at +8" in page(cast, "gm", "recap")


def post(cast, words, seen, **how):
    address = reverse("recap", args=[cast.campaign.slug, 1])
    return cast.gm.client.post(address, {"draft": words, "expected": seen, "key": uuid4(), **how})


def version(cast):
    return cast.gm.client.get(reverse("recap", args=[cast.campaign.slug, 1])).context["form"]["expected"].value()


def test_a_draft_is_not_shown_until_it_is_published(cast, session):
    assert post(cast, "The *xylophone*", version(cast)).status_code == 302
    assert "xylophone" not in page(cast, "player")
    assert post(cast, "The *xylophone*", version(cast), publish="1").status_code == 302
    assert "The <em>xylophone</em>" in page(cast, "player")


def test_the_number_of_queries_does_not_depend_on_how_much_happened(cast, play, session):
    def asked():
        return queries(cast.player.client, reverse("session", args=[cast.campaign.slug, 1]))

    def happen():
        event = sessions.say(play.mo, "Hello", key=uuid4())
        moments.pin(play.mo, event.uid, key=uuid4())
        play.roll(9, 8, 5, 3, 4)

    happen()
    asked()
    first = asked()
    for _ in range(3):
        happen()
    assert asked() == first


def test_experience_is_claimed_and_settled_from_the_last_session_by_those_who_may(cast, play, session):
    make_character(play.mo, Card("Cross", "", play.mo), system="forged", key=uuid4())
    assert "Settle: Experience" not in page(cast, "player")
    sessions.end_session(play.gm, key=uuid4())
    opens = reverse("procedure_open", args=["ashes", "forged", "experience"])
    assert [opens in page(cast, who) for who in ("gm", "player", "spectator")] == [True, False, False]
    assert ["Claim for Cross" in page(cast, who) for who in ("gm", "player", "other_player")] == [False, True, False]
    pressed = cast.gm.client.post(opens, {"key": uuid4(), "client_seed": "0" * 32})
    assert pressed.status_code == 302 and Procedure.objects.get(kind="experience").closed_at is None
    for who, shown in (("gm", True), ("player", True), ("spectator", False)):
        now = " ".join(page(cast, who).split())
        assert opens not in now and ("Experience: in progress" in now) is shown


def test_the_end_of_a_session_leads_to_its_page_and_that_to_what_comes_after(cast, play, session):
    sessions.end_session(play.gm, key=uuid4())
    table = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    url = reverse("session", args=[cast.campaign.slug, 1])
    assert (
        f'data-more="See how it ended"\n   href="{url}">End of session 1<span class="visually-hidden">: </span><b>First</b></a>'
        in table
    )
    awards, dates = (reverse(name, args=[cast.campaign.slug]) for name in ("awards", "dates"))
    assert all(f'href="{place}"' in page(cast, "gm") for place in (awards, dates))
    assert f'href="{awards}"' not in page(cast, "player") and f'href="{dates}"' in page(cast, "player")
