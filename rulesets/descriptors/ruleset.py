"""Descriptors: free-form traits bought into opposed pools with Will (descriptors.txt)."""

from pathlib import Path

from campaigns.kinds import LogOutcome
from rolls.ruleset import Guide, OddsPage, Ruleset, SettingsGroup
from rulesets.descriptors import guide_examples, guide_tables, odds_page
from rulesets.descriptors.advancement import DescriptorsScheme
from rulesets.descriptors.creation import DescriptorsBudget
from rulesets.descriptors.expectation import EXPECTATION
from rulesets.descriptors.figures import FIGURES
from rulesets.descriptors.forms import DescriptorsForm
from rulesets.descriptors.odds_form import DescriptorsOdds
from rulesets.descriptors.procedures import PROCEDURES
from rulesets.descriptors.settings import HELP, WORDS, Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.table import TABLE

RULESET = Ruleset(
    name="descriptors",
    label="Descriptors: free traits in opposed pools",
    short="Descriptors",
    about="Whatever is true of somebody is a word with dice: a trade, a grudge, a lamp. Each roll leaves new words behind. "
    "For tables that make up their world as they go, and want one rule for all of it.",
    order=20,
    sheets=(SHEET,),
    budget=DescriptorsBudget,
    schemes={SHEET.name: DescriptorsScheme()},
    figures={SHEET.name: FIGURES},
    table=TABLE,
    form=DescriptorsForm,
    procedures=PROCEDURES,
    results={"win": LogOutcome.SUCCESS, "loss": LogOutcome.FAILURE, "stalemate": LogOutcome.STALEMATE},
    expectation=EXPECTATION,
    settings=SettingsGroup(kind=Settings, words=WORDS, help=HELP),
    guide=Guide(
        path=Path(__file__).with_name("guide.toml"),
        tables=guide_tables.TABLES,
        example=guide_examples.example,
    ),
    odds=OddsPage(
        name="Descriptors",
        summary="Pool against pool: who wins, how often it is a stalemate, and with how many successes.",
        examples=(("Three dice against two", "?a=3&b=2"), ("Two against two", "?a=2&b=2")),
        form=DescriptorsOdds,
        sections=odds_page.sections,
    ),
    live="descriptors/live.html",
    styles=("descriptors/descriptors.css",),
)
