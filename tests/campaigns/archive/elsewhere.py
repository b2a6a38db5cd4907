"""Logs that come from another server: forged beside the campaign that they were taken from, or of a server that is no more."""

from __future__ import annotations

import io
import json
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse

from campaigns import chain
from campaigns.archive.reader import moment
from campaigns.archive.services import import_campaign
from campaigns.services import play
from tests.cast import person
from tests.databases import empty

ELSEWHERE = "11111111-2222-4333-8444-555555555555"


def take(client, slug, **filters):
    return client.get(reverse("log_export", args=[slug]), filters).getvalue().decode()


def bring(user, text, key=None):
    return import_campaign(user, io.BytesIO(text.encode()), key=key or uuid4())


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
        line["hash"] = chain.link(line["prev"], campaign_id=ELSEWHERE, at=moment(line), **bound)
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
