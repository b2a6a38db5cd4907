"""Under which scene an event stands, where that is not the one in which it was written: events themselves never change."""

from __future__ import annotations

from typing import NamedTuple

from django.db import models
from django.db.models import Q

from campaigns.models.log import Event, EventQuerySet
from campaigns.models.play import GameSession, Scene


class SceneOverride(models.Model):
    """The scene that an event was put under later. There is none for events that stand where they were written."""

    event = models.OneToOneField(Event, primary_key=True, on_delete=models.PROTECT, related_name="filing")
    scene = models.ForeignKey(Scene, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.event} under {self.scene}"


class Moved(NamedTuple):
    """Ids of events: those put `here` from elsewhere, and those put `away` from here."""

    here: list[int]
    away: list[int]


def moved(*, session: int | None = None, scene: int | None = None) -> Moved:
    """What was put under a session or a scene, and what was taken from it. One query, and few events: each was moved by hand."""
    now, then = ("scene__session", "event__session") if scene is None else ("scene", "event__scene")
    pk = session if scene is None else scene
    rows = SceneOverride.objects.filter(Q(**{now: pk}) | Q(**{then: pk})).values_list("event", now, then)
    return Moved(
        here=[event for event, at, was in rows if at == pk != was], away=[event for event, at, _ in rows if at != pk]
    )


def filed_in(events: EventQuerySet, session: GameSession) -> EventQuerySet:
    """Those that stand in a session now. Few ids, and not a join: the index by session goes on leading."""
    here, away = moved(session=session.pk)
    return events.filter(Q(session=session) | Q(pk__in=here)).exclude(pk__in=away)


def place_of(event: Event) -> tuple[GameSession | None, Scene | None]:
    """Where an event stands now."""
    filing: SceneOverride | None = getattr(event, "filing", None)
    return (filing.scene.session, filing.scene) if filing else (event.session, event.scene)
