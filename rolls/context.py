"""What every page of a campaign shows of its rolls."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from campaigns.access import Seat
from rolls.services.state import open_majors


def majors(request: HttpRequest) -> dict[str, Any]:
    """`major_burns` that are not narrated: they cannot be missed, whatever page one is on. Elsewhere nothing."""
    seat: Seat | None = getattr(request, "seat", None)
    if seat is None:
        return {}
    # Lazily, since a fragment has no room for a dialog.
    return {
        "major_burns": SimpleLazyObject(lambda: open_majors(seat)),
        "major_actions": "rolls/_major_actions.html",
        "role": seat.role.value,
    }
