"""The Scale in the lists of rules: those of the guide, of the odds, of a campaign's settings, and of the log's filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import scale
from campaigns.models import Viewer
from campaigns.services.log import UnitOfWork
from campaigns.waiting import Pending
from languages.text import gettext_lazy
from rolls.guide import scale as pages
from rolls.guide.content import Example
from rolls.odds.scale import ScaleOddsPage
from rolls.ruleset import Rules, SettingsGroup
from scale.counting import joins
from scale.events import MAJOR_BURN, NAME, ORACLE_MARKED, OUTCOMES, TOPICS
from scale.rules.scale import HELP, WORDS, Settings
from scale.services.scale import tell_anew
from scale.shown import waiting


class TheScale(Rules):
    name = NAME
    label = gettext_lazy("The Scale")
    short = gettext_lazy("Scale")
    primer = gettext_lazy(
        "The gauge at the top shows which way the story leans. Every action roll moves it by its dice: up towards Grace, down "
        "towards Trouble. At 3 either way you’re offered a Burn, to use now or bank; at 8 a Major Burn stops the room and turns "
        "the story."
    )
    settings = SettingsGroup(kind=Settings, words=WORDS, help=HELP)
    odds = ScaleOddsPage()
    guide_tables = pages.TABLES
    styles = ("scale/pages/scale.css",)
    topics = TOPICS
    outcomes = OUTCOMES
    dice_events = {MAJOR_BURN: "burn", ORACLE_MARKED: ""}

    @property
    def guide(self) -> Path:
        return Path(scale.__path__[0]) / "guide.toml"

    def takes_part(self, names: Sequence[str], decided: Mapping[str, Any]) -> bool:
        return joins(names, decided)

    def waiting(self, viewer: Viewer) -> Iterable[Pending]:
        return waiting(viewer)

    def players_changed(self, work: UnitOfWork) -> None:
        tell_anew(work)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return pages.example(**asked)


THE_SCALE = TheScale()
