"""A downtime at the table: the score, entanglements, activities on sheets and clocks, races, and taking it back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from campaigns.models import Clock
from campaigns.services.clocks import archive_clock
from campaigns.services.members import remove_member
from rolls.models import Roll
from rolls.services.procedures import take_back_step
from rolls.services.rolls import void_roll
from tests.answers import refusal
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.scene import SCORE
from tests.sheets import rewrite


def back(play, procedure):
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())


def test_a_score_brings_rep_coin_and_heat_and_an_entanglement_is_rolled(play, crew):
    procedure = crew.begin(**SCORE | {"killing": True})
    assert crew.waits(procedure) == [("the GM", "to record what the score brought")]
    crew.press(play.gm, procedure, "write", faces=(5, 2))
    assert crew.numbers(crew.crew, "rep", "coin", "heat", "wanted") == (6, 7, 8, 1)
    assert crew.said() == "The score brought 3 rep, 6 coin, 6 heat. Heat 8 of 9, wanted level 1."
    entangled = Roll.objects.get()
    assert (entangled.faces, entangled.character, entangled.ask["trait"]) == ([5], None, 1)
    assert [button["words"] for button in crew.entanglements(procedure)[0]["buttons"]] == [
        "A dark power takes notice",
        "An enemy claims ground",
    ]
    assert ("the GM", "to choose the entanglement") in crew.waits(procedure)
    crew.press(play.gm, procedure, "choose", whom="0.1")
    assert crew.said() == "The entanglement was chosen: An enemy claims ground."


def test_a_new_project_is_a_clock_of_its_own(play, crew):
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "project", 3, project="A way in", segments=6)
    made = Clock.objects.get()
    assert (made.name, made.segments, made.filled, made.owner_name) == ("A way in", 6, 1, "Cross")
    back(play, procedure)
    made.refresh_from_db()
    assert made.archived_at is not None


def test_a_clock_that_was_put_away_meanwhile_is_not_worked_on_and_costs_nothing(play, crew):
    clock, procedure = crew.clock(), crew.quiet()
    crew.take(play.mo, procedure, "Cross", "project", 6, clock=clock.pk)
    archive_clock(play.gm, clock, key=uuid4())
    with pytest.raises(Conflict):
        crew.press(play.mo, procedure, "better", "Cross", coin=1, paid_from="coin")
    refused = refusal(Invalid, crew.take, play.mo, procedure, "Cross", "project", 6, clock=clock.pk)
    assert refused.field == "clock"
    assert (crew.number(crew.cross, "coin"), crew.standing(procedure, "Cross")) == (2, ["1 activity left"])


def test_players_act_for_their_own_and_the_gm_for_the_absent(play, crew):
    procedure = crew.quiet()
    with pytest.raises(Forbidden):
        crew.take(play.other, procedure, "Cross", "train", track="playbook_xp")
    with pytest.raises(Forbidden):
        crew.press(play.mo, procedure, "end")
    remove_member(play.gm, play.mo, key=uuid4())
    crew.take(play.gm, procedure, "Cross", "train", track="playbook_xp")
    assert crew.number(crew.cross, "playbook_xp") == 1


def test_players_are_told_nothing_of_sheets_that_they_may_not_read(play, crew):
    rewrite(crew.cross, sheet=crew.cross.sheet | {"vice": "Gambling"})
    procedure = crew.quiet()
    for who in (play.mo, play.other, play.watcher):
        shown = str({**crew.shown(procedure, who)})
        assert "Cross" in shown and "Gambling" not in shown and "Skirmish" not in shown


def test_rolls_are_taken_back_the_newest_first(play, crew):
    procedure = crew.after_score(6)
    crew.take(play.mo, procedure, "Cross", "heat", 6)
    crew.take(play.other, procedure, "Nyx", "heat", 2)
    assert crew.number(crew.crew, "heat") == 2
    first, second = (Roll.objects.get(ask__settles="heat", character=one) for one in (crew.cross, crew.nyx))
    with pytest.raises(Blocked):
        void_roll(play.gm, first.pk, key=uuid4())
    for roll, heat, left in ((second, 3, "1 activity left"), (first, 6, "2 activities left")):
        void_roll(play.gm, roll.pk, key=uuid4())
        assert crew.number(crew.crew, "heat") == heat
        assert crew.standing(procedure, "Cross", "Nyx") == [left, "2 activities left"]
