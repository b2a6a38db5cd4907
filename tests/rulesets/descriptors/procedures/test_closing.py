"""Before a scene is closed, what would vanish with it is listed, and everybody may pay for it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.errors import Blocked
from campaigns.models import Scene
from campaigns.queries.closing import closing
from campaigns.services.play import close_scene, keep_open
from rolls.models import Procedure
from rolls.services.procedures import act

pytestmark = pytest.mark.usefixtures("scene")
WAYS = {"scene_close": {}, "scene_open": {"title": "The cellar"}, "session_end": {}}


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
    assert (answer.status_code, answer["HX-Retarget"], is_open(table)) == (200, "#desk", True)
    assert "“Tied up” 3D" in html
    assert f"/procedures/{tied.pk}/" in html
    assert post(cast, way, anyway="1", **WAYS[way]).status_code == 204
    assert (is_open(table), table.there()) == (False, [])
    assert closing(table.viewer(table.gm)) is None


@pytest.mark.parametrize("way", WAYS)
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


def test_somebody_who_pays_as_the_scene_closes_has_paid_or_has_not(table, tied):
    given = {"to": table.abigail.pk, "payer": table.bob.pk}
    close_scene(table.gm, key=uuid4())
    with pytest.raises(Blocked):
        act(table.other, tied.pk, "stick", given=given, expected=1, key=uuid4())
    assert (table.will(table.bob), table.rows(table.abigail, "stuck")) == (9, [])


def test_what_only_gms_know_of_is_listed_to_them_alone(cast, table, tied):
    Procedure.objects.filter(pk=tied.pk).update(stream="gm")
    post(cast, "scene_close")
    assert closing(table.viewer(table.player))["endings"] == []
    assert len(closing(table.viewer(table.gm))["endings"]) == 1


def test_strangers_are_told_nothing(cast, table, tied):
    url = reverse("scene_closing", args=[table.campaign.slug])
    assert cast.outsider.client.get(url).status_code == 404
    assert Client().get(url).status_code in (302, 404)
