"""What a released version left behind is brought to the newest migrations, and is all there: no release may lose a table's log.

Where this fails because what a version wrote has changed before that version was released: `python -m tests.released`.
"""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from campaigns.live.render import UNDRAWN
from campaigns.models import Campaign, Event, GameSession, Membership, Role
from campaigns.services import play
from campaigns.views import log
from config.keeping import restore
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.storyteller.table import RollInput
from tests.browser.servers import new_database
from tests.databases import another_database
from tests.flows.matrix import MATRIX
from tests.released import FOLDER, SUFFIXES, kept, version

PAGES = [name for name, (how, _, named) in MATRIX.items() if "GET" in how and not named]


@pytest.fixture
def left(request, transactional_db, tmp_path) -> Iterator[Path]:
    """A backup that a released version made, and an empty database to work on."""
    with ExitStack() as stack:
        name, file = str(tmp_path / "upgraded.sqlite3"), request.param
        if connection.vendor == "postgresql":
            name = stack.enter_context(new_database(os.environ["DATABASE_URL"])).rpartition("/")[2]
        else:
            file = tmp_path / "unpacked"
            file.write_bytes(lzma.decompress(request.param.read_bytes()))
        stack.enter_context(another_database(name))
        yield file


def checked() -> str:
    told = StringIO()
    call_command("check_log", stdout=told)
    return told.getvalue()


def test_there_is_one_of_this_version_for_each_kind_of_database():
    assert {path.name for path in FOLDER.iterdir()} >= {f"{version()}{suffix}" for suffix in SUFFIXES.values()}


@pytest.mark.parametrize("left", kept(connection.vendor), indirect=True, ids=lambda file: file.name)
def test_what_a_release_left_is_migrated_read_checked_and_played_on(left, monkeypatch, settings):
    settings.DICE_SOURCE = "rolls.services.dice.fair_dice"
    monkeypatch.setattr(log, "PAGE", 10_000)
    assert restore(left) == 1
    assert "all as they were written" in checked()
    campaign = Campaign.objects.get()
    everything_is_read(campaign)
    everybody_plays_on(campaign)
    assert "all as they were written" in checked()


def everything_is_read(campaign: Campaign) -> None:
    for role in Role:
        viewer = Membership.objects.filter(campaign=campaign, role=role, left_at=None).select_related("user").first()
        client = Client()
        client.force_login(viewer.user)
        for name in PAGES:
            status = client.get(reverse(name, args=[campaign.slug])).status_code
            assert status in ((200, 302) if role is Role.GM else (200, 302, 403)), (name, role)
        for number in GameSession.objects.filter(campaign=campaign).values_list("number", flat=True):
            further = reverse("replay_events", args=[campaign.slug, number])
            while further:
                answer = client.get(further)
                further = answer.json()["further"] if answer.status_code == 200 else ""
        assert UNDRAWN not in client.get(reverse("log", args=[campaign.slug])).content.decode(), role


def everybody_plays_on(campaign: Campaign) -> None:
    mo = Membership.objects.get(campaign=campaign, user__username="mo")
    before = Event.objects.filter(campaign=campaign).count()
    play.say(mo, "Where were we?", key=uuid4())
    rolled = make_roll(mo, RollInput(dice=3), audience=Audience.TABLE, key=uuid4())
    assert Roll.objects.get(pk=rolled.pk).proof
    assert Event.objects.filter(campaign=campaign).count() >= before + 2
