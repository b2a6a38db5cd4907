"""What the panels of the Scale show on the pages of a campaign (rolls/panels.py)."""

from __future__ import annotations

from typing import Any

from campaigns.access import Seat
from campaigns.models import GameSession
from rulesets.scale.services import state

Context = dict[str, Any]


def majors(seat: Seat, session: GameSession | None) -> Context:
    """Major Burns that are not narrated: they cannot be missed, whatever page one is on."""
    return {"burns": state.open_majors(seat)}


def top(seat: Seat, session: GameSession | None) -> Context:
    label = "Scale and offers" if state.moves_scales(seat.campaign) else ""
    return {"label": label, "scales": state.scale_states(seat), "offers": state.open_offers(seat)}


def hand(seat: Seat, session: GameSession | None) -> Context:
    return {"carried": state.carried(seat)}


def side(seat: Seat, session: GameSession | None) -> Context | None:
    return {"burns": state.burn_rows(seat)} if state.moves_scales(seat.campaign) else None


def storylines(seat: Seat, session: GameSession | None) -> Context | None:
    return {} if state.moves_scales(seat.campaign) else None
