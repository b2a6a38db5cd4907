"""What the panels of Descriptors show (rolls/panels.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaigns.closing import ClosingAction, ExpiringItem
from campaigns.models import GameSession, Viewer
from rulesets.descriptors import queries
from rulesets.descriptors.sheet import SHEET

Context = dict[str, Any]


def keys(viewer: Viewer, session: GameSession | None) -> Context:
    return {"those": queries.keys_of(viewer)}


def clinging(viewer: Viewer, session: GameSession | None) -> Context:
    return queries.clinging(viewer)


def unclaimed(viewer: Viewer, session: GameSession | None) -> Context | None:
    """On the page of a session: the Keys for which nothing was claimed in it."""
    those = queries.unclaimed(viewer, session) if session else []
    return {"those": those} if those else None


def unclaimed_keys(viewer: Viewer, closes: ClosingAction) -> Sequence[ExpiringItem]:
    """What is listed before a session ends (campaigns/closing.py)."""
    if closes is not ClosingAction.SESSION or SHEET.name not in viewer.campaign.systems:
        return []
    session = GameSession.objects.filter(campaign=viewer.campaign, ended_at=None).first()
    those = queries.unclaimed(viewer, session) if session else []
    return [ExpiringItem("descriptors/_unclaimed_of.html", {"of": one}, key=str(one)) for one in those]
