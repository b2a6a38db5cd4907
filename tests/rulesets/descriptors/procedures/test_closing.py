"""Before a scene is closed, what would vanish with it is listed, and everybody may pay for it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Conflict
from campaigns.live.campaign_feed import Readers, frames_of
from campaigns.models import Role, Scene
from campaigns.queries.play import ClosingAction, closing, endings, listed
from campaigns.services.play import keep_open, open_scene
from rolls.models import Audience, Procedure
from rolls.services.requests import Call, ask_for_roll, close_request
from rolls.services.rolls import make_roll
from rulesets.descriptors.terms import DescriptorsInput
from rulesets.storyteller.terms import StorytellerInput
from tests.dom import parse
from tests.rulesets.descriptors.procedures.contests import begin, rolled

pytestmark = pytest.mark.usefixtures("scene")
PLAYERS = Readers(Role.PLAYER, "en-gb")
WAYS = {"scene_close": {}, "scene_open": {"title": "The cellar"}, "session_end": {}}
PLACES = {"scene_open": "#desk-ask"}


@pytest.fixture
def tied(table):
    return table.begin(table.gm, "scene_descriptor", name="Tied up", dice=3)


def post(cast, name, **values):
    url = reverse(name, args=[cast.campaign.slug])
    return cast.gm.client.post(url, {"key": str(uuid4())} | values, headers={"HX-Request": "true"})


def is_open(table):
    return Scene.objects.filter(session__campaign=table.campaign, closed_at=None, title="Roof").exists()


@pytest.mark.parametrize("way", WAYS)
def test_a_gm_is_shown_what_vanishes_and_closes_with_one_press_more(cast, table, tied, way):
    answer = post(cast, way, **WAYS[way])
    html = answer.content.decode()
    assert (answer.status_code, answer["HX-Retarget"], is_open(table)) == (200, PLACES.get(way, "#desk"), True)
    assert "“Tied up” 3D" in html
    assert f"/procedures/{tied.pk}/" in html
    assert post(cast, way, anyway="1", **WAYS[way]).status_code == 204
    assert (is_open(table), table.there()) == (False, [])
    assert closing(table.viewer(table.gm)) is None


@pytest.mark.parametrize("way", [way for way in WAYS if way != "session_end"])
def test_nothing_is_asked_where_nothing_vanishes(cast, table, way):
    assert post(cast, way, **WAYS[way]).status_code == 204
    assert not is_open(table)


def test_players_see_that_the_scene_is_about_to_close_and_may_pay(cast, table, tied):
    page = reverse("table", args=[table.campaign.slug])
    assert "about to end" not in cast.player.client.get(page).content.decode()
    post(cast, "scene_close")
    for person, pays in ((cast.player, True), (cast.spectator, False)):
        for url in (page, reverse("scene_closing", args=[table.campaign.slug])):
            html = person.client.get(url).content.decode()
            assert "The scene is about to end." in html
            assert (f'id="closing-{tied.pk}-stick"' in html) is pays
    table.do(table.other, tied, "stick", to=table.abigail.pk, payer=table.bob.pk)
    assert post(cast, "scene_close").status_code == 204, "nothing is left to vanish"
    assert table.rows(table.abigail, "stuck") == [("Tied up", 3)]


def test_it_is_told_once_and_may_be_called_off(cast, table, tied):
    for _ in range(2):
        post(cast, "scene_close")
    assert [event.payload["what"] for event in table.events() if event.kind == "campaigns.closing_told"] == ["scene"]
    assert post(cast, "scene_keep").status_code == 204
    assert closing(table.viewer(table.player)) is None
    keep_open(table.gm, key=uuid4())
    assert len([event for event in table.events() if event.kind == "campaigns.closing_told"]) == 2
    post(cast, "session_end")
    assert closing(table.viewer(table.player))["closes"] == "session"


def test_what_only_gms_know_of_is_listed_to_them_alone(cast, table, tied):
    Procedure.objects.filter(pk=tied.pk).update(stream="gm")
    assert "“Tied up” 3D" in post(cast, "scene_close").content.decode() and is_open(table)
    assert closing(table.viewer(table.player)) is None, "that something is listed is told to nobody else"
    table.begin(table.gm, "scene_descriptor", name="On fire", dice=2)
    post(cast, "scene_close")
    assert len(closing(table.viewer(table.player))["endings"]) == 1
    assert len(closing(table.viewer(table.gm))["endings"]) == 2


def test_an_unsettled_contest_is_listed_and_its_winner_makes_nothing_in_the_next_scene(cast, fighters, dice):
    contest = rolled(fighters, dice, (9, 8, 2), (6, 4))
    html = post(cast, "scene_close").content.decode()
    assert "Contest" in html and "to make a Scene Descriptor" in html and is_open(fighters)
    assert post(cast, "scene_close", anyway="1", listed=list_of(fighters, ClosingAction.SCENE)).status_code == 204
    open_scene(fighters.gm, "Cellar", key=uuid4())
    with pytest.raises(Conflict):
        fighters.do(fighters.player, contest, "make", whom="a", name="Out of breath")
    fighters.do(fighters.other, contest, "cross", whom="b")
    assert not fighters.there()


def test_what_has_come_since_the_list_was_drawn_is_listed_before_anything_closes(cast, table, tied):
    post(cast, "scene_close")
    seen = list_of(table, ClosingAction.SCENE)
    table.begin(table.gm, "scene_descriptor", name="On fire", dice=2)
    answer = post(cast, "scene_close", anyway="1", listed=seen)
    html = answer.content.decode()
    assert (answer.status_code, is_open(table)) == (200, True)
    assert "On fire" in html and "This list has changed" in html
    assert post(cast, "scene_close", anyway="1", listed=list_of(table, ClosingAction.SCENE)).status_code == 204


def test_ending_a_session_asks_about_a_contest_and_a_request(cast, fighters):
    begin(fighters)
    call = Call(StorytellerInput(dice=3), reason="hold the door")
    ask_for_roll(fighters.gm, call, member=fighters.player.pk, audience=Audience.TABLE, key=uuid4())
    html = post(cast, "session_end").content.decode()
    assert "continues afterwards" in html and "hold the door" in html and "Not rolled yet" in html
    assert is_open(fighters)


@pytest.mark.parametrize("audience", [Audience.SELF, Audience.GM])
def test_a_contest_of_some_is_listed_to_the_gm_who_ends_the_scene_and_to_nobody_else(cast, fighters, dice, audience):
    dice(9, 8, 2, 6)
    by, whose = (fighters.gm, fighters.warden) if audience is Audience.GM else (fighters.player, fighters.abigail)
    ask = DescriptorsInput(character=whose.pk, pool="3", against="1", versus="Unseen tide")
    make_roll(by, ask, audience=audience, key=uuid4())
    html = post(cast, "scene_close").content.decode()
    assert "Contest" in html and "private" in html and is_open(fighters)
    assert not [one for one in fighters.events() if one.kind == "campaigns.closing_told"]
    for person in (cast.player, cast.other_player, cast.spectator):
        page = person.client.get(reverse("scene_closing", args=[cast.campaign.slug]), {"asks": "scene"})
        assert page.content.decode().strip() == ""
    seen = list_of(fighters, ClosingAction.SCENE)
    assert post(cast, "scene_close", anyway="1", listed=seen).status_code == 204


def test_the_list_of_the_dialog_is_drawn_again_as_it_is_now(cast, table, tied):
    post(cast, "scene_close")
    url = reverse("scene_closing", args=[cast.campaign.slug])
    before = cast.gm.client.get(url, {"asks": "scene"}).content.decode()
    table.begin(table.gm, "scene_descriptor", name="On fire", dice=2)
    after = cast.gm.client.get(url, {"asks": "scene"}).content.decode()
    assert "On fire" not in before and "On fire" in after
    confirms = next(one.attrs["value"] for one in parse(after).walk() if one.attrs.get("name") == "listed")
    assert post(cast, "scene_close", anyway="1", listed=confirms).status_code == 204


def test_whatever_begins_changes_or_ends_says_that_the_list_may_be_another(cast, fighters):
    contest = begin(fighters)
    fighters.do(fighters.player, contest, "call_off", whom="a")
    call = Call(StorytellerInput(dice=3), reason="hold the door")
    asked = ask_for_roll(fighters.gm, call, member=fighters.player.pk, audience=Audience.TABLE, key=uuid4())
    close_request(fighters.gm, asked.pk, key=uuid4())
    kinds = {"rolls.procedure_opened", "rolls.procedure_closed", "rolls.roll_asked", "rolls.request_closed"}
    frames = {one.kind: frames_of([one], [PLAYERS])[0].texts[PLAYERS] for one in fighters.events()}
    assert {kind for kind in kinds if "data-endings" in frames[kind]} == kinds


def list_of(table, closes):
    return listed(endings(table.viewer(table.gm), closes))
