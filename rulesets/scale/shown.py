"""What the panels of the Scale show on the pages of a campaign (rolls/panels.py)."""

from __future__ import annotations

from typing import Any

from campaigns.models import GameSession, Viewer
from rulesets.scale.queries import state

Context = dict[str, Any]


def majors(viewer: Viewer, session: GameSession | None) -> Context:
    """Major Burns that are not narrated: they cannot be missed, whatever page one is on."""
    return {"burns": state.open_majors(viewer)}


def top(viewer: Viewer, session: GameSession | None) -> Context:
    label = "Scale and offers" if state.moves_scales(viewer.campaign) else ""
    return {"label": label, "scales": state.scale_states(viewer), "offers": state.open_offers(viewer)}


def hand(viewer: Viewer, session: GameSession | None) -> Context:
    return {"carried": state.carried(viewer)}


def side(viewer: Viewer, session: GameSession | None) -> Context | None:
    return {"burns": state.burn_rows(viewer)} if state.moves_scales(viewer.campaign) else None


def storylines(viewer: Viewer, session: GameSession | None) -> Context | None:
    return {} if state.moves_scales(viewer.campaign) else None
