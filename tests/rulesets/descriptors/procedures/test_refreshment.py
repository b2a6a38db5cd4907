"""Refreshment Scenes, and the GM's turn that comes of each (descriptors.txt, Refreshment)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Forbidden, Invalid, InvalidForm
from campaigns.services.play import close_scene, open_scene, start_session
from rolls.models import Procedure
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
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


def boxes(table, character):
    return [box for box in range(1, 7) if table.now(character).value(f"power_{box}")]


def test_both_are_restored_once_the_other_agrees_and_injuries_stay(table, asked):
    (there,) = table.there()
    assert [(one["name"], one["words"]) for one in there["waits"]] == [("Bob", "to agree to a Refreshment Scene")]
    assert table.said() == "Abigail asked Bob for a Refreshment Scene."
    table.do(table.other, asked, "agree", whom="partner")
    assert (table.will(table.abigail), boxes(table, table.abigail)) == (9, [])
    assert table.now(table.abigail).value("out_of_scene") is False
    assert table.rows(table.abigail, "injuries") == [("Torn arm", 2)]
    assert (table.will(table.bob), boxes(table, table.bob)) == (12, [])


def test_who_is_asked_agrees_or_declines_and_the_gm_does_so_for_the_absent(table, asked):
    with pytest.raises(Forbidden):
        table.do(table.player, asked, "agree", whom="partner")
    table.do(table.other, asked, "decline", whom="partner")
    assert (table.said(), table.will(table.abigail)) == ("Bob declined a Refreshment Scene with Abigail.", 0)
    again = table.begin(table.gm, "refreshment", caller=str(table.abigail.pk), partner="", name="the old nurse")
    table.do(table.gm, again, "agree", whom="partner")
    assert (
        table.will(table.abigail),
        "the old nurse and Abigail had a Refreshment Scene." in table.said_of("refreshment"),
    ) == (9, True)


def test_there_is_none_in_the_middle_of_a_scene(table, asked):
    start_session(table.gm, "", key=uuid4())
    open_scene(table.gm, "Roof", key=uuid4())
    with pytest.raises(Invalid, match="between scenes"):
        table.do(table.other, asked, "agree", whom="partner")
    with pytest.raises(Invalid, match="between scenes"):
        table.begin(table.player, "refreshment", caller=str(table.abigail.pk), partner=str(table.bob.pk), name="")
    close_scene(table.gm, key=uuid4())
    table.do(table.other, asked, "agree", whom="partner")
    assert table.will(table.abigail) == 9


def test_it_takes_another_character_and_one_of_ones_own(table):
    for caller, partner in ((table.abigail, table.abigail), (table.bob, table.abigail), (table.abigail, table.shade)):
        with pytest.raises(Invalid) as refused:
            table.begin(table.player, "refreshment", caller=str(caller.pk), partner=str(partner.pk), name="")
        assert "Shade" not in refused.value.message
    with pytest.raises(Invalid, match="who it’s with"):
        table.begin(table.player, "refreshment", caller=str(table.abigail.pk), partner="", name=" ")


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


def test_one_that_is_over_goes_on_once_its_last_step_is_taken_back(table, asked):
    table.do(table.other, asked, "agree", whom="partner")
    take_back_step(table.gm, asked.pk, step=newest_step(asked), key=uuid4())
    assert (table.will(table.abigail), boxes(table, table.abigail)) == (0, [1, 6])
    assert [one["label"] for one in table.there()] == ["Refreshment Scene"]
    with pytest.raises(Blocked):
        take_back_step(table.gm, asked.pk, step=newest_step(asked), key=uuid4())
