"""The panels of the Scale on the pages of a campaign (rolls/panels.py)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from campaigns.models import GameSession, Viewer
from campaigns.waiting import Pending
from rolls.panels import Panel
from rulesets.scale.queries import history
from rulesets.scale.queries.scale import (
    burn_rows,
    carried,
    moves_scales,
    open_majors,
    open_offers,
    scale_states,
)

Context = dict[str, Any]


def waiting(viewer: Viewer) -> Iterable[Pending]:
    """Return offers, effects to choose, and Major Burns to narrate."""
    return (burn["waiting"] for burn in (*open_offers(viewer), *open_majors(viewer)))


class ScalePanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        """Return everything open on the Scale; each part is read when a panel draws it.

        `majors` are not narrated yet: every page shows them.
        """
        shows = moves_scales(viewer.campaign)
        parts = {"majors": open_majors, "scales": scale_states, "offers": open_offers, "burns": burn_rows}
        lazily = {name: SimpleLazyObject(partial(part, viewer)) for name, part in parts.items()}
        return {"shows": shows, "label": _("Scale and offers") if shows else "", **lazily}


class HandPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        return {"carried": carried(viewer)}


class StorylinesPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return {} if moves_scales(viewer.campaign) else None


class ChaptersPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return history.chapters(viewer, session)


class SessionPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        """Return a chart for each Scale that moved in the session, and the biggest swings."""
        lines = history.lines_of(viewer, session) if session else []
        return {"lines": lines, "swings": history.swings(lines)} if lines else None


class ReplayPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        """Return the Scales and Burns at the beginning of the session, and whether they are listed."""
        if session is None:
            return None
        scales, burns = history.beginning(viewer, session)
        return {"scales": scales, "burns": burns, "listed": moves_scales(viewer.campaign)}
