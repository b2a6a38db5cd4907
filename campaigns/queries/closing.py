"""Whether a GM is about to close the scene, or the session: told once, so that everybody may do something about what ends."""

from __future__ import annotations

from typing import Any

from campaigns.closing import ClosingAction, endings
from campaigns.events import CLOSING_TOLD
from campaigns.models import Campaign, Event, Viewer
from campaigns.models.streams import TABLE
from campaigns.queries.play import open_session


def about_to_close(campaign: Campaign) -> ClosingAction | None:
    """What is about to be closed; None where that was called off, or has come to pass."""
    session = open_session.first(campaign=campaign.pk)
    if session is None:
        return None
    announced = Event.objects.filter(campaign=campaign, stream__name=TABLE, session=session, kind=CLOSING_TOLD)
    last = announced.select_related("stored").order_by("-seq").first()
    scene = getattr(session, "open_scene", None)
    if (
        last is None
        or not last.is_readable
        or last.scene_id != (scene.pk if scene else None)
        or not last.payload["what"]
    ):
        return None
    return ClosingAction(last.payload["what"])


def closing(viewer: Viewer) -> dict[str, Any] | None:
    """As campaigns/_closing.html draws it; None where nothing is about to be closed."""
    closes = about_to_close(viewer.campaign)
    return {"closes": closes, "endings": endings(viewer, closes)} if closes else None
