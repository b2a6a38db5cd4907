"""The engagement roll at the table: what it costs, and the position that it leaves for the first action
(rules/test_engagement.py for the rest)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden
from campaigns.models import Written
from rolls.models import Roll
from rolls.queries.procedures import open_procedures
from rolls.services.undoing import undo_line
from tests.cast import seat_at
from tests.rolls.views.test_procedures import card
from tests.rulesets.forged.procedures.staged import begin, shown
from tests.rulesets.forged.table.forged import scoundrel, stress


def opening(play):
    return next((one["chip"] for one in open_procedures(seat_at(play.mo)) if one["kind"] == "engagement"), None)


def test_a_push_is_paid_for_and_stands_on_the_card_of_the_roll(play, crew):
    procedure = crew.begin("engage")
    crew.press(play.gm, procedure, "more_dice", push=crew.cross.pk, more=1, why="Inside man")
    crew.press(play.gm, procedure, "roll", faces=(1, 2, 5))
    card = Roll.objects.get().event.described
    assert [(one["words"], one["dice"]) for one in card["extras"]] == [("push", 1), ("Inside man", 1)]
    assert stress(crew.cross) == 5 and Roll.objects.get().ask["settles"] == "engagement"


def test_the_first_suggestion_of_an_action_is_the_position_that_lies_there_and_uses_it_up(play, crew):
    crew.press(play.gm, crew.begin("engage"), "roll", faces=(2,))
    procedure = begin(play.mo, scoundrel(play))
    assert (
        shown(play.gm, procedure)["now"]["position"] == "desperate" and opening(play) == "Opening position: desperate"
    )


def test_a_gm_undoes_it_from_the_line_of_its_roll_which_alone_tells_of_it(play, crew):
    procedure = crew.begin("engage")
    crew.press(play.gm, procedure, "roll", faces=(2,))
    told = Roll.objects.get().event.uid
    assert told in Written.objects.lines(play.gm.campaign).values_list("told", flat=True) and opening(play)
    undo_line(play.gm, told, key=uuid4())
    assert Roll.objects.get().voided_at and not opening(play)
    crew.press(play.gm, procedure, "roll", faces=(6,))
    assert opening(play) == "Opening position: controlled"


def test_players_see_what_counts_and_turn_nothing(play, crew, cast):
    procedure = crew.begin("engage")
    crew.press(play.gm, procedure, "turn", whom="weak_spot")
    assert "it strikes at a weakness" in card(cast.player, cast) and "a daring plan" not in card(cast.player, cast)
    assert "a daring plan" in card(cast.gm, cast)
    for step, whom in (("turn", "bold"), ("roll", "")):
        with pytest.raises(Forbidden):
            crew.press(play.mo, procedure, step, whom=whom)
    with pytest.raises(Conflict):
        crew.press(play.gm, procedure, "turn", whom="luck")
