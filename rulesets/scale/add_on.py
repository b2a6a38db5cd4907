"""The Scale, as an add-on to the rolls of rulesets whose dice can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaigns.kinds import Payload
from campaigns.models import Campaign, GameSession, Viewer
from campaigns.services.log import UnitOfWork
from campaigns.waiting import Pending
from languages.text import gettext_lazy
from rolls.guide.content import Example
from rolls.panels import Panel, Slot
from rolls.ruleset import AddOn, SettingsGroup
from rolls.settings import RollSettings
from rulesets.scale import guide, payloads, shown, words
from rulesets.scale.events import (
    ADD_ON_NAME,
    COPIES,
    MAJOR_BURN,
    MOVED,
    ORACLE_MARKED,
    OUTCOMES,
    TOPICS,
)
from rulesets.scale.odds_page import ScaleOddsPage
from rulesets.scale.queries import history, projection
from rulesets.scale.queries.scale import joins
from rulesets.scale.queries.statistics import ScaleColumns
from rulesets.scale.rules.scale import HELP, WORDS, Settings
from rulesets.scale.services import joining
from rulesets.scale.services.scale import changed, tell_anew


class Scale(AddOn):
    name = ADD_ON_NAME
    label = gettext_lazy("The Scale")
    short = gettext_lazy("Scale")
    primer = gettext_lazy(
        "The gauge at the top shows which way the story leans. Every action roll moves it by its dice: up towards Grace, down "
        "towards Trouble. At 3 either way you’re offered a Burn, to use now or bank; at 8 a Major Burn stops the room and turns "
        "the story."
    )
    settings = SettingsGroup(kind=Settings, words=WORDS, help=HELP)
    odds = ScaleOddsPage()
    guide_tables = guide.TABLES
    styles = ("scale/pages/scale.css",)
    hook = joining.ScaleHook()
    live = "scale/_changes.html"
    on_card = "scale/_on_card.html"
    topics = TOPICS
    outcomes = OUTCOMES
    moves = (MOVED,)
    dice_events = {MAJOR_BURN: "burn", ORACLE_MARKED: ""}
    schema = payloads.WithRolls
    settings_schema = payloads.WithSettings
    copied = COPIES
    columns = ScaleColumns()
    panels: tuple[Panel, ...] = (
        shown.ScalePanel(Slot.PAGE, "scale/_major.html"),
        shown.ScalePanel(Slot.TOP, "scale/panels/top.html"),
        shown.HandPanel(Slot.HAND, "scale/panels/hand.html"),
        shown.ScalePanel(Slot.SIDE, "scale/panels/side.html"),
        shown.StorylinesPanel(Slot.STORYLINES, "scale/panels/storylines.html"),
        shown.StorylinesPanel(Slot.STORYLINE_LINKS, "scale/panels/storyline_links.html"),
        shown.StorylinesPanel(Slot.NO_STORYLINES, "scale/panels/no_storylines.html"),
        shown.ChaptersPanel(Slot.SESSION_STORY, "scale/panels/chapters.html"),
        shown.SessionPanel(Slot.SESSION, "scale/panels/session.html"),
        shown.SessionPanel(Slot.SESSION_PART, "scale/panels/swings.html"),
        shown.ReplayPanel(Slot.REPLAY_TOP, "scale/panels/replay_top.html"),
        shown.ReplayPanel(Slot.REPLAY_SIDE, "scale/panels/replay_side.html"),
        shown.ScalePanel(Slot.OVERLAY, "scale/panels/overlay_scale.html", part="scale"),
        shown.ScalePanel(Slot.OVERLAY, "scale/panels/overlay_major.html", part="major"),
    )

    def joins(self, names: Sequence[str], settings: RollSettings) -> bool:
        return joins(names, settings)

    def describe(self, payload: Payload) -> Payload:
        return words.describe(payload)

    def aside(self, why: str, roll: Payload) -> str:
        return joining.aside(why, roll)

    def settings_changed(self, campaign: Campaign, now: RollSettings, then: RollSettings) -> Mapping[str, Any]:
        return changed(campaign, now, then)

    def check(self, campaign: Campaign) -> Iterable[str]:
        return projection.check(campaign)

    def recap(self, viewer: Viewer, session: GameSession) -> Iterable[tuple[str, list[str]]]:
        return history.recap(viewer, session)

    def waiting(self, viewer: Viewer) -> Iterable[Pending]:
        return shown.waiting(viewer)

    def players_changed(self, work: UnitOfWork) -> None:
        tell_anew(work)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return guide.example(**asked)
