"""Forged in the Dark: position and effect, stress, resistance, crews (forged.txt and its public rules)."""

from pathlib import Path

from campaigns.kinds import LogOutcome
from rolls.ruleset import Guide, OddsPage, Ruleset, SettingsGroup
from rulesets.forged import crew, guide_examples, guide_tables, odds_page
from rulesets.forged.advancement import CrewScheme, ForgedScheme
from rulesets.forged.creation import ForgedBudget
from rulesets.forged.expectation import EXPECTATION
from rulesets.forged.figures import FIGURES
from rulesets.forged.forms import ForgedCorrection, ForgedForm
from rulesets.forged.odds_form import ForgedOdds
from rulesets.forged.procedures import PROCEDURES
from rulesets.forged.rules.full_tracks import FOLLOWS
from rulesets.forged.settings import WORDS, Settings
from rulesets.forged.sheet import SHEET
from rulesets.forged.slash import SLASH
from rulesets.forged.states import CREW_STATES, STATES
from rulesets.forged.table import TABLE

RULESET = Ruleset(
    name="forged",
    label="Forged in the Dark",
    short="Forged",
    about="A few six-sided dice, of which the highest counts; before they fall you settle what is at risk and what can be won. "
    "For crews, heists and trouble that follows: most rolls succeed at a price.",
    order=40,
    sheets=(SHEET, crew.SHEET),
    budget=ForgedBudget,
    schemes={SHEET.name: ForgedScheme(), crew.SHEET.name: CrewScheme()},
    figures={SHEET.name: FIGURES},
    states={SHEET.name: STATES, crew.SHEET.name: CREW_STATES},
    table=TABLE,
    form=ForgedForm,
    correction=ForgedCorrection,
    results={
        "critical": LogOutcome.CRITICAL,
        "full": LogOutcome.SUCCESS,
        "partial": LogOutcome.PARTIAL,
        "bad": LogOutcome.FAILURE,
    },
    expectation=EXPECTATION,
    slash=SLASH,
    settings=SettingsGroup(kind=Settings, words=WORDS),
    guide=Guide(
        path=Path(__file__).with_name("guide.toml"),
        tables=guide_tables.TABLES,
        example=guide_examples.example,
    ),
    odds=OddsPage(
        name="Forged in the Dark",
        summary="Results by number of dice, zero and below included, stress of resisting, group actions and fortune.",
        examples=(
            ("Two dice", "?dice=2"),
            ("No dice at all", "?dice=0"),
            ("A group of three", "?pools=3, 1, 0"),
        ),
        form=ForgedOdds,
        sections=odds_page.sections,
    ),
    styles=("forged/forged.css",),
    procedures=PROCEDURES,
    follows=FOLLOWS,
)
