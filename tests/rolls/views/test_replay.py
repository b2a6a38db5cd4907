"""A finished session played again: how it began, what happened, and who may see what of it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Event
from campaigns.models.clocks import ClockVisibility
from campaigns.services import clocks
from campaigns.services import play as sessions
from campaigns.services.clocks import Draft
from campaigns.services.play import add_storyline, resolve_storyline
from rolls.models import Audience
from rolls.queries import sessions as replay
from rolls.services import rolls
from scale.models import Burn
from scale.services import burns
from tests.canaries import canary
from tests.doors import read

pytestmark = pytest.mark.usefixtures("patience")

PLUS_2 = (9, 9, 4, 5, 5)
PLUS_4 = (10, 9, 8, 8, 5)
NOTHING = (5, 5, 5, 5, 5)


def begin(play, title=""):
    return sessions.start_session(play.gm, title, key=uuid4())


def end(play):
    return sessions.end_session(play.gm, key=uuid4())


def address(session, name="replay"):
    return reverse(name, args=[session.campaign.slug, session.number])


def page(client, session):
    return read(client, "replay", session.campaign.slug, session.number)


def moments(client, session):
    """Return all moments of a session, page after page."""
    found, url = [], address(session, "replay_events")
    while url:
        answer = client.get(url)
        assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"
        told = answer.json()
        found += told["moments"]
        url = told["further"]
    return found


def words(found):
    return " ".join(moment["html"] for moment in found)


def scale_on(html):
    return re.search(r'aria-valuenow="(-?\d)"', html)[1]


def test_a_session_is_told_from_its_first_event_to_its_last(cast, play):
    begin(play, "Before")
    sessions.say(play.mo, "Long ago", key=uuid4())
    end(play)
    session = begin(play, "Evening")
    sessions.open_scene(play.gm, "The door", key=uuid4())
    play.roll(*NOTHING)
    end(play)
    sessions.say(play.mo, "Afterwards", key=uuid4())
    found = moments(cast.spectator.client, session)
    assert "Evening" in found[0]["html"] and "End of session 2" in found[-1]["html"]
    assert [moment["scene"] for moment in found if moment["scene"]] == ["Scene 1, The door"]
    assert sum(moment["roll"] for moment in found) == 1
    assert "Long ago" not in words(found) and "Afterwards" not in words(found)


def test_pages_hang_together_and_cost_the_same(cast, play, monkeypatch, django_assert_num_queries):
    session = begin(play)
    for number in range(7):
        sessions.say(play.mo, f"Sentence {number}.", key=uuid4())
    end(play)
    whole = moments(cast.player.client, session)
    monkeypatch.setattr(replay, "PAGE", 2)
    assert moments(cast.player.client, session) == whole
    url = address(session, "replay_events")
    with django_assert_num_queries(6):
        cast.player.client.get(url)
    monkeypatch.setattr(replay, "PAGE", 50)
    with django_assert_num_queries(6):
        cast.player.client.get(url)


def test_each_sees_what_they_saw_then(cast, play):
    session = begin(play)
    sessions.say(play.other, "For all ears", key=uuid4())
    sessions.whisper(play.mo, canary("mo", "whisper"), to=[play.gm], key=uuid4())
    play.roll(*NOTHING, audience=Audience.SELF, note=canary("mo", "note"))
    play.roll(*NOTHING, by=play.gm, audience=Audience.GM, note=canary("gm", "note"))
    clocks.make_clock(play.gm, Draft(canary("gm", "clock"), 4, visibility=ClockVisibility.SECRET), key=uuid4())
    end(play)
    seen = {
        name: words(moments(person.client, session))
        for name, person in cast.everybody.items()
        if person.membership and name != "removed"
    }
    assert all("For all ears" in told for told in seen.values())
    who = {secret: {name for name, told in seen.items() if secret in told} for secret in SECRETS}
    assert who == {
        canary("mo", "whisper"): {"gm", "player"},
        canary("mo", "note"): {"gm", "player"},
        canary("gm", "note"): {"gm"},
        canary("gm", "clock"): {"gm"},
    }


SECRETS = (canary("mo", "whisper"), canary("mo", "note"), canary("gm", "note"), canary("gm", "clock"))


def test_a_place_that_is_hidden_is_not_there(cast, play):
    session = begin(play)
    sessions.whisper(play.mo, "psst", to=[play.gm], key=uuid4())
    end(play)
    whisper = Event.objects.get(campaign=session.campaign, kind="campaigns.said", stream__name=play.mo.stream)
    url = f"{address(session, 'replay_events')}?after="
    assert cast.player.client.get(url + str(whisper.uid)).status_code == 200
    for where in (whisper.uid, uuid4(), "nowhere"):
        assert cast.other_player.client.get(url + str(where)).status_code == 404


def test_what_is_being_played_is_no_replay_yet(cast, play):
    session = begin(play)
    for name in ("replay", "replay_events"):
        assert cast.gm.client.get(address(session, name)).status_code == 404
    listed = reverse("sessions", args=[cast.campaign.slug])
    assert address(session) not in cast.gm.client.get(listed).content.decode()
    end(play)
    assert address(session) in cast.gm.client.get(listed).content.decode()


def test_a_roll_is_not_struck_through_before_it_is_taken_back(cast, play):
    session = begin(play)
    roll = play.roll(*NOTHING)
    rolls.void_roll(play.gm, roll.pk, reason="slipped", key=uuid4())
    end(play)
    made, voided = (
        moment["html"] for moment in moments(cast.player.client, session) if str(roll.event.uid) in moment["html"]
    )
    assert "is-void" not in made
    assert "Voided by Gm: slipped" in voided


def test_it_begins_with_the_scale_and_the_burns_of_that_moment(cast, play):
    first = begin(play)
    play.roll(*PLUS_4)
    burns.bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    end(play)
    second = begin(play)
    burns.spend_banked(play.mo, play.burn(Burn.State.BANKED).pk, key=uuid4())
    play.roll(*PLUS_2)
    end(play)
    assert play.scale.value == 2
    html = page(cast.spectator.client, first)
    assert scale_on(html) == "0" and "Banked Grace" not in html
    html = page(cast.spectator.client, second)
    assert scale_on(html) == "4" and "Banked Grace" in html


def test_it_begins_with_the_clocks_and_storylines_of_that_moment_as_the_viewer_knew_them(cast, play):
    siege = clocks.make_clock(play.gm, Draft("The siege", 4), key=uuid4())
    known = clocks.make_clock(play.gm, Draft("The plot", 6, visibility=ClockVisibility.KNOWN), key=uuid4())
    gone = clocks.make_clock(play.gm, Draft("The flood", 6), key=uuid4())
    debt = add_storyline(play.gm, "A debt", whose=None, gm_notes=canary("gm", "notes"), key=uuid4())
    clocks.make_clock(play.gm, Draft(canary("gm", "clock"), 4, visibility=ClockVisibility.SECRET), key=uuid4())
    clocks.tick_clock(play.gm, siege, 1, key=uuid4())
    clocks.tick_clock(play.gm, known, 2, key=uuid4())
    clocks.archive_clock(play.gm, gone, key=uuid4())
    session = begin(play)
    clocks.tick_clock(play.gm, siege, 2, key=uuid4())
    clocks.make_clock(play.gm, Draft("The storm", 4), key=uuid4())
    resolve_storyline(play.gm, debt, key=uuid4())
    end(play)
    html = page(cast.player.client, session)
    assert "The siege" in html and "1 of 4" in html and "3 of 4" not in html
    assert "The plot" in html and "2 of 6" not in html
    assert "A debt" in html and "The flood" not in html and "The storm" not in html
    html = page(cast.gm.client, session)
    assert "2 of 6" in html and canary("gm", "clock") in html


def test_a_page_of_a_long_campaign_costs_what_that_of_a_new_one_does(cast, play, django_assert_max_num_queries):
    early = begin(play)
    end(play)
    for number in range(3):
        clocks.make_clock(play.gm, Draft(f"Clock {number}", 4), key=uuid4())
        play.roll(*NOTHING)
    late = begin(play)
    end(play)
    client = cast.player.client
    client.get(address(early))
    with django_assert_max_num_queries(20):
        client.get(address(early))
    with django_assert_max_num_queries(20):
        client.get(address(late))


def test_without_scripts_the_page_leads_to_the_log_of_that_session(cast, play):
    session = begin(play)
    sessions.say(play.mo, "Only then", key=uuid4())
    end(play)
    fallback = re.search(r"<noscript>(.*?)</noscript>", page(cast.player.client, session), re.S)[1]
    link = re.search(r'href="([^"]+)"', fallback)[1].replace("&amp;", "&")
    assert "Only then" in cast.player.client.get(link).content.decode()


def test_the_page_of_a_replay_offers_nothing_to_press_of_that_evening(cast, play):
    session = begin(play)
    play.roll(*PLUS_4)
    end(play)
    html = page(cast.gm.client, session)
    # What every page has: the X-card, what ends the pause or hides it, and the search.
    assert re.findall(r'hx-post="/c/\w+/(\w+)/"', html) == ["pause", "resume"]
    assert html.count("hx-post") == 2 and html.count("<form") == 4
