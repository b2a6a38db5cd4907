"""Descriptors: free-form traits bought into opposed pools with Will (descriptors.txt)."""

from pathlib import Path

from campaigns.kinds import LogOutcome
from rolls.panels import Panel, Place
from rolls.ruleset import Guide, OddsPage, Ruleset, SettingsGroup
from rulesets.descriptors import guide_examples, guide_tables, odds_page, shown
from rulesets.descriptors.advancement import DescriptorsScheme
from rulesets.descriptors.creation import DescriptorsBudget
from rulesets.descriptors.expectation import EXPECTATION
from rulesets.descriptors.figures import FIGURES
from rulesets.descriptors.forms import DescriptorsForm
from rulesets.descriptors.odds_form import DescriptorsOdds
from rulesets.descriptors.procedures import PROCEDURES
from rulesets.descriptors.settings import HELP, WORDS, Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.states import STATES
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
    states={SHEET.name: STATES},
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
    panels=(
        Panel(place=Place.HAND, template="descriptors/keys_panel.html", context=shown.keys),
        Panel(place=Place.SIDE, template="descriptors/clinging_panel.html", context=shown.clinging),
        Panel(place=Place.SESSION_PART, template="descriptors/unclaimed.html", context=shown.unclaimed),
    ),
    styles=("descriptors/descriptors.css",),
)
