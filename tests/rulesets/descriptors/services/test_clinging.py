"""Injuries and what sticks end with one press (descriptors.txt, "until someone does something to set him loose", Injury)."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from characters.models import Character
from rulesets.descriptors.panels import clinging
from rulesets.descriptors.services import Does, change_clinging
from tests.sheets import rewrite

TIED, TORN = "a" * 32, "b" * 32


@pytest.fixture(autouse=True)
def burdened(table):
    tied = {"id": TIED, "at": 1, "name": "Tied up", "dice": 3, "origin": "Bob"}
    torn = {"id": TORN, "at": 1, "name": "Torn arm", "dice": 2}
    for one in (table.abigail, table.shade):
        rewrite(one, sheet={"stuck": [tied], "injuries": [torn]})
        Character.objects.filter(pk=one.pk).update(opened=True)


def press(table, by, does, rows="stuck", row=TIED, dice=3, why="", who=None):
    return change_clinging(by, UUID(str((who or table.abigail).pk)), rows, row, does, dice=dice, why=why, key=uuid4())


def test_an_injury_that_ends_in_the_story_is_ended_by_the_gm_with_one_press_and_why_is_told(table):
    press(table, table.gm, Does.END, "injuries", TORN, 2, why="a night at the hospital")
    assert table.rows(table.abigail, "injuries") == []
    (told,) = [event for event in table.events() if event.kind == "characters.row_removed"]
    assert told.payload["why"] == "a night at the hospital"
    with pytest.raises(Conflict):
        press(table, table.gm, Does.END, "injuries", TORN, 2)


def test_players_do_not_end_injuries_but_take_off_what_sticks_to_anybody(table):
    with pytest.raises(Forbidden):
        press(table, table.player, Does.END, "injuries", TORN, 2)
    with pytest.raises(Forbidden):
        press(table, table.player, Does.LESS)
    press(table, table.other, Does.END, why="cuts the rope")
    assert table.rows(table.abigail, "stuck") == []


def test_the_gm_takes_a_die_off_and_the_last_one_ends_it(table):
    press(table, table.gm, Does.LESS)
    assert table.rows(table.abigail, "stuck") == [("Tied up", 2)]
    with pytest.raises(Conflict):
        press(table, table.gm, Does.LESS, dice=3)
    press(table, table.gm, Does.LESS, dice=2)
    press(table, table.gm, Does.LESS, dice=1)
    assert table.rows(table.abigail, "stuck") == []


def test_what_sticks_stays_for_good_where_a_campaign_has_it_so(table):
    with pytest.raises(Invalid, match="become permanent in this campaign"):
        press(table, table.gm, Does.KEEP)
    assert not clinging(table.viewer(table.gm))["those"][0]["rows"][0]["keeps"]
    table.decide(temporary_may_stay_for_good=True)
    assert clinging(table.viewer(table.gm))["those"][0]["rows"][0]["keeps"]
    with pytest.raises(Forbidden):
        press(table, table.player, Does.KEEP)
    with pytest.raises(Invalid):
        press(table, table.gm, Does.KEEP, "injuries", TORN, 2)
    press(table, table.gm, Does.KEEP)
    assert (table.rows(table.abigail, "stuck"), table.rows(table.abigail, "descriptors")) == ([], [("Tied up", 3)])


def test_what_nobody_may_read_is_neither_shown_nor_there(table):
    assert [one["name"] for one in clinging(table.viewer(table.player))["those"]] == ["Abigail"]
    assert [one["name"] for one in clinging(table.viewer(table.gm))["those"]] == ["Abigail", "Shade"]
    for row in (TIED, "c" * 32):
        with pytest.raises(NotFound):
            press(table, table.player, Does.END, row=row, who=table.shade)
    with pytest.raises(NotFound):
        press(table, table.gm, Does.END, rows="keys")


def test_it_is_one_press_in_the_panel_and_the_same_press_twice_is_one(cast, table):
    url = reverse("descriptors_clinging", args=[table.campaign.slug])
    html = cast.gm.client.get(url).content.decode()
    value = f"end:{table.abigail.pk}:injuries:{TORN}:2"
    assert f'value="{value}"' in html
    assert value not in cast.player.client.get(url).content.decode()
    assert "Torn arm" in cast.spectator.client.get(url).content.decode()
    url = reverse("descriptors_clinging_change", args=[table.campaign.slug])
    data = {"key": str(uuid4()), "row": value, "why": ""}
    for _ in range(2):
        assert cast.gm.client.post(url, data, headers={"HX-Request": "true"}).status_code == 204
    assert table.rows(table.abigail, "injuries") == []
    assert cast.gm.client.post(url, data | {"key": str(uuid4()), "row": "nonsense"}).status_code == 422
    page = cast.gm.client.get(reverse("table", args=[table.campaign.slug])).content.decode()
    assert f"end:{table.abigail.pk}:stuck:{TIED}:3" in page


def test_a_field_for_the_reason_stands_there_for_who_has_a_button(cast, table):
    rewrite(table.abigail, sheet={"injuries": [{"id": "i1", "at": 1, "name": "Torn", "dice": 2}]})
    url = reverse("descriptors_clinging", args=[table.campaign.slug])
    shown = {one.user.username: one.client.get(url).content.decode() for one in (cast.player, cast.gm)}
    assert all("Torn" in page for page in shown.values())
    assert {name: 'name="why"' in page for name, page in shown.items()} == {
        "gm": True,
        cast.player.user.username: False,
    }
