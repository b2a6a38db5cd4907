"""What payloads and rows hold of words: the strings that somebody made up, as against codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns.kinds import kind_of
from campaigns.models import Event
from campaigns.schema import CODE, Anything, ListOf, MapOf, Maybe, String
from rolls.models import Roll


def made_up(events: Iterable[Event]) -> set[str]:
    """Every string at a place of names or texts; a place of which the schema says nothing is refused."""
    return {text for event in events for text in _strings(event.facts, kind_of(event.kind).schema_of(event.facts))} - {
        ""
    }


def no_codes(rolls: Iterable[Roll]) -> set[str]:
    """Every string in the rows of these rolls that cannot be a code."""
    return {text for roll in rolls for text in _all((roll.ask, roll.outcome)) if not CODE.fullmatch(text)}


def _strings(value: Any, schema: Any) -> Iterator[str]:
    if isinstance(schema, Anything):
        raise AssertionError(f"Whatever stands here is told: {value!r}")
    if isinstance(schema, Maybe):
        yield from () if value is None else _strings(value, schema.some)
    elif isinstance(schema, ListOf | MapOf):
        for one in value.values() if isinstance(schema, MapOf) else value:
            yield from _strings(one, schema.each)
    elif isinstance(schema, Mapping):
        for name, inside in schema.items():
            yield from _strings(value.get(name), inside)
    elif isinstance(schema, String):
        yield value


def _all(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _all(one)
