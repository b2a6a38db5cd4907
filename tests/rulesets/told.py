"""What payloads of rolls hold beside codes and numbers: names that people gave, and never words of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.schema import ListOf, MapOf, Maybe, Schema, String


def names_in(value: Any, schema: Schema) -> Iterator[str]:
    """Every string that stands where a schema has a name or a text; all others are codes, since the schema is closed."""
    if value is None or isinstance(schema, type):
        return
    if isinstance(schema, String):
        yield value
    elif isinstance(schema, Maybe):
        yield from names_in(value, schema.some)
    elif isinstance(schema, ListOf | MapOf):
        for one in value.values() if isinstance(value, dict) else value:
            yield from names_in(one, schema.each)
    elif isinstance(schema, dict):
        for name in schema.keys() & value.keys():
            yield from names_in(value[name], schema[name])
