"""What payloads hold beside codes and numbers: names that people gave, and never words of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.kinds import kind_of
from campaigns.models import Event
from campaigns.schema import CODE, Anything, ListOf, MapOf, Maybe, Schema, String
from rolls.models import Roll


def names_in(value: Any, schema: Schema, *, values: bool = False) -> Iterator[str]:
    """Every string that stands where a schema has a name or a text; all others are codes, since the schema is closed.

    With `values` also what cannot be a code among those of sheets and settings, of which a schema says no more.
    """
    if value is None or isinstance(schema, type):
        return
    if isinstance(schema, Anything):
        if not values:
            raise AssertionError(f"No schema says what this is: {value!r}")
        yield from (text for text in _strings(value) if not CODE.fullmatch(text))
    if isinstance(schema, String):
        yield value
    elif isinstance(schema, Maybe):
        yield from names_in(value, schema.some, values=values)
    elif isinstance(schema, ListOf | MapOf):
        for one in value.values() if isinstance(value, dict) else value:
            yield from names_in(one, schema.each, values=values)
    elif isinstance(schema, dict):
        for name in schema.keys() & value.keys():
            yield from names_in(value[name], schema[name], values=values)


def made_up(events: Iterable[Event], *, values: bool = False) -> set[str]:
    """All names and texts in the payloads of these events."""
    return {name for event in events for name in _made_up(event, values)} - {""}


def _made_up(event: Event, values: bool) -> Iterator[str]:
    return names_in(event.payload, kind_of(event.kind).schema_of(event.payload), values=values)


def no_codes(rolls: Iterable[Roll]) -> set[str]:
    """Every string in the rows of these rolls that cannot be a code."""
    return {text for roll in rolls for text in _strings((roll.ask, roll.outcome)) if not CODE.fullmatch(text)}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(one)
