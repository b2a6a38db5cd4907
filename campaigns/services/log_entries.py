"""Pin entries of the log, put their words right, put them under another scene."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.events import (
    EVENT_REFILED,
    MOMENT_PINNED,
    MOMENT_UNPINNED,
    SAID,
    SAID_AMENDED,
    SCENE_CLOSED,
    SCENE_OPENED,
    SCENE_TITLED,
    SESSION_ENDED,
    SESSION_STARTED,
    SESSION_TITLED,
)
from campaigns.kinds import EventKind
from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventSubject,
    GameSession,
    Membership,
    Pin,
    Role,
    Scene,
    SceneOverride,
    Written,
)
from campaigns.models.log import person, persons, place_of
from campaigns.models.members import TABLE
from campaigns.models.play import now_of
from campaigns.queries.log_lines import in_batches
from campaigns.queries.standing import FOUND_BY
from campaigns.services.log import UnitOfWork, service
from campaigns.services.undo import puts_back


@service(Role.PLAYER)
def pin(work: UnitOfWork, uid: UUID, *, key: UUID) -> GameSession:
    """Pin a moment, and return its session; pinning it twice is doing it once. Raises NotFound for what the one who pins
    may not see, Invalid for what happened outside of every session.
    """
    events = _told(work, uid)
    # What happened outside of every session can be moved into one and out again, and would take its pin with it.
    session = place_of(events[0])[0] if events[0].session else None
    if session is None or events[0].kind in (MOMENT_PINNED, MOMENT_UNPINNED):
        raise Invalid(_("You can only pin what happens in a session."))
    __, new = Pin.objects.get_or_create(
        campaign=work.campaign, uid=uid, defaults={"session": session, "by": work.by, "at": work.now}
    )
    if new:
        _tell(work, MOMENT_PINNED, events)
    return session


@service(Role.PLAYER)
def unpin(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Remove a pin. Raises Forbidden for a player who did not set it; without one, nothing happens."""
    events = _told(work, uid)
    stored_pin = Pin.objects.filter(campaign=work.campaign, uid=uid).first()
    if stored_pin is None:
        return
    if stored_pin.by_id != work.by.pk and not work.by.is_gm:
        raise Forbidden(_("Only a GM and the person who pinned this can unpin it."))
    stored_pin.delete()
    _tell(work, MOMENT_UNPINNED, events)


def _told(work: UnitOfWork, uid: UUID) -> list[Event]:
    """Return all tellings of a moment; at least one of them is for the one who acts."""
    events = list(
        Event.objects.filter(campaign=work.campaign, uid=uid).select_related("stream", "session").order_by("pk")
    )
    if not any(_may_see(work.by, event) for event in events):
        raise NotFound
    return events


def _may_see(member: Membership, event: Event) -> bool:
    return member.is_gm or event.stream.name in (TABLE, member.stream)


def _tell(work: UnitOfWork, kind: EventKind, events: list[Event]) -> None:
    """Record an event for exactly those who see the moment itself."""
    payload = {"of": str(events[0].uid)}
    streams = sorted({event.stream.name for event in events})
    for stream in [TABLE] if TABLE in streams else streams:
        work.record(kind, payload, stream=stream)


def may_amend(event: Event, by: Membership) -> bool:
    """Return whether a member may correct these words: GMs, and who said them."""
    return event.kind == SAID and (by.is_gm or event.actor_id == by.pk)


@service(Role.PLAYER)
def amend_words(work: UnitOfWork, uid: UUID, words: str, *, reason: str = "", key: UUID) -> Event:
    """Correct words in all their streams. Raises NotFound for words that the member may not correct, Invalid for
    unchanged ones.
    """
    tellings = Event.objects.filter(campaign=work.campaign, uid=uid).select_related("stream", "stored", "actor__user")
    events = [event for event in tellings.order_by("pk") if may_amend(event, work.by)]
    if not events:
        raise NotFound
    if not words or words == last_words(events[0]):
        raise Invalid(_("Write the new text."), field="words")
    return [_amend(work, event, words, reason) for event in events][-1]


