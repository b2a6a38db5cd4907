"""Everything that lies in the database, found by asking the database itself what tables it has."""

from __future__ import annotations

import re

from django.db import connection


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
