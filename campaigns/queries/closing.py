"""Whether a GM is about to close the scene, or the session: told once, so that everybody may do something about what ends."""

from __future__ import annotations

from typing import Any

from campaigns.closing import Closes, endings
from campaigns.events import CLOSING_TOLD
from campaigns.models import Campaign, Event, GameSession, Viewer
from campaigns.models.streams import TABLE


def about_to_close(campaign: Campaign) -> Closes | None:
    """What is about to be closed; None where that was called off, or has come to pass."""
    session = GameSession.objects.filter(campaign=campaign, ended_at=None).first()
    if session is None:
        return None
    told = Event.objects.filter(campaign=campaign, stream__name=TABLE, session=session, kind=CLOSING_TOLD)
    last = told.select_related("stored", "scene").order_by("-seq").first()
    scene = session.scenes.filter(closed_at=None).first()
    if last is None or last.scene_id != (scene.pk if scene else None) or not last.payload["what"]:
        return None
    return Closes(last.payload["what"])


def closing(viewer: Viewer) -> dict[str, Any] | None:
    """As campaigns/_closing.html draws it; None where nothing is about to be closed."""
    closes = about_to_close(viewer.campaign)
    return {"closes": closes, "endings": endings(viewer, closes)} if closes else None
