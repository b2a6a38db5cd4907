"""What a ruleset need not say, since it follows from the rest of it."""

from __future__ import annotations

from typing import get_args

import pytest

from campaigns.kinds import LogOutcome, Result
from campaigns.models import Role, Viewer
from rolls.context import Panels
from rolls.forms.base import CorrectionForm
from rolls.registry import RULESETS
from rolls.ruleset import Panel, Slot
from rolls.table_rules import CardDie
from rulesets.arc.ruleset import Arc
from rulesets.arc.table import ArcTable
from rulesets.arc.terms import ArcInput


@pytest.fixture
def arc():
    return RULESETS["arc"]


def test_it_goes_by_its_label_where_nothing_shorter_is_given(arc):
    class Unabridged(Arc):
        short = ""

    assert Unabridged().short == arc.label
    assert arc.short == "VI-VIII-X"


def test_its_results_say_what_is_a_success():
    class Halves(Arc):
        results = {"full": LogOutcome.SUCCESS, "half": LogOutcome.PARTIAL, "nothing": LogOutcome.FAILURE}

    class Harsh(Halves):
        successes = {"half": False}

    assert Halves().successes == {"full": True, "half": True, "nothing": False}
    assert Harsh().successes == {"half": False}


def test_a_game_names_its_results_once():
    class Hits(Arc):
        results = {
            "miss": Result("Miss", LogOutcome.FAILURE),
            "match": Result("Miss with a match", LogOutcome.FAILURE),
            "hit": LogOutcome.SUCCESS,
        }

    hits = Hits()
    assert hits.successes == {"miss": False, "match": False, "hit": True}
    assert hits.result_words() == {"miss": "Miss", "match": "Miss with a match", "hit": "Success"}
    assert hits.log_outcomes() == {
        "failure": {"miss": "Miss", "match": "Miss with a match"},
        "success": {"hit": "Success"},
    }
    assert hits.tells_results and not Arc().tells_results


def test_a_correction_has_the_fields_of_the_roll_form(arc):
    form = arc.correction({"threshold": "101", "note": "", "reason": ""})
    assert not form.is_valid()
    assert form.errors == {"threshold": ["A threshold goes from 0 to 100."]}
    assert form["threshold"].label == "Threshold"
    assert list(form.fields) == ["threshold", "note", "reason"]


def test_nothing_is_asked_for_where_nothing_can_be_corrected():
    class FixedTable(ArcTable):
        correctable = ()

    class Fixed(Arc):
        table = FixedTable()

    assert set(Fixed().correction.base_fields) == set(CorrectionForm.base_fields)


@pytest.mark.parametrize("name", list(RULESETS))
def test_the_scale_may_write_on_the_dice_of_every_card(name):
    (die,) = get_args(RULESETS[name].table.schema.model_fields["dice"].annotation)
    assert issubclass(die, CardDie)


def test_what_is_left_empty_in_a_form_is_as_the_input_has_it(arc):
    form = arc.form({"skill": "7", "us": "0", "other": "", "level": ""})
    assert not form.is_valid()
    form = arc.form({"skill": "7", "us": "1", "other": "", "level": "", "note": "in the dark"})
    assert form.is_valid(), form.errors
    assert form.ask() == ArcInput(es=7, us=1, note="in the dark")


def test_its_panels_stand_where_it_says_and_one_without_a_context_is_left_out(play, monkeypatch):
    asked = []

    class Water(Panel):
        def context(self, viewer, session):
            asked.append(viewer)
            return {"water": 3}

    class Nothing(Panel):
        def context(self, viewer, session):
            return None

    panels = (Water(Slot.SIDE, "side.html"), Water(Slot.HAND, "hand.html"), Nothing(Slot.HAND, "none.html"))
    monkeypatch.setattr(RULESETS["descriptors"], "panels", panels)
    shown = Panels(Viewer(play.campaign, play.mo, Role.PLAYER))
    assert [(one.template, one.context) for one in shown["hand"]] == [("hand.html", {"water": 3})]
    assert [one.template for one in shown["side"]] == ["side.html"]
    assert shown["session_part"] == []
    assert len(asked) == 1
