"""Of PostgreSQL: a zip with one COPY of each table, as of one moment, while others may go on writing.

By our own code, since a container or a wheel of PostgreSQL need not have pg_dump. `manifest.json` comes first: {"format",
"migrations": [[app, name]], "tables": {name: [columns]}}.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, Model

from config.keeping.errors import Unusable, refuse_nobodys, refuse_other_versions

FORMAT = "afterburn backup 1"
MANIFEST = "manifest.json"
CHUNK = 1 << 16  # bytes


def backup(file: Path) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        tables = {table: _columns(cursor, table) for table in _tables()}
        manifest = {"format": FORMAT, "migrations": _applied(), "tables": tables}
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
            target.writestr(MANIFEST, json.dumps(manifest))
            for table, columns in tables.items():
                with (
                    target.open(table, "w", force_zip64=True) as into,
                    cursor.copy(_copy(table, columns, "TO STDOUT")) as rows,
                ):
                    for row in rows:
                        into.write(row)


def restore(file: Path) -> None:
    try:
        source = zipfile.ZipFile(file)
        manifest = json.loads(source.read(MANIFEST))
    except (zipfile.BadZipFile, KeyError, ValueError):
        raise Unusable(f"{file} is no backup of a PostgreSQL database.") from None
    with source:
        if manifest.get("format") != FORMAT:
            raise Unusable(f"{file} is a backup of another kind.")
        if damaged := source.testzip():
            raise Unusable(f"{file} is damaged, at {damaged}.")
        refuse_nobodys(lambda table: table in manifest["tables"] and source.getinfo(table).file_size > 0)
        _meet(manifest)
        with transaction.atomic(), connection.cursor() as cursor:
            empty_all(cursor)
            for table, columns in manifest["tables"].items():
                _fill(cursor, source, table, columns)
            # Of an older version some tables are made by the migrations that follow.
            models = [
                model
                for model in apps.get_models(include_auto_created=True)
                if model._meta.db_table in manifest["tables"]
            ]
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)


def clear() -> None:
    """Take all tables away."""
    with transaction.atomic(), connection.cursor() as cursor:
        _clear(cursor)


def _clear(cursor: Any) -> None:
    named = ", ".join(
        connection.ops.quote_name(table) for table in [*_tables(), MigrationRecorder.Migration._meta.db_table]
    )
    cursor.execute(f"DROP TABLE IF EXISTS {named} CASCADE")
    cursor.execute("DROP FUNCTION IF EXISTS refuse_change_of_log() CASCADE")
    cursor.execute("DROP FUNCTION IF EXISTS campaigns_trigrams(bigint, text) CASCADE")


def _meet(manifest: dict[str, Any]) -> None:
    """Migrate this database to the state of the backup. Tables that are newer are cleared first."""
    migrations = {(app, name) for app, name in manifest["migrations"]}
    refuse_other_versions(migrations)
    if {(app, name) for app, name in _applied()} - migrations:
        clear()
    executor = MigrationExecutor(connection)
    within = {
        migration: migrations & {child.key for child in executor.loader.graph.node_map[migration].children}
        for migration in migrations
    }
    # The last of each app: others would be asked to take back what follows them.
    executor.migrate(
        [migration for migration, later in within.items() if migration[0] not in {app for app, _ in later}]
    )


def empty_all(cursor: Any) -> None:
    """Delete all rows."""
    # In one statement, since they refer to each other. The log's triggers block the site, not the owner of the database.
    named = ", ".join(connection.ops.quote_name(table) for table in _tables())
    cursor.execute(f"TRUNCATE {named}")


def _fill(cursor: Any, source: zipfile.ZipFile, table: str, columns: Sequence[str]) -> None:
    with source.open(table) as rows, cursor.copy(_copy(table, columns, "FROM STDIN")) as into:
        while chunk := rows.read(CHUNK):
            into.write(chunk)


def copy_from(cursor: Any, model: type[Model], other: str, batch: int) -> int:
    """Write the rows that the database of this alias has of a model, so many at once. Return how many they were."""
    fields = [field for field in model._meta.local_concrete_fields if not field.generated]
    there = model._base_manager.using(other).order_by("pk").values_list(*(field.attname for field in fields))
    rows = 0
    columns = [str(field.column) for field in fields]
    with cursor.copy(_copy(model._meta.db_table, columns, "FROM STDIN")) as into:
        for row in there.iterator(chunk_size=batch):
            into.write_row([_stored(field, value) for field, value in zip(fields, row, strict=True)])
            rows += 1
    return rows


def _stored(field: Field[Any, Any], value: Any) -> Any:
    # Where there has to be something, it is the null of JSON and not that of SQL.
    if value is None and not field.null:
        return field.get_db_prep_value(value, connection)
    return field.get_db_prep_save(value, connection)


def _copy(table: str, columns: Sequence[str], where: str) -> str:
    quote = connection.ops.quote_name
    return f"COPY {quote(table)} ({', '.join(quote(column) for column in columns)}) {where}"


def _tables() -> list[str]:
    """Return the tables that this database has by its migrations: of another version also those that have gone since."""
    loader = MigrationLoader(connection)
    state = loader.project_state([applied for applied in loader.applied_migrations if applied in loader.graph.nodes])
    return sorted({model._meta.db_table for model in state.apps.get_models(include_auto_created=True)})


def _columns(cursor: Any, table: str) -> list[str]:
    """Return the columns to write; PostgreSQL computes generated ones again."""
    cursor.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = %s "
        "AND is_generated = 'NEVER' ORDER BY ordinal_position",
        [table],
    )
    return [name for (name,) in cursor.fetchall()]


def _applied() -> list[tuple[str, str]]:
    return sorted(MigrationRecorder(connection).applied_migrations())
