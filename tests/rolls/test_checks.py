"""What is wrong with a ruleset is said in sentences as the site starts; a package of others is left out, and the site runs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps

from campaigns.forms.fields import LineField
from campaigns.kinds import LogOutcome, Result
from campaigns.schema import Code, Schema
from rolls import apps as rolls_apps
from rolls.apps import RulesetConfig
from rolls.checks import problems
from rolls.forms.asked import played
from rolls.forms.base import CorrectionForm, FacesField, ReasonForm
from rolls.registry import LEFT_OUT, RULESETS, all_rules
from rolls.ruleset import SettingsGroup
from rolls.table_rules import RollKind
from rules.acting import Procedure, act
from rules.table import Table
from rulesets.arc.ruleset import Arc
from rulesets.arc.settings import Settings
from rulesets.arc.sheet import SHEET
from rulesets.arc.table import ArcTable
from rulesets.storyteller.ruleset import Storyteller
from rulesets.storyteller.terms import StorytellerCommand


class WrongCard(Schema):
    words: Code
    total: str


class WrongTable(ArcTable):
    schema = WrongCard
    correctable = ("treshold",)
    typed = ("bargain",)


class OneKindTable(ArcTable):
    kinds = {"check": RollKind()}


class WrongCommand(StorytellerCommand):
    words = ("r",)
    places = ("dice",)


class ReachForm(CorrectionForm):
    reach = LineField()


class NeedsWhom(Procedure):
    label = "Wager"

    whom: Code
    stake: int

    @act("Wager")
    def open(self, table: Table) -> None: ...


class SixSided(Storyteller.form):
    roll_input = Storyteller.form.roll_input

    faces = FacesField(6, required=False)


def changed(ruleset, **attributes):
    return type("Wrong", (ruleset,), attributes)()


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.name)
def test_nothing_is_wrong_with_those_of_this_project(rules):
    assert list(problems(rules)) == []


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (changed(Arc, name="Not a name"), "Its name “Not a name” is not 1 to 20 small letters"),
        (changed(Arc, name="other"), "Its first sheet has to be called “other”, as it is."),
        (changed(Arc, name="other"), "The RollInput of its form says that its system is “arc”, and not “other”."),
        (changed(Arc, table=WrongTable()), "`correctable` names “treshold”, which is no field of the form"),
        (changed(Arc, correction=ReasonForm), "Its `correction` is no CorrectionForm."),
        (changed(Arc, correction=ReachForm), "The form that corrects a roll has “reach”, which `correctable` does not"),
        (changed(Storyteller, form=SixSided), "Its form takes faces up to 6, and its `expectation` has no `sides`"),
        (changed(Arc, table=WrongTable()), "`typed` names “bargain”, which its `schema` does not have."),
        (changed(Arc, table=WrongTable()), "Its `schema` has “words”: a card keeps no words"),
        (changed(Arc, table=WrongTable()), "Its `schema` has a str at “total”: say Code, Name or Text"),
        (changed(Arc, table=OneKindTable()), "Its kind of roll “check” has no `prepare`."),
        (
            changed(Arc, table=OneKindTable()),
            "Its form offers the kind of roll “opposed”, which `kinds` does not name.",
        ),
        (
            changed(Arc, results={"success": "triumph"}),
            "`results` say that “success” is “triumph”, which is no outcome",
        ),
        (changed(Arc, results={"success": Result("Won", "triumph")}), "“success” is “triumph”, which is no outcome"),
        (
            changed(Arc, results={"success": LogOutcome.SUCCESS, "match": Result("Success", LogOutcome.CRITICAL)}),
            "`results` call “match” and “success” the same: “Success”.",
        ),
        (changed(Arc, results={"success": Result(" ", LogOutcome.SUCCESS)}), "which is not 1 to 40 letters."),
        (changed(Arc, successes={"half": True}), "`successes` name “half”, which is none of its `results`."),
        (changed(Arc, schemes={"ark": None}), "Its `schemes` name “ark”, which is none of its sheets."),
        (
            changed(Arc, procedures={"wager": played("arc", NeedsWhom)}),
            "Its procedure “wager” has no default for `whom`, `stake`.",
        ),
        (changed(Arc, live="arc/none.html"), "There is no template arc/none.html."),
        (changed(Arc, settings=SettingsGroup(kind=Settings, words={})), "has no `words`."),
        (changed(Storyteller, slash=WrongCommand()), "does not begin with a slash"),
        (changed(Storyteller, slash=WrongCommand()), "fills in “dice”, which is no field of its form."),
        (changed(Arc, guide_tables={}, guide=RULESETS["arc"].guide), "Its guide.toml names '"),
        (changed(Arc), "There is no "),
        (changed(Arc, tonight=RULESETS["arc"].guide), "Its tonight.toml has no “characters”."),
        (changed(Arc, tonight=Path(__file__)), "Its tonight.toml cannot be read: "),
    ],
)
def test_a_wrong_name_is_said_in_a_sentence(rules, said):
    assert any(sentence.startswith(said) or said in sentence for sentence in problems(rules))


@pytest.mark.parametrize("there", [{"label": "Wager"}, {"open": NeedsWhom.open}])
def test_a_procedure_without_a_name_or_a_beginning_is_named(there):
    rows = type("Unbegun", (Procedure,), there | {"__module__": __name__})
    with pytest.raises(TypeError, match="Unbegun has no `label`, or no act `open`"):
        played("arc", rows)


def test_a_slot_and_a_resource_that_name_no_field_are_said(monkeypatch):
    layout = SimpleNamespace(
        bands=(("nowhere",),), gathers=(), slots=("dice", "skill"), resources=(SimpleNamespace(
            name="luck", flags=(), counts=(), length="", figure=""
        ),)
    )  # fmt: skip
    monkeypatch.setattr(SHEET, "layout", layout)
    said = " ".join(problems(RULESETS["arc"]))
    assert "names “nowhere”, which is no group of it" in said
    assert "`slots` of its sheet “arc” name “dice”, which is no field of its form" in said
    assert "A resource of its sheet “arc” names “luck”" in said


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        ({}, "has 0 subclasses of Ruleset, and has to have one."),
        ({"Wrong": type("Wrong", (Arc,), {"name": "outside", "__module__": "outside.ruleset"})}, "Its first sheet has"),
        ({"Wrong": type("Wrong", (Arc,), {"table": None, "__module__": "outside.ruleset"})}, "AttributeError"),
    ],
)
def test_a_package_of_others_with_which_something_is_wrong_is_left_out(contents, said, monkeypatch, caplog):
    before = dict(RULESETS)
    module = SimpleNamespace(__name__="outside.ruleset", **contents)
    monkeypatch.setattr(rolls_apps, "import_module", lambda name: module)
    config = RulesetConfig("outside", SimpleNamespace(__path__=["/outside"]))
    config.apps = apps
    try:
        config.ready()
        assert said in LEFT_OUT["outside"] and "outside" in caplog.text
        assert before == RULESETS
    finally:
        LEFT_OUT.pop("outside", None)
