"""The context of every page of a campaign from its rulesets and the Scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from campaigns.models import GameSession, Viewer
from rolls.registry import RULESETS
from rolls.ruleset import Panel, Shown
from rolls.scale import THE_SCALE
from scale.shown import ScaleShown


class Panels:
    """The panels that a viewer sees, by the name of their slot. A panel's content is read when its slot is drawn."""

    def __init__(self, viewer: Viewer, session: GameSession | None = None) -> None:
        self.viewer, self.session = viewer, session
        self.played = [RULESETS[name] for name in RULESETS if name in viewer.campaign.systems]
        self.contexts: dict[type[Panel], Mapping[str, Any] | None] = {}

    def __getitem__(self, slot: str) -> list[Shown]:
        there = (panel for rules in self.played for panel in rules.panels if panel.slot == slot)
        drawn = ((panel, self._context(panel)) for panel in there)
        return [Shown(panel.template, context) for panel, context in drawn if context is not None]

    def _context(self, panel: Panel) -> Mapping[str, Any] | None:
        """Panels of one class are asked once."""
        if type(panel) not in self.contexts:
            self.contexts[type(panel)] = panel.context(self.viewer, self.session)
        return self.contexts[type(panel)]


def rules(request: HttpRequest) -> dict[str, Any]:
    """Return `panels` by slot, `the_scale`, the viewer's `role` and the `ruleset_styles` for templates; {} outside a campaign."""
    viewer: Viewer | None = getattr(request, "viewer", None)
    if viewer is None:
        return {}
    panels = Panels(viewer)
    return {
        "panels": panels,
        "the_scale": ScaleShown(viewer),
        "role": viewer.role.value,
        "ruleset_styles": [style for rules in (*panels.played, THE_SCALE) for style in rules.styles],
    }


def of_session(viewer: Viewer, session: GameSession) -> dict[str, Any]:
    """Return the same `panels` and `the_scale` for a page about a session."""
    return {"panels": Panels(viewer, session), "the_scale": ScaleShown(viewer, session)}
