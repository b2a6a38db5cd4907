"""Backups: whole, of one moment, and restored into an empty database of the same kind, which then says so."""

from __future__ import annotations

import lzma
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from campaigns.models import Event, Stream
from campaigns.services import play as sessions
from rolls.models import SeedEpoch
from rolls.services.fairness import tell_seed
from tests.browser.servers import new_database
from tests.config.elsewhere import Elsewhere
from tests.released import FOLDER, SUFFIXES
from tests.rolls.conftest import evening, play  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = """
from campaigns.access import Viewer
from campaigns.models import Campaign, Role
from campaigns.services import play
from campaigns.services.campaigns import somebody
from campaigns.queries.search import find
from campaigns.queries.search import LogFilters
from uuid import uuid4
campaign = Campaign.objects.get()
gm = somebody(campaign)
play.say(gm, "We go on", key=uuid4())
print(len(find(Viewer(campaign, gm, Role.GM), LogFilters(words="goodbye"), None, 9)))
"""


@pytest.fixture
def unmigrated(tmp_path: Path) -> Iterator[Elsewhere]:
    """Yield an installation whose database has no tables; on SQLite the file is not even there."""
    with another_installation(tmp_path) as elsewhere:
        yield elsewhere


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    """Yield an installation whose database is empty.

    On PostgreSQL it has its tables, if dev.py has made a database with them to copy: to migrate takes seconds there.
    """
    with another_installation(tmp_path, template=site.MIGRATED or "template1") as elsewhere:
        yield elsewhere


@contextmanager
def another_installation(folder: Path, template: str = "template1") -> Iterator[Elsewhere]:
    if connection.vendor == "sqlite":
        yield Elsewhere(f"sqlite:///{folder}/elsewhere.sqlite3")
        return
    of = connection.settings_dict
    server = f"postgres://{of['USER']}@{quote(of['HOST'], safe='')}/postgres"
    with new_database(server, template) as url:
        yield Elsewhere(url)


@pytest.fixture
def kept(cast, evening, tmp_path: Path) -> Path:  # noqa: F811
    """Return a backup of a table at which an evening was played and goodbye was said."""
    sessions.say(cast.player.member, "Goodbye", key=uuid4())
    file = tmp_path / "kept"
    call_command("backup", str(file), verbosity=0)
    return file


def test_a_backup_is_restored_into_an_empty_database_which_says_so(cast, kept, unmigrated):
    streams = {stream.name: stream.seq for stream in Stream.objects.all()}
    before = list(Event.objects.order_by("pk").values_list("stream__name", "seq", "hash", "kind"))
    seeds = dict(SeedEpoch.objects.filter(closed_at=None).values_list("number", "seed"))
    done = unmigrated.restore(kept)
    assert done.returncode == 0, done.stderr
    assert "with 1 campaign." in done.stdout
    now = unmigrated.state()
    assert [tuple(event) for event in now["events"][: len(before)]] == before
    assert [event[3] for event in now["events"][len(before) :]] == [
        "campaigns.log_restored",
        *["rolls.epoch_revealed", "rolls.blind_revealed", "rolls.epoch_committed"] * 2,
    ]
    assert now["counts"]["people.User"] == len(cast.everybody)
    assert now["streams"]["table"][0] == streams["table"] + 5
    told = [seed for number, seed, _, closed in now["epochs"] if closed and number in seeds]
    assert told == list(seeds.values())
    assert [opened for _, _, opened, closed in now["epochs"] if not closed] == [True, False]
    checked = unmigrated.run("manage.py", "check_log")
    assert checked.returncode == 0 and "all as they were written" in checked.stdout
    assert unmigrated.run("-c", SEARCH).stdout.strip() == "1"


def test_a_database_in_use_is_left_alone_unless_it_is_forced(kept, elsewhere):
    assert elsewhere.restore(kept).returncode == 0
    before = elsewhere.state()
    refused = elsewhere.restore(kept)
    assert refused.returncode == 1 and "not empty" in refused.stderr
    assert elsewhere.state() == before
    assert elsewhere.restore(kept, "--force").returncode == 0
    again = elsewhere.state()
    assert again["counts"] == before["counts"] and again["streams"] != before["streams"]
    assert elsewhere.run("manage.py", "check_log").returncode == 0


def test_what_happened_after_the_backup_is_not_in_it(cast, kept, elsewhere):
    late = sessions.say(cast.player.member, "Too late", key=uuid4())
    tell_seed(cast.gm.member, key=uuid4())
    assert elsewhere.restore(kept).returncode == 0
    assert late.hash not in {event[2] for event in elsewhere.state()["events"]}


