"""VI-VIII-X: known and unknown scores, and one die by the skill (arc.txt)."""

from pathlib import Path

from campaigns.kinds import LogOutcome
from characters.free_advancement import FreeScheme
from rolls.ruleset import Guide, OddsPage, Ruleset, SettingsGroup
from rulesets.arc import guide_examples, guide_tables, odds_page
from rulesets.arc.creation import ArcBudget
from rulesets.arc.expectation import EXPECTATION
from rulesets.arc.figures import FIGURES
from rulesets.arc.forms import ArcForm
from rulesets.arc.odds_form import ArcOdds
from rulesets.arc.procedures import PROCEDURES
from rulesets.arc.settings import ENTRIES, WORDS, Settings
from rulesets.arc.sheet import SHEET
from rulesets.arc.states import STATES
from rulesets.arc.table import TABLE

RULESET = Ruleset(
    name="arc",
    label="VI-VIII-X: scores and one die",
    short="VI-VIII-X",
    about="Two scores and a single die, against a threshold or somebody. One of the scores only the GM knows: nobody is quite "
    "sure of themselves. For mysteries and close calls, with rules for fights, wounds and fear.",
    order=30,
    sheets=(SHEET,),
    budget=ArcBudget,
    schemes={SHEET.name: FreeScheme(SHEET)},
    figures={SHEET.name: FIGURES},
    states={SHEET.name: STATES},
    table=TABLE,
    procedures=PROCEDURES,
    form=ArcForm,
    results={"success": LogOutcome.SUCCESS, "failure": LogOutcome.FAILURE},
    expectation=EXPECTATION,
    settings=SettingsGroup(kind=Settings, words=WORDS, entries=ENTRIES),
    guide=Guide(
        path=Path(__file__).with_name("guide.toml"),
        tables=guide_tables.TABLES,
        example=guide_examples.example,
    ),
    odds=OddsPage(
        name="VI-VIII-X",
        summary="A check against a threshold or another’s check, what the die of every ES brings, and reaction.",
        examples=(
            ("ES 5, more than 0 needed", "?es=5&needed=0"),
            ("ES 3 against 7, two ahead", "?es=3&against=7&lead=2"),
        ),
        form=ArcOdds,
        sections=odds_page.sections,
    ),
    live="arc/live.html",
    styles=("arc/arc.css",),
)
