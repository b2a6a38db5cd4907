"""What pages of a campaign show of the Scale: `the_scale` in their templates (rolls/context.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from campaigns.models import GameSession, Viewer
from campaigns.waiting import Pending
from scale.counting import moves_scales
from scale.queries import history
from scale.queries.scale import burn_rows, carried, open_majors, open_offers, scale_states

Drawn = Sequence[dict[str, Any]]


def waiting(viewer: Viewer) -> Iterable[Pending]:
    """Return offers, effects to choose, and Major Burns to narrate."""
    return (burn["waiting"] for burn in (*open_offers(viewer), *open_majors(viewer)))


class ScaleShown:
    """The Scales of a campaign and their Burns, as this viewer sees them, and what they did in a session; each part is read
    when it is drawn.

    What is open is shown even if the rules that count dice are no longer installed; `shows` is whether any are.
    """

    def __init__(self, viewer: Viewer, session: GameSession | None = None) -> None:
        self.viewer, self.session = viewer, session

    @cached_property
    def shows(self) -> bool:
        return moves_scales(self.viewer.campaign)

    @cached_property
    def majors(self) -> Drawn:
        """Major Burns that are not narrated yet: every page shows them."""
        return open_majors(self.viewer)

    @cached_property
    def scales(self) -> Drawn:
        return scale_states(self.viewer)

    @cached_property
    def offers(self) -> Drawn:
        return open_offers(self.viewer)

    @cached_property
    def burns(self) -> Drawn:
        return burn_rows(self.viewer)

    @cached_property
    def carried(self) -> Drawn:
        return carried(self.viewer)

    @cached_property
    def chapters(self) -> Drawn:
        """The Major Burns of the session that were narrated."""
        return history.chapters(self.viewer, self.session) if self.session else []

    @cached_property
    def lines(self) -> Sequence[history.Line]:
        """A chart for each Scale that moved in the session."""
        return history.lines_of(self.viewer, self.session) if self.session else []

    @cached_property
    def swings(self) -> Sequence[history.Move]:
        """The biggest moves of the session."""
        return history.swings(self.lines)

    @cached_property
    def then(self) -> dict[str, Drawn]:
        """The Scales and Burns just before the session."""
        scales, burns = history.beginning(self.viewer, self.session) if self.session else ([], [])
        return {"scales": scales, "burns": burns}
