"""Refreshment Scenes, and the GM's turn that comes of each (descriptors.txt, Refreshment)."""

from __future__ import annotations

import pytest

from campaigns.errors import Forbidden, InvalidForm
from rolls.models import Procedure
from tests.sheets import rewrite

WORN = {"will": 0, "out_of_scene": True, "power_1": True, "power_6": True, "injuries": [{"id": "a" * 32, "at": 1}]}


@pytest.fixture(autouse=True)
def worn(table):
    injury = {"id": "a" * 32, "at": 1, "name": "Torn arm", "dice": 2}
    rewrite(table.abigail, sheet=WORN | {"injuries": [injury]})
    rewrite(table.bob, sheet={"will": 12, "power_2": True})


@pytest.fixture
def asked(table):
    return table.begin(table.player, "refreshment", caller=str(table.abigail.pk), partner=str(table.bob.pk), name="")


def test_what_sheets_say_is_in_nothing_that_is_told(table, asked):
    table.do(table.other, asked, "agree", whom="partner")
    told = [event.payload for event in table.events() if event.kind.startswith("rolls.procedure")]
    assert all(set(one["procedure"]["state"]) <= {"caller", "partner", "stage"} for one in told)


def test_the_gm_makes_the_situation_worse_once_and_says_how(table, asked):
    table.do(table.other, asked, "agree", whom="partner")
    (right,) = Procedure.objects.filter(campaign=table.campaign, closed_at=None)
    (there,) = table.there()
    assert (right.kind, there["token"]) == ("escalation", True)
    with pytest.raises(InvalidForm):
        table.do(table.gm, right, "use")
    with pytest.raises(Forbidden):
        table.do(table.player, right, "use", words="Nothing at all")
    table.do(table.gm, right, "use", words="The fire reaches the stairs.")
    assert table.there() == []
    spoken = [event.payload for event in table.events() if event.kind == "campaigns.said"]
    assert [(one["manner"], one["words"]) for one in spoken] == [("narration", "The fire reaches the stairs.")]
    told = [event.payload | {"words": []} for event in table.events() if event.kind.startswith("rolls.procedure")]
    assert "stairs" not in str(told), "what somebody typed stands where erasing finds it"