def last_words(event: Event) -> str:
    """Return what was said, in its last correction."""
    later = Event.objects.filter(parent=event, kind=SAID_AMENDED).select_related("stored").order_by("pk").last()
    return str((later or event).payload["words"])


@puts_back("said")
def _strike_out(work: UnitOfWork, uid: UUID, written: Written, why: Any) -> None:
    """Leave nothing of words that a step said which is undone, whatever they were edited to since."""
    for event in Event.objects.filter(campaign=work.campaign, uid=uid).with_related():
        _amend(work, event, "", "")


def _amend(work: UnitOfWork, event: Event, words: str, reason: str) -> Event:
    payload = {
        "of": str(event.uid),
        "who": person(event.actor) if event.actor else None,
        "manner": event.payload["manner"],
        "original": event.payload["words"],
        "words": words,
        "reason": reason,
    }
    return work.record(SAID_AMENDED, payload, stream=event.stream.name, parent=event)


# These create the order into which the others are put, or only refer to another event.
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
    """Return whether a member may move the event to another scene: GMs, and who said these words."""
    return event.kind not in FIXED and (by.is_gm or (event.kind == SAID and event.actor_id == by.pk))


@service(Role.PLAYER)
def refile(work: UnitOfWork, uid: UUID, scene: Scene | None, *, reason: str = "", key: UUID) -> Event:
    """File an event under a scene of any session, in all its streams; None returns it to where it was written.

    Raises NotFound for events that the member may not move and for a scene of another table, Invalid if it is already there.
    """
    tellings = Event.objects.filter(campaign=work.campaign, uid=uid).select_related(
        "stream", "session", "scene", "filing__scene__session"
    )
    events = [event for event in tellings.order_by("pk") if may_refile(event, work.by)]
    if not events or (scene and scene.session.campaign_id != work.campaign.pk):
        raise NotFound
    if place_of(events[0]) == ((scene.session, scene) if scene else (events[0].session, events[0].scene)):
        raise Invalid(_("It’s already in this scene."), field="scene")
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


# Rebuild the index by which the log's pages find events. Unlike the events it may change: a release may index more.


@dataclass
class Reindexed:
    """The number of events with a changed index, and of those that cannot be read."""

    changed: int = 0
    unreadable: int = 0


def reindex(campaign: Campaign | None = None) -> Reindexed:
    """Rewrite each entry of the index, of one campaign or of all, and its copies beside subjects, that differs from its event.
    People named in an event become its subjects again.
    """
    done = Reindexed()
    events = Event.objects.filter(campaign=campaign) if campaign else Event.objects.all()
    for event in in_batches(events.select_related("stream", "stored", "index")):
        if event.is_readable:
            done.changed += _put_right(event)
        else:
            done.unreadable += 1
    return done


def after_migrations(plan: Sequence[tuple[Any, bool]] = (), using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Rebuild the index after a release's migrations, and print how many events it cannot read."""
    executor = MigrationExecutor(connections[using])
    if not plan or executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if unreadable := reindex().unreadable:
        sys.stderr.write(
            f"{unreadable} entries of logs cannot be read by this version; `manage.py check_log` names them.\n"
        )


def _put_right(event: Event) -> bool:
    # In this order, as a new entry replaces the stored one on its event.
    stored = getattr(event, "index", None)
    right = EventIndex.of(event)
    same = stored is not None and all(getattr(stored, what) == getattr(right, what) for what in FOUND_BY)
    if not same:
        EventIndex.objects.update_or_create(event=event, defaults={what: getattr(right, what) for what in FOUND_BY})
    beside = {"topic": right.topic, "outcome": right.outcome}
    subjects = EventSubject.objects.filter(event=event)
    moved = subjects.exclude(**beside).update(**beside)
    known = {*subjects.values_list("key", flat=True)}
    missing = {key: name for key, name in persons(event.payload) if key not in known}
    EventSubject.objects.bulk_create(
        EventSubject(event=event, key=key, name=name, **beside) for key, name in missing.items()
    )
    return not same or bool(moved) or bool(missing)
