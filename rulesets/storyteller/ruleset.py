"""Storyteller: pools of ten-sided dice against a difficulty, the Rule of One, botches, Willpower (storyteller.txt)."""

from collections.abc import Mapping
from typing import Any

from campaigns.kinds import LogOutcome
from characters.advancement import FreeScheme
from characters.sheets.conversion import Conversion
from languages.text import gettext_lazy
from rolls.forms.asked import played
from rolls.guide import Example
from rolls.ruleset import Ruleset, SettingsGroup
from rulesets.storyteller import foundry, guide
from rulesets.storyteller.creation import StorytellerBudget
from rulesets.storyteller.figures import StorytellerFigures, StorytellerStates
from rulesets.storyteller.guide import StorytellerExpectation, StorytellerOddsPage
from rulesets.storyteller.procedures.attack import Attack
from rulesets.storyteller.procedures.conflict import Conflict, StrikeForm
from rulesets.storyteller.procedures.extended import Extended
from rulesets.storyteller.procedures.opposed import Opposed
from rulesets.storyteller.rules.roll import SEVERITY_WORDS
from rulesets.storyteller.settings import HELP, WORDS, Settings
from rulesets.storyteller.sheet import SHEET
from rulesets.storyteller.table import StorytellerTable
from rulesets.storyteller.terms import StorytellerCommand, StorytellerCorrection, StorytellerForm


class Storyteller(Ruleset):
    name = "storyteller"
    label = "Storyteller"
    about = gettext_lazy(
        "Handfuls of ten-sided dice for who you are and what you’ve learned, and Willpower for when it matters. "
        "For dark, personal stories of people with power over others, and what it makes of them."
    )
    order = 10
    sheets = (SHEET,)
    budget = StorytellerBudget
    schemes = {SHEET.name: FreeScheme(SHEET)}
    figures = {SHEET.name: StorytellerFigures()}
    states = {SHEET.name: StorytellerStates()}
    table = StorytellerTable()
    form = StorytellerForm
    correction = StorytellerCorrection
    procedures = {
        "extended": played("storyteller", Extended),
        "opposed": played("storyteller", Opposed),
        "conflict": played("storyteller", Conflict, {"attack": StrikeForm}),
        "attack": played("storyteller", Attack),
    }
    results = {"success": LogOutcome.SUCCESS, "failure": LogOutcome.FAILURE, "botch": LogOutcome.BOTCH}
    expectation = StorytellerExpectation()
    slash = StorytellerCommand()
    settings = SettingsGroup(kind=Settings, words=WORDS, help=HELP, codes={"botch_names": SEVERITY_WORDS})
    guide_tables = guide.TABLES
    odds = StorytellerOddsPage()
    styles = ("storyteller/storyteller.css",)

    def converted(self, file: Mapping[str, Any]) -> Conversion | None:
        return foundry.converted(file)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return guide.example(**asked)
