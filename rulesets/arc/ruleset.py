"""VI-VIII-X: known and unknown scores, and one die by the skill (arc.txt)."""

from typing import Any

from campaigns.kinds import LogOutcome
from characters.advancement import FreeScheme
from languages.text import gettext_lazy as _
from rolls.forms.asked import played
from rolls.guide import Example
from rolls.ruleset import Ruleset, SettingsGroup
from rulesets.arc import forms, guide
from rulesets.arc.creation import ArcBudget
from rulesets.arc.events import ORDER_ROLLED
from rulesets.arc.figures import ArcFigures, ArcStates
from rulesets.arc.procedures.check import Check
from rulesets.arc.procedures.tracker import Tracker
from rulesets.arc.settings import ENTRIES, WORDS, Settings
from rulesets.arc.sheet import SHEET
from rulesets.arc.table import ArcTable
from rulesets.arc.terms import NAME, ArcForm


class Arc(Ruleset):
    name = NAME
    label = _("VI-VIII-X: scores and one die")
    short = "VI-VIII-X"
    about = _(
        "Two scores and one die, against a threshold or an opponent. Only the GM knows one of the scores, so no one is quite "
        "sure of themselves. For mysteries and close calls, with rules for fights, wounds and fear."
    )
    order = 30
    sheets = (SHEET,)
    budget = ArcBudget
    schemes = {SHEET.name: FreeScheme(SHEET)}
    figures = {SHEET.name: ArcFigures()}
    states = {SHEET.name: ArcStates()}
    table = ArcTable()
    form = ArcForm
    procedures = {
        "check": played(NAME, Check, forms.CHECK),
        "tracker": played(NAME, Tracker, forms.TRACKER),
    }
    results = {"success": LogOutcome.SUCCESS, "failure": LogOutcome.FAILURE}
    expectation = guide.ArcExpectation()
    settings = SettingsGroup(kind=Settings, words=WORDS, entries=ENTRIES)
    guide_tables = guide.TABLES
    odds = guide.ArcOddsPage()
    dice_events = {ORDER_ROLLED: ""}
    live = "arc/live.html"
    styles = ("arc/arc.css",)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return guide.example(**asked)
