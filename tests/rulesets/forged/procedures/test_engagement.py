"""The engagement roll at the table: its chips, its exact odds, and the position that it leaves for the first action."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_procedures
from rolls.services.rolls import void_roll
from tests.cast import seat_at
from tests.rolls.views.test_procedures import card
from tests.rulesets.forged.procedures.staged import begin, drawn
from tests.rulesets.forged.table.forged import scoundrel, stress


def turned(play, crew, *factors):
    procedure = crew.begin("engage")
    for factor in factors:
        crew.press(play.gm, procedure, "turn", whom=factor)
    return procedure


def opening(play):
    return next((one for one in open_procedures(seat_at(play.mo)) if one["kind"] == "engagement"), None)


def test_each_factor_is_a_die_and_the_odds_are_exact(play, crew):
    procedure = turned(play, crew, "bold", "friends", "rivals")
    shown = crew.shown(procedure)
    assert shown["pool_words"] == "2 dice"
    assert [(one["words"], one["chance"]) for one in shown["odds"]] == [
        ("desperate", "25 %"),
        ("risky", "44 %"),
        ("controlled", "28 %"),
        ("past the first obstacle", "3 %"),
    ]
    crew.press(play.gm, procedure, "turn", whom="rivals")
    assert crew.shown(procedure)["pool_words"] == "3 dice"


def test_someone_pushes_for_a_die_and_abilities_add_more_with_the_reason(play, crew):
    procedure = turned(play, crew)
    with pytest.raises(Invalid) as refused:
        crew.press(play.gm, procedure, "more", push=None, more=1, why="")
    assert refused.value.field == "why"
    crew.press(play.gm, procedure, "more", push=crew.cross.pk, more=1, why="Inside man")
    assert crew.shown(procedure)["pool_words"] == "3 dice (Cross pushes +1, Inside man +1)"
    crew.press(play.gm, procedure, "roll", faces=(1, 2, 5))
    card = Roll.objects.get().event.described
    assert [(one["words"], one["dice"]) for one in card["extras"]] == [("push", 1), ("Inside man", 1)]
    assert stress(crew.cross) == 5


def test_what_cannot_both_be_so_takes_the_place_of_the_other(play, crew):
    procedure = turned(play, crew, "bold", "complex", "larger", "rivals")
    assert crew.shown(procedure)["pool_words"] == "no dice: roll two, the lowest counts"
    assert not any(chip["on"] for chip in crew.shown(procedure)["for_it"])


@pytest.mark.parametrize(
    ("faces", "position", "words"),
    [
        ((2,), "desperate", "Opening position: desperate"),
        ((5,), "risky", "Opening position: risky"),
        ((6,), "controlled", "Opening position: controlled"),
    ],
)
def test_the_result_lies_on_the_table_as_a_position(play, crew, faces, position, words):
    procedure = turned(play, crew)
    crew.press(play.gm, procedure, "roll", faces=faces)
    assert not crew.shown(procedure)
    assert (opening(play)["state"], opening(play)["words"]) == (
        {"position": position, "past": False, "used": False},
        words,
    )
    assert Roll.objects.get().ask["settles"] == "engagement"


def test_the_first_suggestion_of_an_action_is_the_position_that_lies_there(play, crew):
    crew.press(play.gm, turned(play, crew), "roll", faces=(2,))
    usual = next(one for one in drawn(begin(play.mo, scoundrel(play)))["staged"].own if one.name == "usual")
    assert usual.words == "Desperate, standard effect"


def test_a_critical_opens_past_the_first_obstacle(play, crew):
    crew.press(play.gm, turned(play, crew, "bold"), "roll", faces=(6, 6))
    assert opening(play)["words"] == "Opening position: controlled, past the first obstacle"


def test_it_goes_with_the_roll_and_with_the_scene(play, crew):
    procedure = turned(play, crew)
    crew.press(play.gm, procedure, "roll", faces=(2,))
    void_roll(play.gm, Roll.objects.get().pk, key=uuid4())
    assert opening(play) is None and crew.waits(procedure) == [("the GM", "to choose what counts, and roll")]
    crew.press(play.gm, procedure, "roll", faces=(4,))
    assert opening(play)["state"]["position"] == "risky"
    crew.press(play.gm, Procedure.objects.get(kind="engagement", closed_at=None), "use")
    assert opening(play) is None


def test_players_see_what_counts_and_turn_nothing(play, crew, cast):
    procedure = turned(play, crew, "weak_spot")
    assert "it strikes at a weakness" in card(cast.player, cast) and "a daring plan" not in card(cast.player, cast)
    assert "a daring plan" in card(cast.gm, cast)
    for step, whom in (("turn", "bold"), ("roll", "")):
        with pytest.raises(Forbidden):
            crew.press(play.mo, procedure, step, whom=whom)
    with pytest.raises(Conflict):
        crew.press(play.gm, procedure, "turn", whom="luck")
