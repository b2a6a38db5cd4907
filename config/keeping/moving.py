"""A whole site from SQLite to PostgreSQL: every row, as it was written, and each log checked before and afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from campaigns.models import Campaign
from config.checks import our_apps
from config.keeping.errors import Unusable, has_rows, is_in_use, refuse_nobodys, refuse_other_versions
from config.keeping.postgresql import copy_from, empty_all
from rolls.queries.checking import faults

SOURCE = "moved"
"""The alias of the SQLite database in Django's connections."""

BATCH = 2000  # rows


def move(file: Path) -> dict[str, int]:
    """Move the site of an SQLite file into this PostgreSQL database. Return the number of rows of each table. The file stays as
    it is, and while this goes on nobody can write there.

    Raises Unusable, and leaves this database empty, if it is none of PostgreSQL or is in use, if the file is no site of this
    version, and if a log has faults there, or would have some here.
    """
    if connection.vendor != "postgresql":
        raise Unusable("DATABASE_URL has to name the PostgreSQL database to which the site moves.")
    if not file.is_file():
        raise Unusable(f"There is no file {file}.")
    if is_in_use():
        raise Unusable("This database is not empty. A site moves into one in which nobody has an account.")
    with _source(file):
        _refuse_unsound(file)
        call_command("migrate", interactive=False, verbosity=0)
        with transaction.atomic(SOURCE), transaction.atomic(), connection.cursor() as cursor:
            empty_all(cursor)
            models = [one for one in apps.get_models(include_auto_created=True) if _has_table(one)]
            rows = {model._meta.db_table: _moved(cursor, model) for model in models}
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
            for campaign in Campaign.objects.order_by("slug"):
                for fault in faults(campaign):
                    raise Unusable(f"The log of {campaign.slug} would not be as it was written: {fault}")
    return rows


@contextmanager
def _source(file: Path) -> Iterator[None]:
    # As in the settings: whoever reads here keeps everyone else from writing.
    named = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20},
    }
    connections.settings[SOURCE] = connections.configure_settings({"default": named})["default"]
    try:
        yield
    finally:
        connections[SOURCE].close()
        del connections[SOURCE], connections.settings[SOURCE]


def _refuse_unsound(file: Path) -> None:
    try:
        applied = MigrationRecorder(connections[SOURCE]).applied_migrations()
        tables = connections[SOURCE].introspection.table_names()
    except DatabaseError:
        raise Unusable(f"{file} is no SQLite database.") from None
    refuse_other_versions(applied)
    refuse_nobodys(lambda table: table in tables and has_rows(table, SOURCE))
    ours = our_apps()
    if any(app in ours and (app, name) not in applied for app, name in MigrationLoader(None).disk_migrations or {}):
        raise Unusable(f"{file} is of an older version. Run `migrate` there first, with DATABASE_URL=sqlite:///{file}.")
    there = os.environ | {"DATABASE_URL": file.resolve().as_uri().replace("file://", "sqlite:///", 1)}
    checked = subprocess.run(
        [sys.executable, "-m", "django", "check_log"], env=there, capture_output=True, text=True, check=False
    )
    if checked.returncode:
        raise Unusable(f"Its logs have faults, so nothing was moved:\n{checked.stdout}{checked.stderr}".strip())


def _moved(cursor: Any, model: type[Model]) -> int:
    try:
        with connection.wrap_database_errors:
            return copy_from(cursor, model, SOURCE, BATCH)
    except DatabaseError as error:
        raise Unusable(f"Some row of {model._meta.db_table} cannot be written here: {error}") from None


def _has_table(model: type[Model]) -> bool:
    return model._meta.managed and not model._meta.proxy
