"""Files that are damaged, of other versions, or made by a stranger: each is refused in a sentence, and nothing is written."""

from __future__ import annotations

import io
import json
import struct
from datetime import datetime
from functools import partial
from hashlib import sha256
from operator import methodcaller
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from campaigns import chain
from campaigns.models import Campaign, Event, Invitation, Membership, Role
from campaigns.models.clocks import ClockKind
from campaigns.services import clocks, play
from campaigns.services.clocks import Draft
from rolls.moving import arriving, package, parts
from rolls.moving.arriving import arrive
from rolls.moving.package import Refused
from rolls.queries.checking import faults
from tests.answers import refusal
from tests.campaigns.pictures.test_headers import riff
from tests.cast import person
from tests.flows.pictures import upload
from tests.racing import at_once
from tests.rolls.moving.test_moving import clear, fair, moved_file, shift  # noqa: F401

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

CHANGED, DAMAGED, FOREIGN = "doesn’t fit together", "is damaged", "isn’t a campaign that Afterburn exported"


class File:
    """A campaign's file, taken apart to be put together otherwise, with digests that fit."""

    def __init__(self, data):
        with ZipFile(io.BytesIO(data)) as entries:
            self.entries = {name: entries.read(name) for name in entries.namelist()}
        self.manifest = json.loads(self.entries.pop("manifest.json"))

    def rows(self, label):
        return [json.loads(line) for line in self.entries[f"rows/{label}.jsonl"].splitlines()]

    def put(self, label, rows):
        self.entries[f"rows/{label}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    def change(self, label, at=0, **values):
        rows = self.rows(label)
        rows[at] |= values
        self.put(label, rows)

    def forge(self):
        """Bind the payloads, whatever they say, and link all events again, as a stranger can."""
        streams = {row["id"]: row for row in self.rows("campaigns.Stream")}
        numbers = {row["id"]: row["abroad"] for row in self.rows("campaigns.Membership")}
        payloads = {row["event_id"]: row for row in self.rows("campaigns.EventPayload")}
        events, heads = self.rows("campaigns.Event"), {}
        for event in events:
            stream = streams[event["stream_id"]]
            said, name = payloads[event["id"]], stream["name"]
            event["commitment"] = chain.commit(said["salt"], said["payload"])
            head = heads.get(name) or chain.first_link(self.manifest["campaign"], name)
            event["hash"] = heads[name] = stream["head"] = chain.link(
                head,
                campaign_id=self.manifest["campaign"],
                stream=name,
                seq=event["seq"],
                at=datetime.fromisoformat(event["at"]),
                kind=event["kind"],
                actor=numbers.get(event["actor_id"]),
                commitment=event["commitment"],
            )
            stream["seq"] = event["seq"]
        self.put("campaigns.Event", events)
        self.put("campaigns.Stream", list(streams.values()))

    def packed(self, **manifest):
        said = self.manifest | {"entries": {name: sha256(data).hexdigest() for name, data in self.entries.items()}}
        out = io.BytesIO()
        with ZipFile(out, "w", ZIP_DEFLATED) as entries:
            for name, data in self.entries.items():
                entries.writestr(ZipInfo(name), data, ZIP_DEFLATED)
            entries.writestr("manifest.json", json.dumps(said | manifest))
        return out.getvalue()


@pytest.fixture
def short(cast):
    """Return the file of a short campaign that is gone from here, with a clock, a picture, a whisper and a session."""
    gm, mo = cast.gm.member, cast.player.member
    play.start_session(gm, "One", key=uuid4())
    play.say(mo, "Hello", key=uuid4())
    play.whisper(mo, "psst", to=[gm], key=uuid4())
    clocks.make_clock(gm, Draft("Fire", 4, ClockKind.DANGER), key=uuid4())
    play.say(mo, "", picture=upload("a map", "A map"), key=uuid4())
    return moved_file(cast, gm)


def refused(data, words):
    counts = {model: model._base_manager.count() for model in parts.paths()}
    error = refusal(Refused, arrive, io.BytesIO(data), user=person(f"p-{uuid4().hex[:8]}").user)
    assert words in error.message, str(error)
    assert error.message.count(". ") <= 2
    assert {model: model._base_manager.count() for model in parts.paths()} == counts
    return str(error)


def test_as_it_was_exported_it_is_taken_in(short):
    data = File(short).packed()
    assert list(faults(arrive(io.BytesIO(data)))) == []


# damaged


def test_what_is_no_file_of_ours_is_refused(short):
    refused(b"", "damaged")
    for data in (b"{}\n" * 50, b"\x89PNG\r\n\x1a\n" + bytes(100), b"PK\x05\x06" + bytes(17)):
        refused(data, FOREIGN)
    for data in (short[:-30], short[: len(short) // 2]):
        refused(data, FOREIGN)
    other = io.BytesIO()
    with ZipFile(other, "w") as entries:
        entries.writestr("notes.txt", "Hello")
    refused(other.getvalue(), DAMAGED)


def test_bytes_that_changed_on_the_way_are_noticed(short):
    with ZipFile(io.BytesIO(short)) as entries:
        large = [one for one in entries.infolist() if one.compress_size > 100]
    # Within what is packed: in the heads of entries there are bytes that say nothing.
    for entry in large[:: len(large) // 4]:
        at = entry.header_offset + 60 + len(entry.filename) + entry.compress_size // 2 - 10
        refused(short[:at] + bytes([short[at] ^ 0xFF]) + short[at + 1 :], DAMAGED)
    with_other_digest = File(short)
    entries = {name: sha256(data).hexdigest() for name, data in with_other_digest.entries.items()}
    entries["rows/campaigns.Clock.jsonl"] = "0" * 64
    refused(with_other_digest.packed(entries=entries), DAMAGED)
    missing = File(short)
    name = next(name for name in missing.entries if name.startswith("files/"))
    entries = {name: sha256(data).hexdigest() for name, data in missing.entries.items()}
    del missing.entries[name]
    refused(missing.packed(entries=entries), DAMAGED)
    refused(missing.packed(), CHANGED)


# versions


def test_of_an_older_version_it_is_taken_where_nothing_but_columns_came(short):
    file = File(short)
    file.manifest["migrations"].remove("campaigns.0024_seats")
    rows = file.rows("campaigns.Scene") + file.rows("campaigns.GameSession")
    for row in rows:
        row.pop("title")
    file.put("campaigns.GameSession", rows)
    # The log tells of a title, and so it still does.
    campaign = arrive(io.BytesIO(file.packed()))
    assert campaign.sessions.get().title == ""


# what does not fit together

CHANGES = {
    "a payload": ("campaigns.EventPayload", {"payload": {"words": "other"}}),
    "a hash": ("campaigns.Event", {"hash": "0" * 64}),
    "a number": ("campaigns.Event", {"seq": 7}),
    "an actor": ("campaigns.Event", {"actor_id": 3}),
    "a head": ("campaigns.Stream", {"head": "0" * 64}),
    "a clock": ("campaigns.Clock", {"filled": 3}),
    "a clock that cannot be": ("campaigns.Clock", {"filled": 5}),
    "a role": ("campaigns.Membership", {"role": "player"}),
    "a choice": ("campaigns.Membership", {"role": "king"}),
    "a stream": ("campaigns.Stream", {"name": "member:999"}),
    "another column": ("campaigns.Clock", {"watch_hash": "x"}),
    "an account": ("campaigns.Membership", {"user_id": 1}),
    "a row that is not there": ("campaigns.Clock", {"owner_member_id": 99}),
    "a row of the database": ("campaigns.Clock", {"campaign_id": str(uuid4())}),
    "a type": ("campaigns.Clock", {"name": {"x": 1}}),
    "a type of a reference": ("campaigns.Clock", {"campaign_id": []}),
    "a number that is none": ("campaigns.Clock", {"filled": True}),
    "a control character": ("campaigns.Clock", {"name": "a\u202eb"}),
    "a zero": ("campaigns.Campaign", {"pitch": "a\0b"}),
    "half a character": ("campaigns.Campaign", {"pitch": "\ud800"}),
    "too long a name": ("campaigns.Campaign", {"name": "x" * 200}),
    "a deep value": ("campaigns.Campaign", {"settings": json.loads("[" * 60 + "]" * 60)}),
    "many values": ("campaigns.Campaign", {"settings": [0] * 30_000}),
    "a huge number": ("campaigns.Campaign", {"settings": [2**60]}),
    "a picture that is not there": ("campaigns.Picture", {"full": "0" * 64}),
    "a path for a picture": ("campaigns.Picture", {"full": "../../manifest.json"}),
    "a time": ("campaigns.Clock", {"archived_at": "yesterday"}),
}
CLOCKS = "rows/campaigns.Clock.jsonl"
LINES = (
    *(b'{"id": %s}' % number for number in (b"1.5", b"NaN", b"1e9", b"1" * 5000)),
    b"[]",
    b"{",
    b'"x"',
    b"[" * 5000,
)
NO_PICTURES = {
    "a drawing": b"<svg onload=alert(1)>",
    "a page": b"<html>",
    "a PNG": b"\x89PNG\r\n\x1a\n" + bytes(30),
    "a huge WebP": riff((b"VP8X", b"\0" * 4 + b"\xff" * 6)),
}
NAMES = ("../../etc/passwd", "/etc/passwd", "rows/people.User.jsonl", "files/x", "rows/campaigns.ApiToken.jsonl")


def bare_clocks(file):
    rows = [{name: value for name, value in row.items() if name != "segments"} for row in file.rows("campaigns.Clock")]
    file.put("campaigns.Clock", rows)


def number_twice(file):
    file.change("campaigns.Membership", abroad=file.rows("campaigns.Membership")[1]["abroad"])


def other_picture(data, file):
    digest = sha256(data).hexdigest()
    file.entries[f"files/{digest}"] = data
    file.change("campaigns.Picture", full=digest)


FORGED = {
    "a newer version": (
        lambda file: file.manifest["migrations"].append("campaigns.9999_later"),
        "Update this server first",
    ),
    "a version whose rows would have to be changed": (
        lambda file: file.manifest["migrations"].remove("rolls.0013_journal"),
        "too old",
    ),
    "without a column that nothing can stand for": (bare_clocks, "too old"),
    "a person's number twice": (number_twice, CHANGED),
    "more in a line than a campaign holds": (
        lambda file: file.entries.update({CLOCKS: b" " * 3_000_000}),
        "more than a campaign can",
    ),
    "a picture larger than any": (
        lambda file: file.entries.update({f"files/{'0' * 64}": bytes(6_000_000)}),
        "more than a campaign can",
    ),
    **{what: (methodcaller("change", label, **values), CHANGED) for what, (label, values) in CHANGES.items()},
    **{
        f"a line of rows: {line[:20]!r}": (lambda file, line=line: file.entries.update({CLOCKS: line + b"\n"}), CHANGED)
        for line in LINES
    },
    **{f"for a picture {what}": (partial(other_picture, data), CHANGED) for what, data in NO_PICTURES.items()},
    **{f"an entry {name}": (lambda file, name=name: file.entries.update({name: b"{}"}), FOREIGN) for name in NAMES},
    **{
        f"a manifest that says {said}": (lambda file, said=said: file.manifest.update(said), FOREIGN)
        for said in ({"format": "x"}, {"campaign": "x"}, {"campaign": None}, {"by": "1"}, {"more": 1})
    },
}


@pytest.mark.parametrize("what", FORGED)
def test_what_does_not_fit_together_is_refused(short, what):
    forge, words = FORGED[what]
    file = File(short)
    forge(file)
    refused(file.packed(), words)


# made by a stranger: everything is linked rightly


def test_a_forged_log_is_taken_in_only_if_it_says_what_a_log_says(short):
    file = File(short)
    file.forge()
    arrive(io.BytesIO(file.packed()))
    clear()
    shift()
    rows = file.rows("campaigns.EventPayload")
    for payload in (
        {},
        [],
        {"by": None},
        rows[0]["payload"] | {"by": {"member": 99, "name": "x"}},
        {"by": rows[0]["payload"]["by"], "name": 5},
    ):
        forged = File(short)
        forged.change("campaigns.EventPayload", payload=payload)
        try:
            forged.forge()
        except TypeError:
            continue
        refused(forged.packed(), CHANGED)
    unknown = File(short)
    unknown.change("campaigns.Event", kind="campaigns.unheard_of")
    unknown.forge()
    refused(unknown.packed(), CHANGED)


def test_an_entry_hidden_from_readers_of_what_it_amends_is_refused(short):
    file = File(short)
    events, streams = file.rows("campaigns.Event"), {row["id"]: row["name"] for row in file.rows("campaigns.Stream")}
    told = next(row["id"] for row in events if streams[row["stream_id"]] == "table")
    at = next(at for at, row in enumerate(events) if streams[row["stream_id"]] != "table" and row["id"] > told)
    file.change("campaigns.Event", at, parent_id=told)
    file.forge()
    refused(file.packed(), CHANGED)


def test_ids_of_other_campaigns_cannot_be_named(short):
    """Whoever plays at a table here knows the ids of its things, and could change them from a campaign of their own."""
    here = Campaign.objects.first()
    gm = Membership.objects.select_related("campaign").filter(campaign=here).first()
    theirs = clocks.make_clock(gm, Draft("Theirs", 4, ClockKind.DANGER), key=uuid4())
    written = {
        "campaign_id": None,
        "cause": str(uuid4()),
        "path": "",
        "before": [],
        "after": [],
        "added": 3,
        "by_id": None,
        "told": None,
    }
    for label, row in (
        ("campaigns.Written", written | {"id": 1, "thing": f"clock:{theirs.pk}"}),
        ("campaigns.Written", written | {"id": 1, "thing": "clock:x", "cause": str(theirs.pk)}),
    ):
        file = File(short)
        file.put(label, [row | {"campaign_id": file.manifest["campaign"]}])
        refused(file.packed(), "names things of other campaigns")
    file = File(short)
    file.change("campaigns.Clock", id=str(theirs.pk))
    refused(file.packed(), "names things of other campaigns")
    file = File(short)
    file.change("campaigns.Campaign", pitch=f"see {here.pk}")
    refused(file.packed(), "names things of other campaigns")
    assert list(faults(here)) == []


def test_nobody_here_is_made_an_author(short):
    someone = person("mo", "Mo")
    campaign = arrive(io.BytesIO(short), user=person("gm").user)
    assert not Membership.objects.filter(campaign=campaign, user=someone.user).exists()
    assert someone.client.get(reverse("log", args=[campaign.slug])).status_code == 404
    assert {one.user_id for one in Membership.objects.filter(campaign=campaign, called="Mo")} == {None}


def test_html_stays_text(short):
    file = File(short)
    file.change("campaigns.Campaign", name="<script>alert(1)</script>", pitch="<img src=x onerror=alert(1)>")
    file.change("campaigns.Membership", 1, called="<b>Mo</b>")
    gm = person("gm")
    campaign = arrive(io.BytesIO(file.packed()), user=gm.user)
    for name in ("members", "campaign_settings", "log", "table", "invitations"):
        page = gm.client.get(reverse(name, args=[campaign.slug])).content
        assert b"<script>alert" not in page and b"<img src=x" not in page and b"<b>Mo</b><" not in page, name


# bombs and tricks of archives


def test_an_archive_of_one_name_twice_is_refused(short):
    data = io.BytesIO(short)
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(data, "a") as entries:
        entries.writestr(CLOCKS, b"")
    refused(data.getvalue(), DAMAGED)


@pytest.mark.parametrize("limit", ["MOST_ROWS_BYTES", "LARGEST_DIRECTORY"])
def test_more_than_a_campaign_holds_is_refused_before_it_is_unpacked(short, monkeypatch, limit):
    monkeypatch.setattr(package, limit, 500)
    refused(short, "more than a campaign can")


def test_an_archive_that_says_less_than_it_holds_is_damaged(short):
    file = File(short)
    file.entries["rows/campaigns.ClockTemplate.jsonl"] = b" " * 100_000
    data = bytearray(file.packed())
    # The size in the directory is what is read; the rest does not fit its sum.
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(b"rows/campaigns.ClockTemplate.jsonl"))
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    refused(bytes(data), DAMAGED)


def test_a_long_campaign_is_for_the_host_where_others_would_wait(short, monkeypatch):
    monkeypatch.setattr(arriving, "MOST_WHILE_PLAYED", 1000)
    if connection.vendor == "sqlite":
        refused(short, "manage.py campaign import")
    assert arrive(io.BytesIO(short))


# at once, and by commands


@pytest.mark.django_db(transaction=True)
def test_of_two_who_import_it_at_once_one_does(cast):
    data = moved_file(cast, cast.gm.member)
    people = (person("one"), person("two"))
    said, made = sorted(
        at_once(*(lambda one=one: arrive(io.BytesIO(data), user=one.user) for one in people)),
        key=lambda answer: isinstance(answer, Campaign),
    )
    assert "already on this server" in said.message and list(faults(made)) == []


def test_the_commands_move_it_and_let_its_gm_in(cast, tmp_path, capsys):
    file, slug = tmp_path / "ashes.zip", cast.campaign.slug
    call_command("campaign", "export", slug, str(file))
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="exists"):
        call_command("campaign", "export", slug, str(file))
    with pytest.raises(CommandError, match="No such campaign"):
        call_command("campaign", "export", "nowhere", str(tmp_path / "other.zip"))
    with pytest.raises(CommandError, match="already on this server"):
        call_command("campaign", "import", str(file))
    clear()
    capsys.readouterr()
    call_command("campaign", "import", str(file))
    link = capsys.readouterr().out.strip().rpartition(" ")[2]
    gm = person("gm", "New Here")
    assert Invitation.objects.get().seat.called == "Gm"
    address = link[link.index("/join/") :]
    assert b"You get the seat of <b>Gm</b>" in gm.client.get(address).content
    assert gm.client.post(address, {"key": uuid4()}).status_code == 302
    seat = Membership.objects.get(user=gm.user)
    assert (seat.role, seat.number) == (Role.GM, cast.gm.member.number)
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(CommandError, match="isn’t a campaign"):
        call_command("campaign", "import", str(file))


def test_only_here_and_only_with_an_account_more_can_be_sent_at_once(cast, client, settings):
    settings.LARGEST_BODY, settings.LARGEST_CAMPAIGN = 1000, 3000
    address = reverse("campaign_import")

    def status(of, size, to=address):
        return of.post(to, {"file": SimpleUploadedFile("a.zip", b"x" * size), "key": uuid4()}).status_code

    assert status(cast.outsider.client, 2000) == 422
    assert status(cast.outsider.client, 4000) == 413
    assert status(client, 2000) == 413
    assert status(cast.outsider.client, 2000, reverse("campaign_new")) == 413
    assert not Event.objects.exclude(campaign=cast.campaign).exists()