def test_what_is_no_backup_changes_nothing(kept, elsewhere, tmp_path):
    other = tmp_path / "other"
    other.write_bytes(b"no backup at all" * 100)
    damaged = tmp_path / "damaged"
    content = bytearray(kept.read_bytes())
    for place in range(len(content) // 3, 2 * len(content) // 3):
        content[place] ^= 0x5A
    damaged.write_bytes(content)
    assert elsewhere.run("manage.py", "migrate", "-v0").returncode == 0
    for file, why in ((other, "is no backup"), (damaged, "damaged"), (tmp_path / "none", "There is no file")):
        refused = elsewhere.restore(file, "--force")
        assert refused.returncode == 1 and why in refused.stderr, (file, refused.stderr)
    assert elsewhere.state()["counts"]["campaigns.Campaign"] == 0


@pytest.mark.only_on("sqlite")  # Of PostgreSQL tables are kept, and no pages.
def test_what_was_deleted_before_a_backup_is_not_in_its_file(cast, tmp_path):
    """Whether the library overwrites what it deletes depends on who built it; either way, its pages are not copied."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE scratch (words)")
        cursor.executemany("INSERT INTO scratch VALUES (%s)", [("Taken out again",)] * 1000)
        cursor.execute("DROP TABLE scratch")
    call_command("backup", str(tmp_path / "kept"), verbosity=0)
    with closing(sqlite3.connect(tmp_path / "kept")) as copy:
        assert copy.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_a_backup_is_for_its_owner_alone_and_overwrites_nothing(kept):
    assert kept.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in kept.parent.iterdir() if path.name.startswith("kept")] == ["kept"]
    with pytest.raises(CommandError, match="there already"):
        call_command("backup", str(kept))


def _backup_after(names: list[str], file: Path) -> None:
    """Make a backup as if these had been the migrations of campaigns."""
    recorder = MigrationRecorder(connection)
    rows = recorder.migration_qs.filter(app="campaigns")
    ours = sorted(rows.values_list("name", flat=True))

    def told(names: list[str]) -> None:
        rows.delete()
        for name in names:
            recorder.record_applied("campaigns", name)

    told(names)
    try:
        call_command("backup", str(file), verbosity=0)
    finally:
        told(ours)


def test_a_backup_of_a_newer_version_is_refused(cast, tmp_path, elsewhere):
    known = [name for app, name in MigrationRecorder(connection).applied_migrations() if app == "campaigns"]
    _backup_after([*known, "9999_later"], tmp_path / "newer")
    refused = elsewhere.restore(tmp_path / "newer")
    assert (
        refused.returncode == 1
        and "by a newer version of Afterburn (campaigns.9999_later is not known here)" in refused.stderr
    )


def test_a_backup_from_before_migrations_began_anew_is_refused_in_words(cast, tmp_path, elsewhere):
    _backup_after(["0001_initial", "0002_triggers", "0003_presence_place"], tmp_path / "older")
    refused = elsewhere.restore(tmp_path / "older")
    assert refused.returncode == 1
    assert "by an older version of Afterburn (campaigns.0003_presence_place is not known any more)" in refused.stderr
    assert "export each campaign’s log" in refused.stderr


def test_a_restored_database_is_its_owners_alone(kept, elsewhere, tmp_path):
    assert elsewhere.restore(kept).returncode == 0
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("elsewhere.sqlite3*")} <= {0o600}


def test_an_older_backup_takes_the_place_of_what_a_newer_version_has_left(kept, elsewhere, tmp_path):
    older = tmp_path / "older"
    content = (FOLDER / f"0.1.0{SUFFIXES[connection.vendor]}").read_bytes()
    older.write_bytes(lzma.decompress(content) if connection.vendor == "sqlite" else content)
    assert elsewhere.restore(kept).returncode == 0
    done = elsewhere.restore(older, "--force")
    assert done.returncode == 0, done.stderr
    checked = elsewhere.run("manage.py", "check_log")
    assert checked.returncode == 0 and "ashes: " in checked.stdout, checked.stderr
    # What happened, and not by what a version found it: the index is that of this one.
    assert elsewhere.run("manage.py", "reindex").stdout.startswith("Updated 0 entries")


def test_a_database_is_made_empty_for_another_version_only_by_force(kept, elsewhere):
    assert elsewhere.restore(kept).returncode == 0
    refused = elsewhere.run("manage.py", "make_empty")
    assert refused.returncode == 1 and "not empty" in refused.stderr
    assert elsewhere.run("manage.py", "make_empty", "--force").returncode == 0
    done = elsewhere.restore(kept)
    assert done.returncode == 0, done.stderr
    assert elsewhere.state()["counts"]["campaigns.Campaign"] == 1


def test_of_a_folder_the_newest_is_shown_and_restored(kept, elsewhere, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    # Sorted by name, it would always be the last.
    moved = folder / "moved.backup"
    moved.write_bytes(b"older, and no backup")
    os.utime(moved, (1_700_000_000, 1_700_000_000))
    (folder / "afterburn-2023-11-20-021500.backup").write_bytes(b"older still")
    newest = folder / "afterburn-2026-01-02-030405.backup"
    newest.write_bytes(kept.read_bytes())
    done = elsewhere.restore(folder, "--noinput")
    assert done.returncode == 0, done.stderr
    assert f"The newest: {newest}, of 2 January 2026, 03:04 UTC" in done.stdout
    assert elsewhere.state()["counts"]["campaigns.Campaign"] == 1


def test_nothing_is_restored_of_a_folder_without_a_yes(kept, tmp_path, monkeypatch):
    (tmp_path / "afterburn-2026-01-02-030405.backup").write_bytes(kept.read_bytes())
    monkeypatch.setattr("builtins.input", lambda words: "no")
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("restore", str(tmp_path), force=True)
    with pytest.raises(CommandError, match="No backup in"):
        call_command("restore", str(tmp_path.parent), force=True)
