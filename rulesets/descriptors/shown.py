"""What the panels of Descriptors show (rolls/panels.py), and what is listed before a session ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaigns.models import GameSession, Viewer
from campaigns.queries.play import ExpiringItem
from rolls.panels import Panel
from rulesets.descriptors import queries

Context = dict[str, Any]


class KeysPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        return {"those": queries.keys_of(viewer)}


class ClingingPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        return queries.clinging(viewer)


class UnclaimedPanel(Panel):
    """On the page of a session: the Keys for which nothing was claimed in it."""

    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        unclaimed = queries.unclaimed(viewer, session) if session else []
        return {"those": unclaimed} if unclaimed else None


def unclaimed_keys(viewer: Viewer) -> Sequence[ExpiringItem]:
    session = GameSession.objects.filter(campaign=viewer.campaign, ended_at=None).first()
    unclaimed = queries.unclaimed(viewer, session) if session else []
    return [ExpiringItem("descriptors/_unclaimed_of.html", {"of": bearer}, key=str(bearer)) for bearer in unclaimed]
