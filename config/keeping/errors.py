"""What cannot be backed up or restored: errors for the person who runs the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from campaigns.models import Campaign
from config.checks import MADE_BY_NEWER, MADE_BY_OLDER, our_apps
from people.models import User


class Unusable(Exception):
    """A backup cannot be made or restored so. Nothing was changed."""


def refuse_other_versions(applied: Iterable[tuple[str, str]]) -> None:
    """Raise Unusable if this version does not know one of these migrations, (app, name).

    A newer version also has all of ours; versions before 0.1, when migrations began again, do not.
    """
    theirs, known = set(applied), set(MigrationLoader(None).disk_migrations or {})
    unknown, ours = sorted(theirs - known), our_apps()
    gone = [f"{app}.{name}" for app, name in unknown if app in ours]
    if gone and not theirs >= {(app, name) for app, name in known if app in ours}:
        raise Unusable(
            f"{MADE_BY_OLDER.format('backup', gone[0])} Restore it with that version, and export each campaign’s log there."
        )
    if unknown:
        app, name = unknown[0]
        made = MADE_BY_NEWER.format("backup", f"{app}.{name}") if app in ours else f"This backup has {app} {name}."
        raise Unusable(f"{made} Install that one.")


def is_in_use() -> bool:
    """Return whether there are accounts or campaigns. Asking does not create a missing SQLite database."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False
    if not MigrationRecorder(connection).has_table():
        return False
    tables = connection.introspection.table_names()
    return _anybody(lambda table: table in tables and has_rows(table))


def refuse_unused() -> None:
    """Raise Unusable where nothing is to be kept: a backup of the wrong database is found out when it is needed."""
    if not is_in_use():
        raise Unusable(
            f"Nobody has an account in the database {connection.settings_dict['NAME']}, so there is nothing to keep. "
            "Does DATABASE_URL name the right one?"
        )


def refuse_nobodys(has_rows: Callable[[str], bool]) -> None:
    """Raise Unusable for a backup without accounts. `has_rows` is asked with the names of its tables."""
    if not _anybody(has_rows):
        raise Unusable("Nobody has an account in this backup. It is one of an empty database.")


def _anybody(has_rows: Callable[[str], bool]) -> bool:
    return any(has_rows(model._meta.db_table) for model in (User, Campaign))


def has_rows(table: str, alias: str = DEFAULT_DB_ALIAS) -> bool:
    """Return whether a table of the database of this alias has rows."""
    with connections[alias].cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")  # noqa: S608  # a table of ours
        return bool(cursor.fetchone()[0])
