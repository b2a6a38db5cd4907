"""Cohorts of the crew in a group action: brought by whoever leads, rolled by their quality (forged.txt, Lead a group action)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from rolls.models import Roll
from rolls.services.rolls import void_roll
from rulesets.forged.procedures.action_state import hit
from tests.rulesets.forged.procedures.staged import (
    action,
    begin,
    clock,
    dice_of,
    drawn,
    filled,
    inflicts,
    offered,
    over,
    press,
    sets,
    state,
)
from tests.rulesets.forged.table.forged import scoundrel, stress
from tests.sheets import create_character, rewrite

RATS, SMITH = f"{1:032x}", f"{2:032x}"


@pytest.fixture
def crew(play):
    rows = [
        {"id": RATS, "at": 1, "name": "The Rats", "kind": "gang", "quality": 3, "state": "fine", "words": ""},
        {"id": SMITH, "at": 2, "name": "The smith", "kind": "expert", "quality": 6, "state": "broken", "words": ""},
    ]
    sheet = {"heat": 1, "wanted": 1, "cohorts": rows}
    return create_character(campaign=play.campaign, name="The Lamps", system="forged", is_crew=True, sheet=sheet)


def in_state(crew, condition, quality=3):
    rows = [row | {"state": condition, "quality": quality} for row in crew.sheet["cohorts"]]
    rewrite(crew, sheet=crew.sheet | {"cohorts": rows})


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


def test_the_leader_pays_nothing_for_a_cohort_that_does_badly(play, cross, crew):
    procedure = led(play, cross)
    press(play.mo, procedure, "roll", cross.pk, faces=(2, 1, 2, 3))
    assert stress(cross) == 4


def test_its_odds_count_the_cohort_and_not_its_stress(play, cross, crew):
    odds = drawn(led(play, cross))["staged"].odds
    assert odds["sentence"].startswith("1–3 6 %")
    assert odds["lines"] == ["expected stress for Cross: 0.5"]


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


def test_who_joins_has_the_dice_of_their_sheet_at_once(play, cross, crew):
    other = scoundrel(play, "Thorn", play.other, prowl=2)
    procedure = begin(play.mo, cross, group=True)
    press(play.other, procedure, "join", other.pk)
    assert [dice_of(procedure, place) for place in (0, 1)] == [1, 2]


def test_a_broken_cohort_does_nothing_and_one_that_breaks_meanwhile_stays_out(play, cross, crew):
    procedure = led(play, cross)
    with pytest.raises(Conflict):
        press(play.mo, procedure, "bring", SMITH)
    in_state(crew, "broken")
    with pytest.raises(Conflict) as refused:
        press(play.mo, procedure, "roll", cross.pk)
    assert "at least two" in refused.value.message and not Roll.objects.exists()


@pytest.mark.parametrize(("condition", "dice", "ticks"), [("fine", 3, 2), ("weakened", 3, 1), ("impaired", 2, 2)])
def test_a_cohort_that_is_hurt_has_less_effect_or_a_die_less(play, cross, crew, condition, dice, ticks):
    alarm = clock(play)
    in_state(crew, condition)
    procedure = led(play, cross, clock=alarm.pk)
    assert dice_of(procedure, 1) == dice
    press(play.mo, procedure, "roll", cross.pk, faces=(1, *(6, 1, 1)[:dice]))
    assert filled(alarm) == ticks


def test_consequences_hit_people_and_no_cohort(play, cross, crew):
    procedure = led(play, cross)
    press(play.mo, procedure, "roll", cross.pk, faces=(4, 1, 1, 1))
    assert [who.name for who in hit(*action(procedure))] == ["Cross"]
    with pytest.raises(Invalid):
        inflicts(play.gm, procedure, "harm_2", words="Cut", whom=RATS)


def test_its_roll_is_taken_back_like_any_other(play, cross, crew):
    procedure = led(play, cross)
    press(play.mo, procedure, "roll", cross.pk, faces=(2, 6, 2, 1))
    void_roll(play.gm, quality_roll().pk, key=uuid4())
    assert [one["result"] for one in state(procedure)["rollers"]] == ["bad", ""]
