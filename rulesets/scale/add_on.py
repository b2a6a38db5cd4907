"""The Scale, as an add-on to the rolls of rulesets whose dice can be counted."""

from pathlib import Path

from rolls.panels import Panel, Place
from rolls.ruleset import AddOn, Columns, Guide, OddsPage, SettingsGroup
from rulesets.scale import guide_examples, guide_tables, odds_page, shown
from rulesets.scale.events import ADD_ON_NAME, COPIES, MOVED, WITH_ROLLS, WITH_SETTINGS
from rulesets.scale.odds_form import ScaleOdds
from rulesets.scale.queries import counting, replay, sessions, statistics
from rulesets.scale.queries import projection as fold
from rulesets.scale.rules.scale import HELP, WORDS, Settings
from rulesets.scale.services import joining, players, settings
from rulesets.scale.services.joining import HOOK
from rulesets.scale.words import describe

ADD_ON = AddOn(
    name=ADD_ON_NAME,
    label="The Scale",
    short="Scale",
    joins=counting.joins,
    primer="The gauge above what happens tells which way the story leans. Every action roll moves it by what its dice show: up "
    "towards Grace, down towards Trouble. At 3 either way a Burn is offered, to use at once or to keep; at 8 a Major Burn stops "
    "the room and turns the story.",
    settings=SettingsGroup(kind=Settings, words=WORDS, help=HELP),
    guide=Guide(
        path=Path(__file__).with_name("guide.toml"), tables=guide_tables.TABLES, example=guide_examples.example
    ),
    styles=("scale/pages/scale.css",),
    hook=HOOK,
    live="scale/_changes.html",
    on_card="scale/_on_card.html",
    moves=(MOVED,),
    schema=WITH_ROLLS,
    settings_schema=WITH_SETTINGS,
    copied=COPIES,
    describe=describe,
    aside=joining.aside,
    settings_changed=settings.changed,
    check=fold.check,
    columns=Columns(reader=statistics.reader, section=statistics.section),
    recap=sessions.recap,
    waiting=shown.waiting,
    players_changed=players.tell_anew,
    panels=(
        Panel(place=Place.PAGE, template="scale/_major.html", context=shown.table),
        Panel(place=Place.TOP, template="scale/panels/top.html", context=shown.table),
        Panel(place=Place.HAND, template="scale/panels/hand.html", context=shown.hand),
        Panel(place=Place.SIDE, template="scale/panels/side.html", context=shown.table),
        Panel(place=Place.STORYLINES, template="scale/panels/storylines.html", context=shown.storylines),
        Panel(place=Place.STORYLINE_LINKS, template="scale/panels/storyline_links.html", context=shown.storylines),
        Panel(place=Place.NO_STORYLINES, template="scale/panels/no_storylines.html", context=shown.storylines),
        Panel(place=Place.SESSION_STORY, template="scale/panels/chapters.html", context=sessions.chapters),
        Panel(place=Place.SESSION, template="scale/panels/session.html", context=sessions.shown),
        Panel(place=Place.SESSION_PART, template="scale/panels/swings.html", context=sessions.shown),
        Panel(place=Place.REPLAY_TOP, template="scale/panels/replay_top.html", context=replay.shown),
        Panel(place=Place.REPLAY_SIDE, template="scale/panels/replay_side.html", context=replay.shown),
    ),
    odds=OddsPage(
        name="The Scale",
        summary="What a roll sets off from where the Scale stands and where it leads, how long until the next Major Burn, "
        "and whether it is Grace.",
        examples=(
            ("Five dice from 0", "?scale=0&dice=5&difficulty=6"),
            ("Near the edge, with Trouble in the bank", "?scale=-6&banked=trouble&dice=6&difficulty=7"),
        ),
        form=ScaleOdds,
        sections=odds_page.sections,
    ),
)
