"""What payloads of rolls hold beside codes and numbers: names that people gave, and never words of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.kinds import kind_of
from campaigns.models import Event
from campaigns.schema import CODE, Anything, ListOf, MapOf, Maybe, Schema, String
from rolls.models import Roll


def names_in(value: Any, schema: Schema) -> Iterator[str]:
    """Every string that stands where a schema has a name or a text; all others are codes, since the schema is closed."""
    if value is None or isinstance(schema, type):
        return
    if isinstance(schema, Anything):
        raise AssertionError(f"No schema says what this is: {value!r}")
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


def made_up(events: Iterable[Event]) -> set[str]:
    """All names and texts in the payloads of these events."""
    return {
        name for event in events for name in names_in(event.payload, kind_of(event.kind).schema_of(event.payload))
    } - {""}


def no_codes(rolls: Iterable[Roll]) -> set[str]:
    """Every string in the rows of these rolls that cannot be a code."""
    return {text for roll in rolls for text in _strings((roll.ask, roll.outcome)) if not CODE.fullmatch(text)}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(one)
