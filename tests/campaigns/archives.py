"""Logs that were imported up to 0.2: forged beside the campaign that they were taken from, or of a server that is no more."""

from __future__ import annotations

import json
from datetime import datetime
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from campaigns import chain
from campaigns.models import (
    Campaign,
    Event,
    EventIndex,
    EventPayload,
    EventSubject,
    GameSession,
    Membership,
    Role,
    Scene,
    Stream,
)
from campaigns.models.log import persons
from campaigns.services import play
from tests.cast import person
from tests.databases import empty

ELSEWHERE = "11111111-2222-4333-8444-555555555555"


def take(client, slug, **filters):
    return client.get(reverse("log_export", args=[slug]), filters).getvalue().decode()


def bring(user, text):
    """Return an archive as versions up to 0.2 made it of a log's lines: its events, its people, and nothing else."""
    lines, now = [json.loads(line) for line in text.splitlines()], timezone.now()
    name = next(line["payload"]["name"] for line in lines if line["kind"] == "campaigns.campaign_made")
    campaign = Campaign.objects.create(
        pk=lines[0]["campaign"],
        slug=f"{name.lower()}-archive",
        name=name,
        systems=["storyteller"],
        imported_at=now,
        archived_at=now,
    )
    people = {}
    for line in lines:
        for key, called in persons(line["payload"]):
            people[int(key.partition(":")[2])] = called
    members = {
        number: Membership.objects.create(
            campaign=campaign, role=_role(lines, number), called=called, abroad=number, joined_at=now, left_at=now
        )
        for number, called in people.items()
    }
    places, streams, events = {}, {}, {}
    for line in lines:
        session, scene = _place(campaign, line, places)
        stream = streams.get(line["stream"]) or Stream.objects.create(campaign=campaign, name=line["stream"])
        stream.seq, stream.head = line["seq"], line["hash"]
        streams[stream.name] = stream
        parent = line["amends"] and events[line["amends"]["stream"], line["amends"]["seq"]]
        bound = {name: line[name] for name in ("seq", "uid", "kind", "commitment", "hash")}
        event = Event.objects.create(
            campaign=campaign,
            stream=stream,
            actor=members.get(line["actor"]),
            at=datetime.fromisoformat(line["at"]),
            session=session,
            scene=scene,
            parent=parent,
            **bound,
        )
        event.stored = EventPayload.objects.create(
            event=event, salt=line["salt"], payload=line["payload"], erased_at=now if line["erased"] else None
        )
        events[stream.name, event.seq] = event
        entry = EventIndex.of(event)
        entry.save(force_insert=True)
        EventSubject.objects.bulk_create(
            EventSubject(event=event, key=key, name=called, topic=entry.topic, outcome=entry.outcome)
            for key, called in dict(persons(event.payload)).items()
        )
    for stream in streams.values():
        stream.save()
    gm = Membership.objects.newcomer(campaign, user)
    gm.role, gm.joined_at = Role.GM, now
    gm.save()
    return campaign


def _role(lines, number):
    made = any(line["kind"] == "campaigns.campaign_made" and line["actor"] == number for line in lines)
    return Role.GM if made else Role.PLAYER


def _place(campaign, line, places):
    session, scene = line["session"], line["scene"]
    if session and session not in places:
        at = datetime.fromisoformat(line["at"])
        places[session] = GameSession.objects.create(campaign=campaign, number=session, started_at=at, ended_at=at)
    if scene and (session, scene) not in places:
        at = datetime.fromisoformat(line["at"])
        places[session, scene] = Scene.objects.create(session=places[session], number=scene, opened_at=at, closed_at=at)
    return places.get(session), places.get((session, scene))


def written(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def forged(lines):
    """Return the lines, whatever they say, linked correctly as another campaign's."""
    heads = {}
    for line in lines:
        line["campaign"] = ELSEWHERE
        line["commitment"] = chain.commit(line["salt"], line["payload"])
        line["prev"] = heads.get(line["stream"]) or chain.first_link(ELSEWHERE, line["stream"])
        bound = {name: line[name] for name in ("stream", "seq", "kind", "actor", "commitment")}
        line["hash"] = chain.link(line["prev"], campaign_id=ELSEWHERE, at=datetime.fromisoformat(line["at"]), **bound)
        heads[line["stream"]] = line["hash"]
    return lines


@pytest.fixture
def lines(cast):
    """Return a short log, forged to come from another server."""
    play.start_session(cast.gm.member, "One", key=uuid4())
    play.open_scene(cast.gm.member, "Door", key=uuid4())
    play.say(cast.player.member, "Hello", key=uuid4())
    play.whisper(cast.player.member, "psst", to=[cast.gm.member], key=uuid4())
    return forged([json.loads(line) for line in take(cast.gm.client, "ashes").splitlines()])


@pytest.fixture
def moved(played, cast):
    """Return (a GM's export from a server that is gone, the GM's new account on this empty one)."""
    return moved_away(cast)


def moved_away(cast):
    log = take(cast.gm.client, cast.campaign.slug)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    empty()
    return log, person("gm", "New Here")
