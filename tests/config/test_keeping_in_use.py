"""Backups of what somebody uses, in a folder of them, and files that belong to who serves them."""

from __future__ import annotations

import os
import resource
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.keeping import sqlite
from config.keeping.folder import thin_out
from people.models import User
from tests.config.test_keeping import elsewhere, evening, kept, play, unmigrated  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def somebody():
    return User.objects.create_user("somebody")


def test_of_a_database_with_nobody_in_it_there_is_no_backup(tmp_path):
    with pytest.raises(CommandError, match=r"Nobody has an account in the database .* DATABASE_URL"):
        call_command("backup", str(tmp_path / "kept"))
    assert not list(tmp_path.iterdir())


def test_of_a_database_that_was_never_migrated_there_is_none_either(unmigrated, tmp_path):  # noqa: F811
    refused = unmigrated.run("manage.py", "backup", str(tmp_path / "kept"))
    assert refused.returncode == 1 and "Nobody has an account" in refused.stderr
    # Nor does the question make one.
    assert not list(tmp_path.glob("*kept*")) and not list(tmp_path.glob("*.sqlite3"))


def test_an_empty_backup_is_not_restored_even_by_force(kept, elsewhere, tmp_path, monkeypatch):  # noqa: F811
    assert elsewhere.restore(kept).returncode == 0
    monkeypatch.setattr("config.keeping.refuse_unused", lambda: None)
    empty = tmp_path / "empty"
    _without_people(kept, empty)
    refused = elsewhere.restore(empty, "--force")
    assert refused.returncode == 1 and "Nobody has an account in this backup" in refused.stderr
    assert elsewhere.state()["counts"]["people.User"]


def _without_people(kept, empty):  # noqa: F811
    """Make a backup of an empty database, as earlier versions made it."""
    emptied = ("people_user", "campaigns_campaign")
    if connection.vendor == "sqlite":
        empty.write_bytes(kept.read_bytes())
        with sqlite.sqlite3.connect(empty) as copy:
            copy.execute("PRAGMA foreign_keys = OFF")
            for table in emptied:
                copy.execute(f"DELETE FROM {table}")
        return
    with zipfile.ZipFile(kept) as source, zipfile.ZipFile(empty, "w") as target:
        for name in source.namelist():
            target.writestr(name, b"" if name in emptied else source.read(name))


def test_in_a_folder_backups_are_named_by_the_time_and_the_oldest_go(somebody, tmp_path):
    for day in range(10, 14):
        (tmp_path / f"afterburn-2026-08-{day}-041500.backup").touch()
    mine = ["afterburn-before-the-move.backup", "afterburn-2026-08-01-041500.backup.part", "notes"]
    for name in mine:
        (tmp_path / name).touch()
    call_command("backup", str(tmp_path), keep=3, verbosity=0)
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {*mine, "afterburn-2026-08-12-041500.backup", "afterburn-2026-08-13-041500.backup"}
    (made,) = left - {*mine, "afterburn-2026-08-12-041500.backup", "afterburn-2026-08-13-041500.backup"}
    assert (tmp_path / made).stat().st_mode & 0o777 == 0o600 and (tmp_path / made).stat().st_size


def test_a_backup_that_fails_takes_no_other_with_it(tmp_path):
    old = tmp_path / "afterburn-2026-08-10-041500.backup"
    old.touch()
    (tmp_path / "afterburn-2026-08-11-041500.backup").touch()
    with pytest.raises(CommandError, match="Nobody has an account"):
        call_command("backup", str(tmp_path), keep=1)
    assert old.exists()


@pytest.mark.parametrize("keep", [0, -1])
def test_the_newest_always_stays(tmp_path, keep):
    newest = tmp_path / "afterburn-2026-08-11-041500.backup"
    newest.touch()
    (tmp_path / "afterburn-2026-08-10-041500.backup").touch()
    thin_out(tmp_path, keep)
    assert list(tmp_path.iterdir()) == [newest]
    with pytest.raises(CommandError, match="at least 1"):
        call_command("backup", str(tmp_path), keep=keep)


def test_where_there_is_no_room_for_a_backup_one_line_says_so_and_nothing_is_left(somebody, tmp_path):
    """As on a full disk: no file of this process may grow."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limit[1]))
    try:
        with pytest.raises(CommandError, match=r"full|disk|too large"):
            call_command("backup", str(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert list(tmp_path.iterdir()) == []


def test_what_the_system_refuses_is_said_in_one_line(somebody, tmp_path):
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("backup", str(tmp_path / "nowhere" / "kept"))


@pytest.mark.parametrize("is_there", [False, True])
def test_a_database_that_root_restores_belongs_to_who_serves_it_and_to_nobody_else(monkeypatch, tmp_path, is_there):
    file = tmp_path / "afterburn.sqlite3"
    if is_there:
        file.touch(0o644)
    given = []
    status = Path.stat

    def stat(path, **kwargs):
        """Return root's file in the folder of another user."""
        found = list(status(path, **kwargs))
        found[4:6] = (0, 0) if path == file else (1234, 1235)
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", stat)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda *what: given.append(what))
    sqlite._hand_over(file)
    assert status(file).st_mode & 0o777 == 0o600
    assert given == [(file, 1234, 1235)]


def test_a_database_of_ones_own_keeps_what_its_owner_chose(monkeypatch, tmp_path):
    file = tmp_path / "afterburn.sqlite3"
    file.touch(0o640)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    sqlite._hand_over(file)
    assert file.stat().st_mode & 0o777 == 0o640


def test_what_is_no_backup_leaves_no_database_behind(unmigrated, tmp_path):  # noqa: F811
    (tmp_path / "other").write_bytes(b"no backup at all" * 100)
    assert unmigrated.restore(tmp_path / "other").returncode == 1
    assert not list(tmp_path.glob("*.sqlite3"))
