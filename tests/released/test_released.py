"""What a release left behind is brought to the newest migrations, and is all there: no release may lose a table's log."""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from io import StringIO
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from campaigns.chain import moment
from campaigns.errors import Blocked
from campaigns.events import LOG_RESTORED
from campaigns.live.render import UNDRAWN, render_line
from campaigns.models import Campaign, Clock, Event, GameSession, Membership, Role, Storyline, Written
from campaigns.services import play
from campaigns.views import log
from campaigns.views.log import FORMS
from characters.events import FIELD_CHANGED
from characters.models import Character, Claim, LedgerEntry
from characters.services.ledger import refund_advance
from config.keeping import restore
from rolls.events import PROCEDURE_CLOSED, REQUEST_CLOSED
from rolls.models import Audience, Procedure, Roll, RollRequest
from rolls.services.rolls import make_roll, void_roll
from rolls.services.scale import undo_newest
from rules.procedures import UPGRADED
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn, Scale
from tests.browser.servers import new_database
from tests.databases import another_database
from tests.flows.matrix import MATRIX, SAME
from tests.released import FOLDER, SUFFIXES, kept, version

PAGES = {name: named for name, (how, _, named) in MATRIX.items() if "GET" in how}
OTHERS = {"number": 1, "scene_number": 1, "system": "storyteller", "kind": "extended", "name": "grace", "step": "set"}


