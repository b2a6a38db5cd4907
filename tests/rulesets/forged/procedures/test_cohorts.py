"""Cohorts of the crew in a group action: brought by whoever leads, rolled by their quality (forged.txt, Lead a group action)."""

from __future__ import annotations

import pytest

from campaigns.errors import Forbidden
from rolls.models import Roll
from tests.rulesets.forged.procedures.staged import (
    begin,
    clock,
    drawn,
    filled,
    offered,
    over,
    press,
    sets,
    state,
)
from tests.rulesets.forged.table.forged import scoundrel
from tests.sheets import create_character

RATS, SMITH = f"{1:032x}", f"{2:032x}"


@pytest.fixture
def crew(play):
    rows = [
        {"id": RATS, "at": 1, "name": "The Rats", "kind": "gang", "quality": 3, "state": "fine", "words": ""},
        {"id": SMITH, "at": 2, "name": "The smith", "kind": "expert", "quality": 6, "state": "broken", "words": ""},
    ]
    sheet = {"heat": 1, "wanted": 1, "cohorts": rows}
    return create_character(campaign=play.campaign, name="The Lamps", system="forged", is_crew=True, sheet=sheet)


def quality_roll():
    return Roll.objects.get(kind="fortune")


def led(play, cross, **asked):
    """Return a group action of Cross and The Rats."""
    procedure = begin(play.mo, cross, group=True)
    press(play.mo, procedure, "bring", RATS)
    return sets(play.gm, procedure, **asked)


def test_a_cohort_rolls_its_quality_and_its_result_counts_for_all(play, cross, crew):
    alarm = clock(play)
    procedure = led(play, cross, clock=alarm.pk)
    assert [(row.whose, row.words) for row in drawn(procedure)["staged"].rows] == [
        ("Cross", "1 die"),
        ("The Rats", "3 dice (quality 3)"),
    ]
    press(play.mo, procedure, "roll", cross.pk, faces=(4, 6, 2, 1))
    assert [one["result"] for one in state(procedure)["rollers"]] == ["partial", "full"]
    assert (filled(alarm), over(procedure)) == (2, True)
    told = quality_roll().event.described
    assert (told["words"], told["headline"], told["detail"]) == ("Quality 3", "The Rats", "6")


def test_only_whoever_leads_brings_one_and_sends_it_away(play, cross, crew):
    other = scoundrel(play, "Thorn", play.other)
    procedure = begin(play.mo, cross, group=True)
    press(play.other, procedure, "join", other.pk)
    with pytest.raises(Forbidden):
        press(play.other, procedure, "bring", RATS)
    press(play.mo, procedure, "bring", RATS)
    assert "leave_out" in offered(procedure, play.mo) and "leave_out" not in offered(procedure, play.other)
    press(play.mo, procedure, "leave_out", RATS)
    assert [row.whose for row in drawn(procedure)["staged"].rows] == ["Cross", "Thorn"]
