"""Putting an event under another scene. It stays as it was written; another one says from where to where it went, and why.

How the evening itself went does not change by it: its replay and its check go by when things happened.
"""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid, NotFound
from campaigns.events import (
    EVENT_REFILED,
    MOMENT_PINNED,
    MOMENT_UNPINNED,
    SAID,
    SCENE_CLOSED,
    SCENE_OPENED,
    SCENE_TITLED,
    SESSION_ENDED,
    SESSION_STARTED,
    SESSION_TITLED,
)
from campaigns.models import Event, Membership, Pin, Role, Scene, SceneOverride
from campaigns.models.play import now_of
from campaigns.models.scene_overrides import place_of
from campaigns.services.log import UnitOfWork, service

# They make the very order that the others are put into, or only tell of another event.
FIXED = frozenset(
    {
        EVENT_REFILED,
        SESSION_STARTED,
        SESSION_TITLED,
        SESSION_ENDED,
        SCENE_OPENED,
        SCENE_TITLED,
        SCENE_CLOSED,
        MOMENT_PINNED,
        MOMENT_UNPINNED,
    }
)


def may_refile(event: Event, by: Membership) -> bool:
    """Whether somebody may put it under another scene: GMs, and those whose words they are."""
    return event.kind not in FIXED and (by.is_gm or (event.kind == SAID and event.actor_id == by.pk))


@service(Role.PLAYER)
def refile(work: UnitOfWork, uid: UUID, scene: Scene | None, *, reason: str = "", key: UUID) -> Event:
    """Put an event under a scene of any session, in all streams that tell of it; None puts it back where it was written.

    Raises NotFound for what is not one's own to move and for a scene of another table, Invalid where it stands there already.
    """
    tellings = Event.objects.filter(campaign=work.campaign, uid=uid).select_related(
        "stream", "session", "scene", "filing__scene__session"
    )
    events = [event for event in tellings.order_by("pk") if may_refile(event, work.by)]
    if not events or (scene and scene.session.campaign_id != work.campaign.pk):
        raise NotFound
    if place_of(events[0]) == ((scene.session, scene) if scene else (events[0].session, events[0].scene)):
        raise Invalid("It stands there already.", field="scene")
    return [_refile(work, event, scene, reason) for event in events][-1]


def _refile(work: UnitOfWork, event: Event, scene: Scene | None, reason: str) -> Event:
    before = place_of(event)
    now = (scene.session, scene) if scene else (event.session, event.scene)
    if scene is None or scene == event.scene:
        SceneOverride.objects.filter(event=event).delete()
    else:
        SceneOverride.objects.update_or_create(event=event, defaults={"scene": scene})
    if now[0]:
        Pin.objects.filter(campaign=work.campaign, uid=event.uid).update(session=now[0])
    payload = {"of": str(event.uid), "before": now_of(*before), "now": now_of(*now), "reason": reason}
    return work.record(EVENT_REFILED, payload, stream=event.stream.name, parent=event)
