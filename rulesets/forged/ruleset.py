"""Forged in the Dark: position and effect, stress, resistance, crews (forged.txt and its public rules)."""

from collections.abc import Mapping
from typing import Any

from campaigns.kinds import LogOutcome
from campaigns.kinds import Result as NamedResult
from characters.sheets.conversion import Conversion
from languages.text import gettext_lazy
from rolls.guide import Example
from rolls.ruleset import Ruleset, SettingsGroup
from rulesets.forged import foundry, guide
from rulesets.forged.figures import CrewScheme, CrewStates, ForgedFigures, ForgedScheme, ForgedStates
from rulesets.forged.guide import ForgedExpectation, ForgedOddsPage
from rulesets.forged.procedures import PROCEDURES
from rulesets.forged.rows import Crew, Scoundrel
from rulesets.forged.rules import WORDS, Result, Settings
from rulesets.forged.sheet import CREW, SHEET, ForgedBudget
from rulesets.forged.table import ForgedTable
from rulesets.forged.terms import ForgedCommand, ForgedCorrection, ForgedForm
from rulesets.forged.words import HEADLINES

OUTCOMES = {
    Result.CRITICAL: LogOutcome.CRITICAL,
    Result.FULL: LogOutcome.SUCCESS,
    Result.PARTIAL: LogOutcome.PARTIAL,
    Result.BAD: LogOutcome.FAILURE,
}


class Forged(Ruleset):
    name = "forged"
    label = "Forged in the Dark"
    short = "Forged"
    about = gettext_lazy(
        "Roll a few six-sided dice and keep the highest; before you roll, you agree what’s at risk and what you can win. "
        "For crews, heists and the trouble that follows: most rolls succeed at a price."
    )
    order = 40
    sheets = (SHEET, CREW)
    budget = ForgedBudget
    schemes = {SHEET.name: ForgedScheme(), CREW.name: CrewScheme()}
    figures = {SHEET.name: ForgedFigures()}
    states = {SHEET.name: ForgedStates(), CREW.name: CrewStates()}
    table = ForgedTable()
    form = ForgedForm
    correction = ForgedCorrection
    procedures = PROCEDURES
    rows = (Scoundrel, Crew)
    results = {name.name.lower(): NamedResult(HEADLINES[name], outcome) for name, outcome in OUTCOMES.items()}
    expectation = ForgedExpectation()
    slash = ForgedCommand()
    settings = SettingsGroup(kind=Settings, words=WORDS)
    guide_tables = guide.TABLES
    odds = ForgedOddsPage()
    styles = ("forged/forged.css",)

    def converted(self, file: Mapping[str, Any]) -> Conversion | None:
        return foundry.converted(file)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return guide.example(**asked)
