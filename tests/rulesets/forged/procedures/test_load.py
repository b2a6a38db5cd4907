"""Loads at the table: declared once a score, armour with it, items up to it, and over with the score."""

from __future__ import annotations

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.models import Character
from rolls.models import Procedure
from tests.rolls.views.test_procedures import show
from tests.rulesets.forged.procedures.scene import Crew
from tests.sheets import rewrite

ITEMS = [
    {"id": "a1", "at": 1, "name": "Rope", "load": 2, "carried": True},
    {"id": "a2", "at": 2, "name": "Lockpicks", "load": 1},
    {"id": "a3", "at": 3, "name": "Barrel", "load": 3},
]


@pytest.fixture
def crew(play):
    found = Crew(play)
    rewrite(found.cross, sheet={"items": ITEMS, "armor": True, "special_armor": True})
    return found


def cross(crew):
    return Character.objects.get(pk=crew.cross.pk)


def carried(crew):
    return [row["name"] for row in cross(crew).rules.rows(cross(crew).values, "items") if row["carried"]]


def test_choosing_a_load_restores_armour_and_puts_all_down(play, crew):
    loads = crew.begin("load")
    assert crew.waits(loads) == [("Cross", "to choose a load"), ("Nyx", "to choose a load")]
    crew.press(play.mo, loads, "choose", whom="1.light")
    there = cross(crew)
    assert (there.value("load"), there.value("armor"), there.value("special_armor")) == ("light", False, False)
    assert carried(crew) == []
    with pytest.raises(Conflict):
        crew.press(play.mo, loads, "choose", whom="1.heavy")


def test_items_turn_up_as_far_as_the_load_has_room(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.light")
    crew.press(play.mo, loads, "carry", whom="1", item="a1")
    assert crew.person(loads, "Cross")["words"] == "Light: 2 of 3 carried"
    with pytest.raises(Invalid) as refused:
        crew.press(play.mo, loads, "carry", whom="1", item="a3")
    assert refused.value.message == "“Barrel” is 3 load, but Cross has room for 1."
    for item in ("a1", "ff"):
        with pytest.raises(Invalid):
            crew.press(play.mo, loads, "carry", whom="1", item=item)
    crew.press(play.mo, loads, "carry", whom="1", item="a2")
    assert carried(crew) == ["Rope", "Lockpicks"]


def test_two_choose_at_once_and_each_for_their_own(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.light")
    crew.press(play.other, loads, "choose", whom="2.normal")
    assert [one["words"] for one in crew.shown(loads)["people"]] == [
        "Light: 0 of 3 carried",
        "Normal: 0 of 5 carried, nothing else on the sheet fits",
    ]
    with pytest.raises(Forbidden):
        crew.press(play.other, loads, "carry", whom="1", item="a1")


def test_the_load_is_over_when_the_score_is_written_down(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.normal")
    crew.press(play.mo, loads, "carry", whom="1", item="a1")
    crew.press(play.gm, crew.begin("engage"), "roll", faces=(4,))
    crew.after_score(6)
    assert (cross(crew).value("load"), carried(crew)) == ("", [])
    assert {one.kind for one in Procedure.objects.filter(closed_at=None)} == {"downtime"}


def test_a_gm_goes_on_without_those_who_have_not_chosen(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.light")
    assert crew.waits(loads) == [("Nyx", "to choose a load")]
    with pytest.raises(Forbidden):
        crew.press(play.mo, loads, "rest")
    crew.press(play.gm, loads, "rest")
    assert crew.waits(loads) == [] and crew.shown(loads)["buttons"] == []
    assert (cross(crew).value("load"), Character.objects.get(pk=crew.nyx.pk).value("load")) == ("light", "normal")
    assert crew.said() == "Everyone who hadn’t chosen took a normal load, with armour restored."


def test_nothing_is_offered_to_carry_that_does_not_fit(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.light")
    crew.press(play.mo, loads, "carry", whom="1", item="a1")
    crew.press(play.mo, loads, "carry", whom="1", item="a2")
    assert crew.person(loads, "Cross")["buttons"] == []
    assert crew.person(loads, "Cross")["words"] == "Light: 3 of 3 carried, nothing else on the sheet fits"


def test_things_on_a_sheet_are_listed_for_their_own_player_alone(play, crew, cast):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom="1.normal")
    urls = f"/c/{cast.campaign.slug}/procedures/{loads.pk}/carry/form/?whom=1"
    assert "Lockpicks, 1 load" in cast.player.client.get(urls).content.decode()
    assert "Lockpicks" not in cast.other_player.client.get(urls).content.decode()
    assert "Lockpicks" not in show(cast.other_player, cast, "table").content.decode()
