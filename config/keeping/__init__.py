"""Backups of the whole site: `manage.py backup` writes one file, `manage.py restore` makes an empty database of it.

Of SQLite it is a copy of the database by `VACUUM INTO`, of PostgreSQL a zip with one COPY of each table, all of one moment.
"""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.models import Max

from campaigns.models import Event
from config.keeping import postgresql, sqlite
from config.keeping.errors import Unusable, is_in_use, refuse_unused
from rolls.services.fairness import mark_all_restored

_kinds = {"sqlite": sqlite, "postgresql": postgresql}


def backup(file: Path) -> None:
    """Write a new file that only its owner may read.

    Raises Unusable if it exists, and if the database has no accounts and no campaigns.
    """
    if file.exists():
        raise Unusable(f"{file} is there already.")
    refuse_unused()
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    part.touch(0o600)
    try:
        _kinds[connection.vendor].backup(part)
        part.rename(file)
    finally:
        # What SQLite has beside a file goes as well: it stays where the disk is full.
        for beside in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + beside).unlink(missing_ok=True)


def restore(file: Path, *, force: bool = False) -> int:
    """Restore a backup into this database, and record that in each campaign's log. Return the number of campaigns.

    Raises Unusable, and changes nothing, if the database has accounts (unless `force` is True: then all that is in it is
    deleted), if the file is no backup of this kind of database or one of an empty one, and if it comes from a newer version.
    """
    if not file.is_file():
        raise Unusable(f"There is no file {file}.")
    if is_in_use() and not force:
        raise Unusable("This database is not empty. With --force all that is in it is thrown away.")
    _kinds[connection.vendor].restore(file)
    last_id = Event.objects.aggregate(last=Max("pk"))["last"]
    call_command("migrate", interactive=False, verbosity=0)
    return mark_all_restored(last_id)


def clear(*, force: bool = False) -> None:
    """Empty the database, without tables, so that an older version can restore its backup there.

    Raises Unusable, and changes nothing, if the database has accounts (unless `force` is True).
    """
    if is_in_use() and not force:
        raise Unusable("This database is not empty. With --force all that is in it is thrown away.")
    _kinds[connection.vendor].clear()
