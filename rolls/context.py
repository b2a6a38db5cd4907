"""The context of every page of a campaign from its rulesets and add-ons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from campaigns.models import GameSession, Viewer
from rolls.panels import Panel, Shown
from rolls.registry import ADD_ONS, RULESETS, rules_of


class Panels:
    """The panels that a viewer sees, by the name of their slot. A panel's content is read when its slot is drawn."""

    def __init__(self, viewer: Viewer, session: GameSession | None = None) -> None:
        self.viewer, self.session = viewer, session
        played = [RULESETS[name] for name in RULESETS if name in viewer.campaign.systems]
        self.contexts: dict[type[Panel], Mapping[str, Any] | None] = {}
        # An add-on decides itself what it shows where: what it left open is shown even if its rulesets are no longer
        # installed.
        self.by_slot = defaultdict(list)
        for rules in (*played, *ADD_ONS.values()):
            for panel in rules.panels:
                self.by_slot[str(panel.slot)].append(panel)

    def __getitem__(self, slot: str) -> list[Shown]:
        drawn = ((panel, self._context(panel)) for panel in self.by_slot.get(slot, ()))
        return [Shown(panel.template, context, panel.part) for panel, context in drawn if context is not None]

    def _context(self, panel: Panel) -> Mapping[str, Any] | None:
        """Panels of one class are asked once."""
        if type(panel) not in self.contexts:
            self.contexts[type(panel)] = panel.context(self.viewer, self.session)
        return self.contexts[type(panel)]


def rules(request: HttpRequest) -> dict[str, Any]:
    """Return `panels` by slot, the viewer's `role` and the `ruleset_styles` for templates; {} outside a campaign."""
    viewer: Viewer | None = getattr(request, "viewer", None)
    if viewer is None:
        return {}
    played = rules_of(viewer.campaign)
    every = [*played, *(add_on for add_on in ADD_ONS.values() if add_on not in played)]
    return {
        "panels": Panels(viewer),
        "role": viewer.role.value,
        "ruleset_styles": [style for rules in every for style in rules.styles],
    }
