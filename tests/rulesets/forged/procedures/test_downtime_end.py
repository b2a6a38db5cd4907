"""What follows from activities in a downtime: too much of a vice, assets, more for coin or rep, a push, prison, and its end."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.services.procedures import take_back_step
from rolls.services.rolls import void_roll
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.scene import Crew
from tests.sheets import rewrite


def back(play, procedure):
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())


def test_a_vice_clears_stress_and_too_much_has_consequences(play, crew):
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "vice", 6, 5)  # no Insight: the lowest of two
    assert crew.number(crew.cross, "stress") == 0
    assert crew.waits(procedure)[0] == ("Cross", "to choose what comes of overindulging")
    with pytest.raises(Conflict):
        crew.press(play.mo, procedure, "done", "Cross")
    with pytest.raises(Conflict):
        crew.press(play.gm, procedure, "end")
    crew.press(play.mo, procedure, "overindulge", "Cross.brag")
    assert crew.number(crew.crew, "heat") == 4
    with pytest.raises(Invalid):
        crew.take(play.mo, procedure, "Cross", "vice", 1, 1)


@pytest.mark.parametrize(
    ("step", "left"), [("lost", "gone for a while"), *((comes, "1 activity left") for comes in ("cut_off", "trouble"))]
)
def test_what_comes_of_overindulging_is_the_players_to_pick(play, crew, step, left):
    rewrite(crew.cross, sheet={"stress": 1, "vice_purveyor": "Spogg"})
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "vice", 6, 5)
    with pytest.raises(Forbidden):
        crew.press(play.other, procedure, "overindulge", f"Cross.{step}")
    crew.press(play.mo, procedure, "overindulge", f"Cross.{step}", faces=(6,))
    assert crew.standing(procedure, "Cross") == [left]
    assert Character.objects.get(pk=crew.cross.pk).value("vice_purveyor") == ("" if step == "cut_off" else "Spogg")
    assert len(crew.entanglements(procedure)) == (step == "trouble")


def items(character):
    now = Character.objects.get(pk=character.pk)
    return [row["name"] for row in now.rules.rows(now.values, "items")]


def test_an_asset_stands_on_the_sheet_with_its_dice_and_gets_better_there(play, crew):
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "acquire", 6, thing="A closed carriage")
    assert items(crew.cross) == ["A closed carriage (Tier 2)"]
    crew.press(play.mo, procedure, "better", "Cross", coin=1, paid_from="coin")
    assert items(crew.cross) == ["A closed carriage (Tier 3)"]
    crew.press(play.mo, procedure, "done", "Cross")
    crew.press(play.gm, procedure, "end")
    assert items(crew.cross) == ["A closed carriage (Tier 3)"]


def test_an_asset_goes_from_the_sheet_with_its_dice(play, crew):
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "acquire", 6, thing="A closed carriage")
    void_roll(play.gm, Roll.objects.get().pk, reason="", key=uuid4())
    assert items(crew.cross) == []


def test_nobody_is_offered_what_they_cannot_pay(play, crew):
    """Nyx has a coin, Cross two, the crew one."""
    procedure = crew.quiet(war=True)
    crew.take(play.other, procedure, "Nyx", "acquire", 6, thing="A boat")
    assert steps(crew, procedure) == {"buy coin", "buy crew", "buy rep", "better", "done"}
    crew.press(play.other, procedure, "better", "Nyx", coin=1, paid_from="coin")
    assert steps(crew, procedure) == {"buy crew", "buy rep", "done"}, "two coin buy a further Tier"
    assert steps(crew, procedure, play.other) == steps(crew, procedure)


def steps(crew, procedure, who=None):
    return {" ".join([one["name"], *one["target"][1:]]) for one in crew.row(procedure, "Nyx", who)["buttons"]}


def test_the_end_is_not_offered_before_it_is_said_what_came_of_overindulging(play, crew):
    procedure = crew.quiet()
    crew.take(play.other, procedure, "Nyx", "vice", 6, 6)
    assert "end" not in {one["name"] for one in crew.shown(procedure)["staged"]["acts"]}
    assert ("Nyx", "to choose what comes of overindulging") in crew.waits(procedure)
    crew.press(play.gm, procedure, "overindulge", "Nyx.lost")
    assert "end" in {one["name"] for one in crew.shown(procedure)["staged"]["acts"]}


def test_more_activities_are_bought_once_there_are_none_left(play, crew):
    procedure = crew.quiet(war=True)
    with pytest.raises(Conflict):
        crew.press(play.mo, procedure, "buy", "Cross.rep")
    for number, (source, who, address, left) in enumerate(
        (("coin", "cross", "coin", 1), ("crew", "crew", "coin", 0), ("rep", "crew", "rep", 2))
    ):
        crew.take(play.mo, procedure, "Cross", "train", track=["insight_xp", "prowess_xp", "resolve_xp"][number])
        crew.press(play.mo, procedure, "buy", f"Cross.{source}")
        assert crew.number(getattr(crew, who), address) == left
    crew.take(play.mo, procedure, "Cross", "train", track="playbook_xp")
    with pytest.raises(Conflict) as refused:
        crew.press(play.mo, procedure, "buy", "Cross.crew")
    assert refused.value.message == "The Wick has 0 coin, which isn’t enough."


def test_a_push_costs_stress_and_a_friend_nothing(play, crew):
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "heat", 1, 1, 1, push=True, friend=True)
    assert crew.number(crew.cross, "stress") == 5
    back(play, procedure)
    assert crew.number(crew.cross, "stress") == 3 and crew.number(crew.crew, "heat") == 2


def test_who_leaves_the_vice_alone_has_stress_for_each_trauma_at_the_end(play, crew):
    rewrite(crew.cross, sheet={"stress": 3, "trauma_cold": True, "trauma_soft": True})
    procedure = crew.quiet()
    crew.press(play.gm, procedure, "end")
    assert crew.number(crew.cross, "stress") == 5
    assert crew.said() == "Downtime ended. Without their vice: Cross, Nyx."
    with pytest.raises(Blocked):
        crew.press(play.gm, procedure, "end")


def test_prison_takes_a_wanted_level_and_the_heat(play):
    crew = Crew(play, heat=5, wanted=2)
    procedure = crew.quiet()
    crew.press(play.gm, procedure, "prison", who=crew.cross.pk)
    assert crew.numbers(crew.crew, "heat", "wanted") == (0, 1)
    assert crew.standing(procedure, "Cross") == ["in prison"]
    with pytest.raises(Conflict):
        crew.take(play.mo, procedure, "Cross", "train", track="playbook_xp")
    back(play, procedure)
    assert crew.numbers(crew.crew, "heat", "wanted") == (5, 2)


def test_a_push_that_fills_the_stress_brings_a_trauma_and_a_full_track_is_no_push(play):
    crew = Crew(play, heat=8)
    rewrite(crew.cross, sheet={"stress": 7, "prowl": 1})
    procedure = crew.quiet()
    crew.take(play.mo, procedure, "Cross", "heat", 4, 4, push=True)
    trauma = Procedure.objects.get(kind="trauma")
    with pytest.raises(Blocked) as refused:
        crew.take(play.mo, procedure, "Cross", "heat", 4, 4, push=True)
    assert "Choose a trauma first" in refused.value.message
    crew.press(play.mo, trauma, "choose", whom=f"{crew.cross.pk}.cold")
    there = Character.objects.get(pk=crew.cross.pk)
    assert (there.value("trauma_cold"), there.number("stress")) == (True, 0)


def test_a_downtime_without_the_vice_may_bring_a_trauma(play, crew):
    rewrite(crew.cross, sheet={"stress": 8, "trauma_cold": True, "trauma_soft": True})
    crew.press(play.gm, crew.quiet(), "end")
    assert crew.number(crew.cross, "stress") == 9
    assert [one["words"] for one in crew.shown(Procedure.objects.get(kind="trauma"))["waits"]] == ["to choose a trauma"]
