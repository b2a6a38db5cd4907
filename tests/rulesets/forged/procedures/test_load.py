"""Loads at the table: declared once a score, armour with it, items up to it, and over with the score."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden
from characters.models import Character
from rolls.models import Procedure
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
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


def test_a_load_is_chosen_and_carried_on_the_sheet_and_over_when_the_score_is_written_down(play, crew):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom=f"{crew.cross.pk}.normal")
    there = cross(crew)
    assert (there.value("load"), there.value("armor"), there.value("special_armor")) == ("normal", False, False)
    assert carried(crew) == []
    with pytest.raises(Forbidden):
        crew.press(play.other, loads, "carry", whom=str(crew.cross.pk), item="a1")
    with pytest.raises(Conflict):
        crew.press(play.mo, loads, "choose", whom=f"{crew.cross.pk}.heavy")
    crew.press(play.mo, loads, "carry", whom=str(crew.cross.pk), item="a1")
    assert carried(crew) == ["Rope"] and crew.shown(loads)["staged"]["rows"][0]["words"] == "Normal: 2 of 5 carried"
    crew.press(play.gm, crew.begin("engage"), "roll", faces=(4,))
    crew.after_score(6)
    assert (cross(crew).value("load"), carried(crew)) == ("", [])
    assert {one.kind for one in Procedure.objects.filter(closed_at=None)} == {"downtime"}
    with pytest.raises(Blocked, match="“Downtime” ended this"):
        take_back_step(play.gm, loads.pk, step=newest_step(loads), key=uuid4())


def test_things_on_a_sheet_are_listed_for_their_own_player_alone(play, crew, cast):
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom=f"{crew.cross.pk}.normal")
    urls = f"/c/{cast.campaign.slug}/procedures/{loads.pk}/carry/form/?whom={crew.cross.pk}"
    assert "Lockpicks, 1 load" in cast.player.client.get(urls).content.decode()
    assert "Lockpicks" not in cast.other_player.client.get(urls).content.decode()
    assert "Lockpicks" not in show(cast.other_player, cast, "table").content.decode()
