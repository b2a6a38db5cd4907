"""Putting an event under another scene: it stays as it was written, and every page by session and scene finds it there."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.errors import Invalid, NotFound
from campaigns.events import EVENT_REFILED
from campaigns.models import Event, GameSession, Membership, Pin, Scene, SceneOverride
from campaigns.queries.export import as_csv
from campaigns.queries.log_lines import faults
from campaigns.queries.search import EVERYTHING, LogFilters, find
from campaigns.services import log_entries as moments
from campaigns.services import play
from campaigns.services.campaigns import create_campaign
from campaigns.services.erasing import erase_words
from campaigns.services.log_entries import refile
from rolls.queries.sessions import missed, told
from tests.answers import queries
from tests.campaigns.log_pages import permalink
from tests.stored import store


@pytest.fixture
def door(cast):
    """Return a scene of the first session, which is over; a second session is open in a scene of its own."""
    play.start_session(cast.gm.member, "First", key=uuid4())
    scene = play.open_scene(cast.gm.member, "Door", key=uuid4())
    play.end_session(cast.gm.member, key=uuid4())
    play.start_session(cast.gm.member, "Second", key=uuid4())
    play.open_scene(cast.gm.member, "Roof", key=uuid4())
    return scene


@pytest.fixture
def roof(door):
    return Scene.objects.exclude(pk=door.pk).get()


@pytest.fixture
def said(cast, roof):
    return play.say(cast.player.member, "Who is there?", key=uuid4())


@pytest.fixture
def elsewhere(cast):
    """Return a scene of another table with the same GM."""
    campaign = create_campaign(cast.gm.user, name="Elsewhere", systems=["forged"], key=uuid4())
    gm = Membership.objects.get(campaign=campaign)
    play.start_session(gm, key=uuid4())
    return play.open_scene(gm, "Elsewhere", key=uuid4())


def viewer(who):
    return viewer_of(who.user, {}, "ashes")


def stands(event, who, **where):
    return event.uid in {one.uid for one in find(viewer(who), LogFilters(**where), None, 50)}


def page(who, event):
    return who.client.get(permalink(event)).content.decode()


@pytest.mark.parametrize("by", ["player", "gm"])
def test_it_is_found_where_it_was_put_and_not_where_it_was_written(cast, said, door, roof, by):
    refile(getattr(cast, by).member, said.uid, door, key=uuid4())
    for scene, there in ((door, True), (roof, False)):
        for order in (True, False):
            assert stands(said, cast.spectator, scene=scene.pk, oldest_first=order) is there
            assert stands(said, cast.spectator, session=scene.session_id, oldest_first=order) is there
        assert stands(said, cast.spectator, scene=scene.pk, words="who") is there
        assert stands(said, cast.spectator, session=scene.session_id, topic="talk") is there


def test_what_was_written_is_not_touched_and_the_chain_holds(cast, said, door, roof):
    refile(cast.gm.member, said.uid, door, key=uuid4())
    after = Event.objects.get(pk=said.pk)
    assert (after.session_id, after.scene_id, after.hash) == (roof.session_id, roof.pk, said.hash)
    assert list(faults(cast.campaign)) == []


def test_the_line_says_where_it_is_and_was_with_who_and_why(cast, said, door):
    refile(cast.gm.member, said.uid, door, reason="a <slip>", key=uuid4())
    html = " ".join(page(cast.spectator, said).split())
    assert (
        f"{cast.gm.member.name} moved this from Session 2: Second · Scene 1, Roof to Session 1: First · Scene 1, Door. "
        "a &lt;slip&gt;" in html
    )
    assert "</time> · Session 1: First · Scene 1, Door </p>" in html


def test_it_goes_back_by_being_put_back(cast, said, door, roof):
    for scene, back in ((door, roof), (door, None)):
        refile(cast.player.member, said.uid, scene, key=uuid4())
        refile(cast.gm.member, said.uid, back, key=uuid4())
        assert stands(said, cast.spectator, scene=roof.pk) and not stands(said, cast.spectator, scene=door.pk)
        assert not SceneOverride.objects.exists()
    assert Event.objects.filter(kind=EVENT_REFILED, parent=said).count() == 4
    assert f"from {door.session} · {door} to" in page(cast.spectator, said)


def test_a_scene_of_the_same_session_will_do_as_well(cast, said, roof):
    street = play.open_scene(cast.gm.member, "Street", key=uuid4())
    refile(cast.gm.member, said.uid, street, key=uuid4())
    assert stands(said, cast.player, session=roof.session_id) and stands(said, cast.player, scene=street.pk)
    assert not stands(said, cast.player, scene=roof.pk)


def test_what_was_said_before_the_first_session_can_be_put_into_it(cast):
    early = play.say(cast.player.member, "Shall we?", key=uuid4())
    play.start_session(cast.gm.member, key=uuid4())
    scene = play.open_scene(cast.gm.member, key=uuid4())
    refile(cast.gm.member, early.uid, scene, key=uuid4())
    assert stands(early, cast.player, session=scene.session_id, oldest_first=True)
    refile(cast.gm.member, early.uid, None, key=uuid4())
    assert not stands(early, cast.player, session=scene.session_id)
    assert "from Session 1 · Scene 1 to" in page(cast.player, early)


def test_it_cannot_be_put_where_it_stands(cast, said, door, roof):
    for scene in (roof, None):
        with pytest.raises(Invalid):
            refile(cast.gm.member, said.uid, scene, key=uuid4())
    refile(cast.gm.member, said.uid, door, key=uuid4())
    with pytest.raises(Invalid):
        refile(cast.gm.member, said.uid, door, key=uuid4())


def test_only_a_gm_moves_what_is_not_their_own_words(cast, said, door):
    narrated = play.narrate(cast.gm.member, "It rains.", key=uuid4())
    for by, event in ((cast.other_player, said), (cast.player, narrated)):
        with pytest.raises(NotFound):
            refile(by.member, event.uid, door, key=uuid4())
        assert by.client.get(reverse("log_refile", args=["ashes", event.uid])).status_code == 404
        assert "Move to another scene" not in page(by, event)
    refile(cast.gm.member, narrated.uid, door, key=uuid4())
    assert stands(narrated, cast.player, scene=door.pk)


def test_what_makes_the_order_itself_stays_where_it_is(cast, said, door):
    moved = refile(cast.gm.member, said.uid, door, key=uuid4())
    opened = Event.objects.filter(kind="campaigns.scene_opened").first()
    for event in (moved, opened):
        with pytest.raises(NotFound):
            refile(cast.gm.member, event.uid, door, key=uuid4())


def test_nothing_goes_under_a_scene_of_another_table(cast, said, elsewhere):
    with pytest.raises(NotFound):
        refile(cast.gm.member, said.uid, elsewhere, key=uuid4())
    url = reverse("log_refile", args=["ashes", said.uid])
    answer = cast.gm.client.post(url, {"key": uuid4(), "scene": elsewhere.pk})
    assert answer.status_code == 422 and "Elsewhere" not in answer.content.decode()


def test_a_whisper_is_moved_for_those_who_heard_it_alone(cast, door):
    heard = play.whisper(cast.player.member, "psst", to=[cast.other_player.member], key=uuid4())
    refile(cast.player.member, heard.uid, door, reason="quietly", key=uuid4())
    for who, hears in ((cast.gm, True), (cast.player, True), (cast.other_player, True), (cast.spectator, False)):
        assert stands(heard, who, scene=door.pk) is hears
        told = [event for event in find(viewer(who), EVERYTHING, None, 50) if event.kind == EVENT_REFILED]
        assert len(told) == hears
    assert "quietly" in page(cast.other_player, heard)
    assert "quietly" not in cast.spectator.client.get(reverse("log", args=["ashes"])).content.decode()


def test_the_form_offers_scenes_and_the_way_back(cast, said, door, roof):
    url = reverse("log_refile", args=["ashes", said.uid])
    assert url in page(cast.player, said)
    form = cast.player.client.get(url).content.decode()
    assert (
        "Scene 1, Door" in form and f'value="{roof.pk}" selected' in form and "Back to its original place" not in form
    )
    assert cast.player.client.post(url, {"key": uuid4(), "scene": roof.pk}).status_code == 422
    assert cast.player.client.post(url, {"key": uuid4(), "scene": door.pk, "reason": "so"}).status_code == 302
    assert (
        "Back to its original place: Session 2: Second · Scene 1, Roof" in cast.player.client.get(url).content.decode()
    )
    assert cast.player.client.post(url, {"key": uuid4(), "scene": "back"}).status_code == 302
    assert not SceneOverride.objects.exists()


def test_without_a_scene_there_is_nothing_to_choose(cast):
    event = play.say(cast.player.member, "Hullo", key=uuid4())
    html = cast.player.client.get(reverse("log_refile", args=["ashes", event.uid])).content.decode()
    assert "No session has a scene yet." in html and "<select" not in html


def test_a_pinned_moment_goes_with_it_to_the_page_of_the_other_session(cast, said, door, roof):
    moments.pin(cast.gm.member, said.uid, key=uuid4())
    refile(cast.gm.member, said.uid, door, key=uuid4())
    assert Pin.objects.get().session == door.session
    first, second = (told(viewer(cast.spectator), scene.session) for scene in (door, roof))
    assert [event.uid for event in first.quotes] == [said.uid] and not second.quotes
    assert cast.player.member in first.who and cast.player.member not in second.who


def test_what_one_missed_counts_where_it_stands(cast, said, door, roof):
    store(cast.other_player.member, last_visit=said.at)
    later = play.say(cast.player.member, "later", key=uuid4())
    refile(cast.gm.member, later.uid, door, key=uuid4())
    assert missed(viewer(cast.other_player), GameSession.objects.get(pk=door.session_id)) == 1


def test_a_table_to_take_away_has_it_under_the_scene_where_it_stands(cast, said, door):
    refile(cast.gm.member, said.uid, door, key=uuid4())
    row = next(line for line in as_csv(viewer(cast.player), EVERYTHING) if "Who is there?" in line)
    assert '"Session 1: First","Scene 1, Door"' in row


def test_why_is_erased_with_the_other_words_of_whoever_gave_it(cast, said, door):
    refile(cast.player.member, said.uid, door, reason="my own slip", key=uuid4())
    erase_words(cast.player.member, cast.player.member, key=uuid4())
    html = page(cast.gm, said)
    assert "my own slip" not in html and f"{cast.player.member.name} moved this from" in html


def test_a_page_of_a_session_costs_the_same_however_much_was_moved(cast, said, door):
    url = f"{reverse('log', args=['ashes'])}?session={door.session_id}"
    refile(cast.gm.member, said.uid, door, key=uuid4())
    cast.gm.client.get(url)  # the first look is written down
    few = queries(cast.gm.client, url)
    for _ in range(4):
        refile(cast.gm.member, play.say(cast.player.member, "more", key=uuid4()).uid, door, key=uuid4())
    assert queries(cast.gm.client, url) == few