@pytest.fixture
def left(request, transactional_db, tmp_path) -> Iterator[Path]:
    """Yield a backup that a released version made, with an empty database to restore it into."""
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
def test_what_a_release_left_is_migrated_read_checked_and_played_on(left, request, monkeypatch, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    assert restore(left) == 1
    assert "all as they were written" in checked()
    campaign = Campaign.objects.get()
    was_converted = request.node.callspec.params["left"].name < "0.3"  # to today's procedures and journal
    if was_converted:
        what_was_open_has_ended(campaign)
    else:
        assert Procedure.objects.filter(closed_at=None).exists()
    everything_is_read(campaign, monkeypatch)
    if was_converted:
        rows_go_back_into_their_sheets_and_out_again()
    everybody_plays_on(campaign)
    settings.RATE_LIMIT = 1_000_000
    if was_converted:
        what_was_written_is_undone(campaign)
    assert "all as they were written" in checked()


def what_was_open_has_ended(campaign: Campaign) -> None:
    """See that no procedure goes on, that whoever knew of one reads so once, and that the backup ends before these lines."""
    assert not Procedure.objects.filter(closed_at=None).exists()
    assert not RollRequest.objects.filter(closed_at=None).exclude(procedure=None).exists()
    events = Event.objects.filter(campaign=campaign).select_related("stream", "stored").order_by("pk")
    ended = [event for event in events.filter(kind=PROCEDURE_CLOSED) if event.payload["act"]["name"] == UPGRADED]
    assert len(ended) >= 15 or not Procedure.objects.exists()  # 0.1.0 had none
    if not ended:
        return
    for role, hidden in ((Role.SPECTATOR, ("gm", "member:")), (Role.GM, ())):
        read = [event for event in ended if not event.stream.name.startswith(hidden)]
        told = [
            event.payload["procedure"]["id"] for event in read if "This site was upgraded" in render_line(event, role)
        ]
        assert told and sorted(told) == sorted({event.payload["procedure"]["id"] for event in read})
    restored = events.get(kind=LOG_RESTORED, pk__gt=ended[-1].pk)
    last = events.filter(pk__lt=min(ended[0].pk, restored.pk)).exclude(kind=REQUEST_CLOSED, at=ended[0].at).last()
    assert restored.payload["upto"] == moment(last.at)


def rows_go_back_into_their_sheets_and_out_again() -> None:
    sheets = {character.pk: character.values for character in Character.objects.with_rows()}
    rows = [rows for values in sheets.values() for rows in values.values() if isinstance(rows, list)]
    assert rows and not Character.objects.filter(sheet_fields__descriptors__isnull=False).exists()
    call_command("migrate", "characters", "0002", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT public, sheet, private, secret FROM characters_character")
        before = "".join(str(column) for row in cursor.fetchall() for column in row)
    assert all(row["id"] in before for held in rows for row in held)
    call_command("migrate", verbosity=0)
    back = {character.pk: character.values for character in Character.objects.with_rows()}
    # On the way each Forged sheet that has no boxes of armour is given those of 0.2.0, as at the first time.
    assert back.keys() == sheets.keys() and all({**back[pk], **sheets[pk]} == back[pk] for pk in sheets)


def everything_is_read(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every page, the replays, the whole log and its exports in every role."""
    read: set[str] = set()
    for role in Role:
        viewer = Membership.objects.filter(campaign=campaign, role=role, left_at=None).select_related("user").first()
        client = Client()
        client.force_login(viewer.user)
        for address in addresses(campaign, {} if role is not Role.GM else things_of(campaign)):
            answer = client.get(address)
            assert answer.status_code < 500, (address, role)
            if role is Role.GM and answer.status_code == 200:
                read.add(answer.resolver_match.url_name)
                assert str(UNDRAWN) not in heard(answer), address
        for number in GameSession.objects.filter(campaign=campaign).values_list("number", flat=True):
            further = reverse("replay_events", args=[campaign.slug, number])
            while further:
                answer = client.get(further)
                further = answer.json()["further"] if answer.status_code == 200 else ""
        with monkeypatch.context() as on_one_page:
            on_one_page.setattr(log, "PAGE", 10_000)
            assert str(UNDRAWN) not in heard(client.get(reverse("log", args=[campaign.slug]))), role
        for form in FORMS:
            assert str(UNDRAWN) not in heard(client.get(reverse("log_export", args=[campaign.slug]), {"as": form})), (
                form
            )
    assert read >= {"table", "log", "log_event", "session", "replay", "character", "clock", "statistics"}


def addresses(campaign: Campaign, things: Mapping[str, list[object]]) -> Iterator[str]:
    """Yield the addresses of every page for each of these things."""
    for name, wanted in PAGES.items():
        words = wanted.split()
        for values in product(*(things.get(word) or [OTHERS.get(word, uuid4())] for word in words)):
            yield reverse(
                name,
                kwargs={"slug": campaign.slug} | dict(zip((SAME.get(one, one) for one in words), values, strict=True)),
            )
    for event in Event.objects.filter(campaign=campaign, kind=FIELD_CHANGED).select_related("stored"):
        told = event.payload
        page = reverse("field_history", args=[campaign.slug, told["character"]["id"]])
        yield f"{page}?field={told['cell']['field']}"


def things_of(campaign: Campaign) -> dict[str, list[object]]:
    """Return what is in a campaign, by its names in addresses; of events one of each kind, an upgraded one where there is one."""
    events = Event.objects.filter(campaign=campaign).select_related("stored")
    last = {event.kind: event.uid for event in events}
    older = {event.kind: event.uid for event in events if event.payload != event.stored.payload}
    here: dict[str, QuerySet] = {
        "character_id": Character.objects.filter(campaign=campaign),
        "roll_id": Roll.objects.filter(campaign=campaign).order_by("-event")[:10],
        "request_id": RollRequest.objects.filter(campaign=campaign),
        "claim_id": Claim.objects.filter(character__campaign=campaign),
        "entry_id": LedgerEntry.objects.filter(character__campaign=campaign),
        "clock_id": Clock.objects.filter(campaign=campaign),
        "storyline_id": Storyline.objects.filter(campaign=campaign),
        "burn_id": Burn.objects.filter(scale__campaign=campaign),
        "scale_id": Scale.objects.filter(campaign=campaign),
        "member_id": Membership.objects.filter(campaign=campaign),
    }
    found: dict[str, list[object]] = {name: [one.pk for one in rows] for name, rows in here.items()}
    sessions = GameSession.objects.filter(campaign=campaign)
    return found | {
        "uid": [*(last | older).values()],
        "number": [one.number for one in sessions],
        "major_id": found["burn_id"],
    }


def heard(answer: HttpResponse) -> str:
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode(errors="replace")


def everybody_plays_on(campaign: Campaign) -> None:
    mo = Membership.objects.get(campaign=campaign, user__username="mo")
    before = Event.objects.filter(campaign=campaign).count()
    play.say(mo, "Where were we?", key=uuid4())
    rolled = make_roll(mo, StorytellerInput(dice=3), audience=Audience.TABLE, key=uuid4())
    assert Roll.objects.get(pk=rolled.pk).proof
    assert Event.objects.filter(campaign=campaign).count() >= before + 2


def what_was_written_is_undone(campaign: Campaign) -> None:
    """See that a GM undoes what the release wrote: moves of the Scale with their Burns, purchases, what rolls cost."""
    gm = Membership.objects.filter(campaign=campaign, role=Role.GM, left_at=None)[0]
    assert Written.objects.exists()
    for scale in Scale.objects.filter(campaign=campaign):
        with pytest.raises(Blocked, match="There’s nothing on this Scale to undo"):
            while True:
                undo_newest(gm, scale.pk, key=uuid4())
        assert Scale.objects.get(pk=scale.pk).value == 0
    for entry in LedgerEntry.objects.filter(character__campaign=campaign, kind="spend", undone_by=None):
        refund_advance(gm, entry.character, entry.pk, key=uuid4())
    for roll in Roll.objects.filter(campaign=campaign, voided_at=None).exclude(written=None).order_by("-event"):
        void_roll(gm, roll.pk, key=uuid4())
    assert not Written.objects.exists()
