"""Storyteller: pools of ten-sided dice against a difficulty, the Rule of One, botches, Willpower (storyteller.txt)."""

from pathlib import Path

from campaigns.kinds import LogOutcome
from characters.free_advancement import FreeScheme
from rolls.ruleset import Guide, OddsPage, Ruleset, SettingsGroup
from rulesets.storyteller import guide_examples, guide_tables, odds_page
from rulesets.storyteller.creation import StorytellerBudget
from rulesets.storyteller.expectation import EXPECTATION
from rulesets.storyteller.figures import FIGURES
from rulesets.storyteller.forms import StorytellerCorrection, StorytellerForm
from rulesets.storyteller.odds_form import StorytellerOdds
from rulesets.storyteller.procedures import PROCEDURES
from rulesets.storyteller.settings import HELP, WORDS, Settings
from rulesets.storyteller.sheet import SHEET
from rulesets.storyteller.slash import SLASH
from rulesets.storyteller.states import STATES
from rulesets.storyteller.table import TABLE

RULESET = Ruleset(
    name="storyteller",
    label="Storyteller",
    about="Handfuls of ten-sided dice for who you are and what you have learned, and Willpower for when it matters. "
    "For dark, personal stories of people with power over others, and of what that makes of them.",
    order=10,
    sheets=(SHEET,),
    budget=StorytellerBudget,
    schemes={SHEET.name: FreeScheme(SHEET)},
    figures={SHEET.name: FIGURES},
    states={SHEET.name: STATES},
    table=TABLE,
    form=StorytellerForm,
    correction=StorytellerCorrection,
    results={"success": LogOutcome.SUCCESS, "failure": LogOutcome.FAILURE, "botch": LogOutcome.BOTCH},
    expectation=EXPECTATION,
    slash=SLASH,
    settings=SettingsGroup(kind=Settings, words=WORDS, help=HELP),
    guide=Guide(
        path=Path(__file__).with_name("guide.toml"),
        tables=guide_tables.TABLES,
        example=guide_examples.example,
    ),
    odds=OddsPage(
        name="Storyteller rolls",
        summary="Botch, failure and each degree of success for a pool against a difficulty, what the roll gives the Scale, "
        "and every pool at every difficulty.",
        examples=(
            ("Five dice at difficulty 6", "?dice=5&difficulty=6"),
            ("The same with a Willpower point", "?dice=5&difficulty=6&willpower=on"),
            ("Two dice do worse than one", "?dice=2&difficulty=2"),
        ),
        form=StorytellerOdds,
        sections=odds_page.sections,
    ),
    styles=("storyteller/storyteller.css",),
    procedures=PROCEDURES,
)
