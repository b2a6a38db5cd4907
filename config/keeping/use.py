"""Whether a database, or a backup of one, is in use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from campaigns.models import Campaign
from config.keeping.errors import Unusable
from people.models import User


def is_in_use() -> bool:
    """Return whether there are accounts or campaigns. Asking does not create a missing SQLite database."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False
    if not MigrationRecorder(connection).has_table():
        return False
    tables = connection.introspection.table_names()
    return _anybody(lambda table: table in tables and _has_rows(table))


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


def _has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")  # noqa: S608  # a table of ours
        return bool(cursor.fetchone()[0])
