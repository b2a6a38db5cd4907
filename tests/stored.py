"""What is stored: a row as it stands now, and everything that lies in the database, found by asking it what tables it has."""

from __future__ import annotations

import re
from typing import TypeVar

from django.db import connection
from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def reread(row: Row) -> Row:
    """Return a row as it is stored now. What was given stays as it was."""
    return type(row)._base_manager.get(pk=row.pk)


def store(row: Model, **values: object) -> None:
    """Write these values in a row, and in the object that was given; nothing else of it is written."""
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=[*values])


def stored() -> str:
    """Return every value of every row of every table, the word index included, as one text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        return "\n".join(_rows(cursor, table) for table in tables)


def stored_words(pattern: str) -> set[str]:
    """Return what in the database matches this pattern."""
    return set(re.findall(pattern, stored()))


def _rows(cursor: object, table: str) -> str:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
    return "\n".join(_text(value) for row in cursor.fetchall() for value in row)


def _text(value: object) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, (bytes, memoryview)) else str(value)
