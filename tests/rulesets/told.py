"""What payloads hold beside codes and numbers: names that people gave, and never words of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from campaigns.kinds import kind_of
from campaigns.models import Event
from campaigns.schema import CODE_PATTERN, Made, leaves
from config.catalogues import PYTHON, homes, read
from rules.messages import SAY


def names_in(value: Any, schema: Any, *, values: bool = False) -> Iterator[str]:
    """Yield every string where a schema has a name or a text; all others are codes, since the schema is closed.

    With `values` also yield strings of sheets and settings that cannot be codes, where a schema says no more.
    """
    for leaf in leaves(schema, value):
        at = list(_at(value, leaf.path.split(".")))
        if Made.LINE in leaf.metadata:
            yield from (name for line in at if line for name in _named(line))
        elif leaf.kind is Any:
            if at and not values:
                raise AssertionError(f"No schema says what this is: {at!r}")
            yield from _made_up_strings(at)
        elif {*Made} & {*leaf.metadata}:
            yield from (name for name in at if name is not None)


def _named(line: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a sentence of ours names. Raises AssertionError for one that no catalogue has: it is none of ours."""
    joins = not re.sub(r"\{part\d+\}", "", line[SAY][0]).strip(" ,:+.")
    assert joins or tuple(line[SAY]) in sentences(), line[SAY]
    for one in line.get("with", {}).values():
        yield from _named(one) if isinstance(one, Mapping) else [one] if isinstance(one, str) else ()


@cache
def sentences() -> frozenset[tuple[str, ...]]:
    """Return all sentences of this program, with their plurals."""
    there = (message for home in homes() for message in read(home.po("de", PYTHON), "de"))
    return frozenset(message.id if isinstance(message.id, tuple) else (message.id,) for message in there)


def _at(value: Any, path: list[str]) -> Iterator[Any]:
    """Yield the values at the end of a path, if there are any."""
    if not path:
        yield value
    elif path[0] == "*":
        for inside in value.values() if isinstance(value, Mapping) else value or ():
            yield from _at(inside, path[1:])
    elif value is not None and path[0] in value:
        yield from _at(value[path[0]], path[1:])


def made_up(events: Iterable[Event], *, values: bool = False) -> set[str]:
    """Return all names and texts in the payloads of these events."""
    return {name for event in events for name in _made_up(event, values)} - {""}


def _made_up(event: Event, values: bool) -> Iterator[str]:
    return names_in(event.payload, kind_of(event.kind).schema, values=values)


def _made_up_strings(value: Any) -> Iterator[str]:
    return (text for text in _strings(value) if not re.fullmatch(CODE_PATTERN, text))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(one)
