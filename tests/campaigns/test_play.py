"""Game sessions and scenes: one open at a time, told to everybody, held by the GM."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import translation

from campaigns.errors import Blocked
from campaigns.live.render import render_live
from campaigns.models import GameSession, Role, Scene
from campaigns.queries.play import now_at
from campaigns.services import play
from campaigns.services.log import version
from tests.cast import viewer
from tests.doors import send
from tests.news import news


def kinds(campaign):
    return [event.kind.removeprefix("campaigns.") for event in news()]


def seen(title):
    return version({"title": title})


@pytest.fixture
def evening(cast):
    """Session 1 with scene 1, both open."""
    play.start_session(cast.gm.member, "The Long Wake", key=uuid4())
    play.open_scene(cast.gm.member, "the Lantern Room", key=uuid4())
    return cast


def test_sessions_are_numbered_one_after_the_other(cast):
    for title in ("The Long Wake", ""):
        play.start_session(cast.gm.member, title, key=uuid4())
        play.end_session(cast.gm.member, key=uuid4())
    assert [str(s) for s in GameSession.objects.all()] == ["Session 1: The Long Wake", "Session 2"]
    assert all(s.ended_at for s in GameSession.objects.all())


def test_opening_a_scene_closes_the_one_before(evening):
    play.open_scene(evening.gm.member, "the roof", key=uuid4())
    first, second = Scene.objects.all()
    assert first.closed_at and not second.closed_at
    assert (second.number, str(second)) == (2, "Scene 2, the roof")
    assert kinds(evening.campaign) == ["session_started", "scene_opened", "scene_closed", "scene_opened"]


def test_ending_a_session_closes_its_scene(evening):
    play.end_session(evening.gm.member, key=uuid4())
    assert not Scene.objects.filter(closed_at=None).exists()
    assert kinds(evening.campaign)[-2:] == ["scene_closed", "session_ended"]
    assert now_at(viewer(evening.gm)) == {"session": "", "scene": ""}


def test_scenes_are_numbered_anew_in_each_session(evening):
    play.end_session(evening.gm.member, key=uuid4())
    play.start_session(evening.gm.member, key=uuid4())
    assert play.open_scene(evening.gm.member, key=uuid4()).number == 1


@pytest.mark.parametrize("operation", [play.end_session, play.open_scene, play.close_scene])
def test_without_a_session_there_is_nothing_to_end_or_open(cast, operation):
    with pytest.raises(Blocked, match=r"No (session|scene) is in progress\."):
        operation(cast.gm.member, key=uuid4())
    assert not news().exists()


def test_events_lie_in_the_session_and_scene_they_open_and_close(evening):
    play.close_scene(evening.gm.member, key=uuid4())
    play.end_session(evening.gm.member, key=uuid4())
    session, scene = GameSession.objects.get(), Scene.objects.get()
    where = {e.kind.removeprefix("campaigns."): (e.session, e.scene) for e in news()}
    assert where == {
        "session_started": (session, None),
        "scene_opened": (session, scene),
        "scene_closed": (session, scene),
        "session_ended": (session, None),
    }


def test_titles_can_be_changed_later(evening):
    session, scene = GameSession.objects.get(), Scene.objects.get()
    play.title_session(evening.gm.member, session, "Low Tide", expected=seen("The Long Wake"), key=uuid4())
    play.title_scene(evening.gm.member, scene, "", expected=seen("the Lantern Room"), key=uuid4())
    assert now_at(viewer(evening.gm)) == {"session": "Session 1: Low Tide", "scene": "Scene 1"}
    last = news().last()
    assert last.payload["before"] == "the Lantern Room"
    assert last.described["now"] == now_at(viewer(evening.gm))


def test_the_title_of_a_past_session_does_not_move_what_is_open(evening):
    play.end_session(evening.gm.member, key=uuid4())
    past = GameSession.objects.get()
    play.start_session(evening.gm.member, "Now", key=uuid4())
    play.title_session(evening.gm.member, past, "Then", expected=seen("The Long Wake"), key=uuid4())
    assert news().last().described["now"] == {"session": "Session 2: Now", "scene": ""}


def test_an_event_is_described_in_each_language_that_it_is_read_in(evening):
    started = news().first()
    words = []
    for language in ("en-gb", "de", "en-gb"):
        with translation.override(language):
            words.append(started.described["now"]["session"])
    assert words == ["Session 1: The Long Wake", "Sitzung 1: The Long Wake", "Session 1: The Long Wake"]


def test_a_title_that_does_not_change_is_no_news(evening):
    before = news().count()
    play.title_scene(
        evening.gm.member, Scene.objects.get(), "the Lantern Room", expected=seen("the Lantern Room"), key=uuid4()
    )
    assert news().count() == before


def test_what_live_swaps_says_what_the_header_says(evening):
    html = render_live(news().last(), Role.PLAYER)
    assert 'id="session-title" data-none="No session">Session 1: The Long Wake</span>' in html
    assert 'id="scene-title" data-none="No scene">Scene 1, the Lantern Room</span>' in html
    assert "play-controls" not in html
    assert 'id="play-controls"' in render_live(news().last(), Role.GM)


# Over HTTP


def test_the_panel_posts_and_gets_nothing_back_but_done(cast):
    for name in ["session_start", "scene_open", "scene_close", "session_end"]:
        assert send(cast.gm, name, title="Wake", anyway="1").status_code == 204
    assert kinds(cast.campaign) == ["session_started", "scene_opened", "scene_closed", "session_ended"]


def test_a_session_ends_when_the_dialog_has_been_answered(evening):
    asked = send(evening.gm, "session_end")
    assert asked["HX-Retarget"] == "#desk"
    assert "End this session?" in asked.content.decode()
    assert GameSession.objects.get().ended_at is None
    assert send(evening.gm, "session_end", anyway="1").status_code == 204
    assert GameSession.objects.get().ended_at


@pytest.mark.parametrize(
    ("title", "words"), [("x" * 121, "the limit is 120"), ("a\x07b", "can’t be shown"), ("a\nb", "one line")]
)
def test_a_title_that_cannot_be_is_refused_with_a_reason(evening, title, words):
    answer = send(evening.gm, "scene_open", title=title)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Scene.objects.count() == 1


def test_what_must_wait_says_for_what(evening):
    answer = send(evening.gm, "session_start")
    assert answer.status_code == 409
    assert "End it first" in answer.content.decode()


def test_everybody_at_the_table_reads_the_list_of_sessions(evening):
    for who in (evening.gm, evening.player, evening.spectator):
        page = who.client.get(reverse("sessions", args=["ashes"])).content.decode()
        assert "Session 1: The Long Wake" in page
        assert "Scene 1, the Lantern Room" in page
        assert ("/title/" in page) == (who is evening.gm)


def test_a_session_that_is_not_there_is_not_found(evening):
    assert evening.gm.client.get(reverse("session_title", args=["ashes", 9])).status_code == 404
    assert evening.gm.client.get(reverse("scene_title", args=["ashes", 1, 9])).status_code == 404
