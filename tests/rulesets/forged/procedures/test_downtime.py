"""A downtime at the table: the score, entanglements, activities on sheets and clocks, races, and taking it back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from campaigns.models import Clock
from campaigns.services.clocks import archive_clock
from campaigns.services.members import remove_member
from characters.models import Character
from characters.services.cards import retire_character
from rolls.models import Roll
from rolls.services.procedures import take_back_step
from rolls.services.rolls import void_roll
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.scene import SCORE, Crew
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


def test_nine_heat_are_a_wanted_level_and_the_rest_goes_on(play):
    crew = Crew(play, heat=7)
    crew.after_score(6, 1)
    assert crew.numbers(crew.crew, "heat", "wanted") == (2, 2)
    roll = Roll.objects.get()
    assert (roll.ask["trait"], roll.ask["keeps"]) == (2, {"heat": 2})


def test_what_the_crews_sheet_has_no_room_for_is_said_before_it_is_written(play):
    crew = Crew(play, coin=14, rep=11)
    procedure = crew.begin(**SCORE)
    assert crew.shown(procedure)["staged"]["notes"][0].startswith("The crew’s sheet has no room for 2 rep, 4 coin")
    crew.press(play.gm, procedure, "write", faces=(6,))
    assert crew.numbers(crew.crew, "rep", "coin") == (12, 16)


def test_a_ninth_box_that_was_marked_by_hand_was_a_wanted_level(play):
    crew = Crew(play, heat=9, wanted=0)
    crew.after_score(6, exposure="unseen")
    assert crew.numbers(crew.crew, "heat", "wanted") == (0, 1)


def test_heat_is_reduced_by_the_dice_and_coin_makes_it_better(play, crew):
    procedure = crew.after_score(6)
    crew.take(play.mo, procedure, "Cross", "heat", 4)
    assert crew.number(crew.crew, "heat") == 4
    assert crew.row(procedure, "Cross")["lines"] == ["Reduce heat: −2 heat"]
    assert crew.standing(procedure, "Cross") == ["1 activity left"]
    crew.press(play.mo, procedure, "better", "Cross", coin=1, paid_from="coin")
    assert (crew.number(crew.crew, "heat"), crew.number(crew.cross, "coin")) == (3, 1)
    assert crew.said() == "Cross paid 1 coin in all for a better result: −3 heat."
    with pytest.raises(Invalid) as refused:
        crew.press(play.mo, procedure, "better", "Cross", coin=2, paid_from="crew")
    assert refused.value.field == "coin"
    with pytest.raises(Invalid):
        crew.press(play.mo, procedure, "better", "Cross", coin=-1, paid_from="coin")


def test_two_players_reduce_heat_at_once_and_both_count(play, crew):
    procedure = crew.after_score(6)
    for by, who in ((play.mo, "Cross"), (play.other, "Nyx")):
        crew.take(by, procedure, who, "heat", 2)
    assert crew.number(crew.crew, "heat") == 4
    assert crew.standing(procedure, "Cross", "Nyx") == ["1 activity left"] * 2


def test_heat_never_goes_below_none(play):
    crew = Crew(play, heat=1)
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "heat", 6)
    assert crew.number(crew.crew, "heat") == 0
    with pytest.raises(Invalid) as refused:
        crew.take(play.mo, procedure, "Cross", "heat", 6)
    assert "no heat" in refused.value.message


def test_each_track_is_trained_once_and_a_full_one_is_not(play, crew):
    rewrite(crew.cross, sheet={"insight_xp": 6})
    procedure = crew.quiet()
    with pytest.raises(Invalid):
        crew.take(play.mo, procedure, "Cross", "train", track="insight_xp")
    crew.take(play.mo, procedure, "Cross", "train", track="playbook_xp")
    assert crew.said() == "Cross trained: Playbook XP +1."
    with pytest.raises(Invalid):
        crew.take(play.mo, procedure, "Cross", "train", track="playbook_xp")


def test_a_project_ticks_its_clock_and_is_undone_with_its_roll(play, crew):
    clock, procedure = crew.clock(), crew.quiet()
    crew.take(play.mo, procedure, "Cross", "project", 6, clock=clock.pk, action="prowl")
    clock.refresh_from_db()
    assert clock.filled == 3
    void_roll(play.gm, Roll.objects.get().pk, key=uuid4())
    clock.refresh_from_db()
    assert (clock.filled, crew.standing(procedure, "Cross")) == (0, ["2 activities left"])


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
    with pytest.raises(Invalid) as refused:
        crew.take(play.mo, procedure, "Cross", "project", 6, clock=clock.pk)
    assert refused.value.field == "clock"
    assert (crew.number(crew.cross, "coin"), crew.standing(procedure, "Cross")) == (2, ["1 activity left"])


def test_recovery_brings_harm_down(play, crew):
    rewrite(crew.cross, sheet={"healing": 2, "harm_2": [{"id": "ab", "at": 1, "name": "Cut"}]})
    procedure = crew.quiet()
    crew.take(play.other, procedure, "Nyx", "train", track="playbook_xp")
    crew.take(play.mo, procedure, "Cross", "recover", 6, 2, healer=crew.nyx.pk)
    there = Character.objects.get(pk=crew.cross.pk)
    assert ([row["name"] for row in there.values["harm_1"]], there.number("healing")) == (["Cut"], 1)
    assert not there.values.get("harm_2")
    with pytest.raises(Invalid):
        crew.take(play.other, procedure, "Nyx", "recover", 6)
    void_roll(play.gm, Roll.objects.get().pk, key=uuid4())
    there = Character.objects.get(pk=crew.cross.pk)
    assert ([row["name"] for row in there.values["harm_2"]], there.number("healing")) == (["Cut"], 2)


def test_players_act_for_their_own_and_the_gm_for_the_absent(play, crew):
    procedure = crew.quiet()
    with pytest.raises(Forbidden):
        crew.take(play.other, procedure, "Cross", "train", track="playbook_xp")
    with pytest.raises(Forbidden):
        crew.press(play.mo, procedure, "end")
    remove_member(play.gm, play.mo, key=uuid4())
    crew.take(play.gm, procedure, "Cross", "train", track="playbook_xp")
    assert crew.number(crew.cross, "playbook_xp") == 1


def test_who_leaves_play_is_waited_for_no_more(play, crew):
    procedure = crew.quiet()
    retire_character(play.gm, crew.nyx, key=uuid4())
    assert [name for name, _ in crew.waits(procedure)] == ["Cross"]
    assert crew.standing(procedure, "Nyx") == ["no longer in play"]
    with pytest.raises(Conflict):
        crew.take(play.gm, procedure, "Nyx", "train", track="playbook_xp")


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


@pytest.mark.parametrize(
    ("given", "field"),
    [({"kind": "project", "clock": None}, "project"), ({"kind": "acquire", "thing": " "}, "thing")],
)
def test_what_an_activity_needs_is_asked_for(play, crew, given, field):
    procedure = crew.quiet()
    with pytest.raises(Invalid) as refused:
        crew.take(play.mo, procedure, "Cross", given.pop("kind"), **given)
    assert refused.value.field == field


def test_without_a_crew_the_activities_go_on_and_what_needs_one_says_so(play, crew):
    Character.objects.filter(is_crew=True).delete()
    with pytest.raises(Invalid):
        crew.begin(**SCORE)
    procedure = crew.quiet()
    with pytest.raises(Invalid) as refused:
        crew.take(play.mo, procedure, "Cross", "acquire", 6, thing="A boat")
    assert "no crew sheet" in refused.value.message
