"""What the panels of the Scale show on the pages of a campaign (rolls/panels.py)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.utils.functional import SimpleLazyObject

from campaigns.models import GameSession, Viewer
from campaigns.waiting import Pending
from rolls.panels import Panel
from rulesets.scale.queries import replay, sessions, state
from rulesets.scale.queries.counting import moves_scales

Context = dict[str, Any]


def waiting(viewer: Viewer) -> Iterable[Pending]:
    """Offers, effects to choose, Major Burns to narrate."""
    burns = state.unsettled(viewer)
    return (burn["waiting"] for burn in (*state.open_offers(viewer, burns), *state.open_majors(viewer, burns)))


class ScalePanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        """All that is open on the Scale: Burns that wait are read once for every panel, and each part when a panel draws it.

        `majors` are those that are not narrated: they cannot be missed, whatever page one is on.
        """
        burns = SimpleLazyObject(partial(state.unsettled, viewer))
        shows = moves_scales(viewer.campaign)
        return {
            "shows": shows,
            "label": "Scale and offers" if shows else "",
            "majors": SimpleLazyObject(partial(state.open_majors, viewer, burns)),
            "scales": SimpleLazyObject(partial(state.scale_states, viewer, burns)),
            "offers": SimpleLazyObject(partial(state.open_offers, viewer, burns)),
            "burns": SimpleLazyObject(partial(state.burn_rows, viewer, burns)),
        }


class HandPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context:
        return {"carried": state.carried(viewer)}


class StorylinesPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return {} if moves_scales(viewer.campaign) else None


class ChaptersPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return sessions.chapters(viewer, session)


class SessionPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return sessions.shown(viewer, session)


class ReplayPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> Context | None:
        return replay.shown(viewer, session)
