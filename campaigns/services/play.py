"""Game sessions, the scenes in them, and what is said at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Max

from campaigns.errors import Invalid, Missing, Waiting
from campaigns.events import (
    SAID,
    SCENE_CLOSED,
    SCENE_OPENED,
    SCENE_TITLED,
    SESSION_ENDED,
    SESSION_STARTED,
    SESSION_TITLED,
)
from campaigns.facts import About, person
from campaigns.kinds import EventKind
from campaigns.models import Event, GameSession, Membership, Role, Scene
from campaigns.models.play import Manner, now_of
from campaigns.models.streams import TABLE
from campaigns.services.edits import based_on
from campaigns.services.log import Table, at_table


@at_table(Role.GM)
def start_session(table: Table, title: str = "", *, key: UUID) -> GameSession:
    """Open the next session. Raises Waiting while one is open."""
    if table.session:
        raise Waiting(f"{table.session} is still open. End it first.")
    earlier = GameSession.objects.filter(campaign=table.campaign)
    table.session = earlier.create(campaign=table.campaign, number=_next(earlier), title=title, started_at=table.now)
    _tell(table, SESSION_STARTED, _about_session(table.session), table.session.facts())
    return table.session


@at_table(Role.GM)
def end_session(table: Table, *, key: UUID) -> GameSession:
    """End the open session, and with it its scene. Raises Waiting if none is open."""
    session = _open_session(table)
    _close_scene(table)
    session.ended_at = table.now
    session.save(update_fields=["ended_at"])
    # Its last event still belongs to it, but it says that nothing is open any more.
    facts = {**session.facts(), "now": now_of(None, None)}
    table.record(SESSION_ENDED, facts, about=[_about_session(session)])
    return session


@at_table(Role.GM)
def title_session(table: Table, session: GameSession, title: str, *, seen: str, key: UUID) -> GameSession:
    """Give a session another title. `seen` is the version of its title when the form was made; raises Stale."""
    found = GameSession.objects.filter(campaign=table.campaign, pk=session.pk).first()
    if found is None:
        raise Missing
    about, before = _about_session(found), found.title
    based_on(table.campaign, about, seen=seen, current={"title": before})
    if title != before:
        found.title = title
        found.save(update_fields=["title"])
        if table.session == found:
            table.session = found
        _tell(table, SESSION_TITLED, _about_session(found), {**found.facts(), "before": before})
    return found


@at_table(Role.GM)
def open_scene(table: Table, title: str = "", *, key: UUID) -> Scene:
    """Open the next scene of the open session; the one before it closes. Raises Waiting if no session is open."""
    session = _open_session(table)
    _close_scene(table)
    earlier = Scene.objects.filter(session=session)
    table.scene = earlier.create(session=session, number=_next(earlier), title=title, opened_at=table.now)
    _tell(table, SCENE_OPENED, _about_scene(table.scene), table.scene.facts())
    return table.scene


@at_table(Role.GM)
def close_scene(table: Table, *, key: UUID) -> Scene:
    """Close the open scene. Raises Waiting if none is open."""
    scene = table.scene
    if scene is None:
        raise Waiting("No scene is open.")
    _close_scene(table)
    return scene


@at_table(Role.GM)
def title_scene(table: Table, scene: Scene, title: str, *, seen: str, key: UUID) -> Scene:
    """Give a scene another title; as `title_session`."""
    found = Scene.objects.select_related("session").filter(session__campaign=table.campaign, pk=scene.pk).first()
    if found is None:
        raise Missing
    about, before = _about_scene(found), found.title
    based_on(table.campaign, about, seen=seen, current={"title": before})
    if title != before:
        found.title = title
        found.save(update_fields=["title"])
        if table.scene == found:
            table.scene = found
        _tell(table, SCENE_TITLED, _about_scene(found), {**found.facts(), "before": before})
    return found


@at_table(Role.PLAYER)
def say(table: Table, words: str, *, key: UUID) -> Event:
    """Say something out of character."""
    return speak(table, Manner.PLAYER, words)


@at_table(Role.GM)
def narrate(table: Table, words: str, *, key: UUID) -> Event:
    """Tell what happens in the story."""
    return speak(table, Manner.NARRATION, words)


@at_table(Role.PLAYER)
def whisper(table: Table, words: str, *, to: Sequence[Membership], key: UUID) -> Event:
    """Say something to chosen members. It stands in the stream of each of them and of the speaker, all under one uid.

    Raises Invalid for nobody, for the speaker alone, and for somebody who has left the table.
    """
    chosen = {member.pk for member in to} - {table.by.pk}
    if not chosen:
        raise Invalid("Choose somebody to whisper to.", field="to")
    listeners = list(
        Membership.objects.here().select_related("user").filter(campaign=table.campaign, pk__in=chosen).order_by("pk")
    )
    if len(listeners) < len(chosen):
        raise Invalid("Somebody you chose is no longer at this table. Nothing was sent.", field="to")
    for member in listeners:
        speak(table, Manner.WHISPER, words, stream=member.stream, to=listeners)
    return speak(table, Manner.WHISPER, words, stream=table.by.stream, to=listeners)


def speak(
    table: Table,
    manner: Manner,
    words: str,
    *,
    voice: About | None = None,
    to: Sequence[Membership] = (),
    stream: str = TABLE,
) -> Event:
    """Record what was said, inside a deed. `voice` is who speaks in the story ("character:<uuid>"), for Manner.CHARACTER."""
    if not words:
        raise Invalid("Write something first.", field="text")
    facts = {
        "manner": manner.value,
        "words": words,
        "voice": {"id": voice.key.partition(":")[2], "name": voice.name} if voice else None,
        "to": [person(member) for member in to],
    }
    return table.record(SAID, facts, stream=stream, about=[voice] if voice else [])


def _open_session(table: Table) -> GameSession:
    if table.session is None:
        raise Waiting("No session is open. Start one first.")
    return table.session


def _close_scene(table: Table) -> None:
    if scene := table.scene:
        scene.closed_at = table.now
        scene.save(update_fields=["closed_at"])
        facts = {**scene.facts(), "now": now_of(table.session, None)}
        table.record(SCENE_CLOSED, facts, about=[_about_scene(scene)])
        table.scene = None


def _next(earlier: Any) -> int:
    return (earlier.aggregate(last=Max("number"))["last"] or 0) + 1


def _tell(table: Table, kind: EventKind, about: About, facts: dict[str, Any]) -> None:
    table.record(kind, {**facts, "now": now_of(table.session, table.scene)}, about=[about])


def _about_session(session: GameSession) -> About:
    return About(f"session:{session.pk}", str(session))


def _about_scene(scene: Scene) -> About:
    return About(f"scene:{scene.pk}", str(scene))
