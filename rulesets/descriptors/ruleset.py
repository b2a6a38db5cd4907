"""Descriptors: free-form traits bought into opposed pools with Will (descriptors.txt)."""

from collections.abc import Sequence
from typing import Any

from campaigns.kinds import LogOutcome, Result
from campaigns.models import Viewer
from campaigns.queries.play import ClosingAction, ExpiringItem
from languages.text import gettext_lazy
from rolls.forms.asked import played
from rolls.guide import Example
from rolls.ruleset import Ruleset, SettingsGroup, Slot
from rulesets.descriptors import guide
from rulesets.descriptors.figures import DescriptorsFigures, DescriptorsScheme, DescriptorsStates
from rulesets.descriptors.guide import DescriptorsExpectation, DescriptorsOddsPage
from rulesets.descriptors.panels import ClingingPanel, KeysPanel, UnclaimedPanel, unclaimed_keys
from rulesets.descriptors.procedures.contest import Contest
from rulesets.descriptors.procedures.pools import UseForm
from rulesets.descriptors.procedures.recovery import Recovery
from rulesets.descriptors.procedures.refreshment import Escalation, Refreshment
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.settings import HELP, WORDS, Settings
from rulesets.descriptors.sheet import SHEET, DescriptorsBudget
from rulesets.descriptors.table import HEADLINES, DescriptorsTable
from rulesets.descriptors.terms import NAME, DescriptorsForm


class Descriptors(Ruleset):
    name = NAME
    label = gettext_lazy("Descriptors: free traits in opposed pools")
    short = "Descriptors"
    about = gettext_lazy(
        "Anything that’s true of someone is a phrase with dice: a trade, a grudge, a lamp. Each roll leaves new ones behind. "
        "For tables that make up their world as they go and want one rule for all of it."
    )
    order = 20
    sheets = (SHEET,)
    budget = DescriptorsBudget
    schemes = {SHEET.name: DescriptorsScheme()}
    figures = {SHEET.name: DescriptorsFigures()}
    states = {SHEET.name: DescriptorsStates()}
    table = DescriptorsTable()
    form = DescriptorsForm
    procedures = {
        "contest": played(NAME, Contest, {"use": UseForm}),
        "recovery": played(NAME, Recovery, {"use": UseForm}),
        "scene_descriptor": played(NAME, SceneDescriptor),
        "refreshment": played(NAME, Refreshment),
        "escalation": played(NAME, Escalation),
    }
    results = {
        "win": Result(HEADLINES["win"], LogOutcome.SUCCESS),
        "loss": Result(HEADLINES["loss"], LogOutcome.FAILURE),
        "stalemate": LogOutcome.STALEMATE,
    }
    expectation = DescriptorsExpectation()
    settings = SettingsGroup(kind=Settings, words=WORDS, help=HELP)
    guide_tables = guide.TABLES
    odds = DescriptorsOddsPage()
    live = "descriptors/live.html"
    panels = (
        KeysPanel(Slot.HAND, "descriptors/keys_panel.html"),
        ClingingPanel(Slot.SIDE, "descriptors/clinging_panel.html"),
        UnclaimedPanel(Slot.SESSION_PART, "descriptors/unclaimed.html"),
    )
    styles = ("descriptors/descriptors.css",)

    def guide_example(self, *args: Any, **asked: Any) -> Example:
        return guide.example(**asked)

    def endings(self, viewer: Viewer, closes: ClosingAction) -> Sequence[ExpiringItem]:
        """Return the Keys for which nothing was claimed, before a session ends."""
        return unclaimed_keys(viewer) if closes is ClosingAction.SESSION else ()
