"""Of what shape an event's payload is: each EventKind has a schema, made of what stands here (campaigns/kinds.py).

A payload holds codes, numbers, and what people typed or named; never the words of this program, which are drawn when the event
is read. So a string has to be a CODE, a NAME or a TEXT, and what the schema does not name is refused when it is recorded. Of a
log that comes from elsewhere everything that is named has to fit, beside which anything may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Schema: TypeAlias = "type | re.Pattern[str] | String | Anything | Maybe | ListOf | MapOf | Mapping[str, Schema]"
"""A type (a bool is no int), a pattern that a whole string matches, or a dict of what is in a dict."""

Fields: TypeAlias = dict[str, Any]
"""Schemas by name: that of a dict."""


@dataclass(frozen=True)
class String:
    """A string that a person made up."""

    typed: bool
    """Whether it is a text that can be erased, rather than what the story calls something."""


@dataclass(frozen=True)
class Anything:
    """A value of a sheet, in whatever JSON its field keeps it."""


@dataclass(frozen=True)
class ListOf:
    """A list of things of one shape."""

    each: Schema


@dataclass(frozen=True)
class MapOf:
    """A dict with whatever keys, and values of one shape."""

    each: Schema


@dataclass(frozen=True)
class Maybe:
    """A thing of a shape; or None, or not there."""

    some: Schema


CODE: Final = re.compile(r"[a-z0-9_][a-z0-9_.:/+-]*|")
"""What programs compare, and people never read as it stands: an identifier, or nothing."""

UID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)", re.ASCII)
"""A moment, as ISO 8601 writes it."""

PATH: Final = re.compile(r"(/[\w.~%-]+)*/?", re.ASCII)
"""An address on this site, or nothing."""

NAME: Final = String(typed=False)
"""What somebody or something is called: a character, a clock, a trait, a title; it stays when words are erased."""

TEXT: Final = String(typed=True)
"""What somebody typed for others to read. Its kind says whose it is (`typed`), or that it repeats what was typed (`copied`)."""

VALUE: Final = Anything()

PERSON: Final[Fields] = {"member": int, "name": NAME}

UNREADABLE: Final = (KeyError, IndexError, TypeError, AttributeError, ValueError)
"""What reading a payload raises where it is not of the shape that its kind has here."""


def mistakes(value: Any, schema: Schema, *, closed: bool, path: str = "") -> Iterator[str]:
    """The paths at which a value is not as the schema says; with `closed` also those that it does not name."""
    if isinstance(schema, Maybe):
        yield from () if value is None else mistakes(value, schema.some, closed=closed, path=path)
    elif isinstance(schema, ListOf):
        items = enumerate(value) if isinstance(value, list) else None
        yield from [path] if items is None else _inside(items, lambda _: schema.each, closed, path)
    elif isinstance(schema, MapOf):
        yield from _inside(value.items(), lambda _: schema.each, closed, path) if isinstance(value, dict) else [path]
    elif isinstance(schema, Mapping):
        yield from _of_dict(value, schema, closed, path)
    elif not _is_leaf(value, schema):
        yield path


def texts(schema: Schema, path: str = "") -> Iterator[str]:
    """The paths at which a schema has a TEXT, with "*" for every entry of a list or map."""
    if isinstance(schema, Maybe):
        yield from texts(schema.some, path)
    elif isinstance(schema, ListOf | MapOf):
        yield from texts(schema.each, f"{path}.*")
    elif isinstance(schema, Mapping):
        for name, inside in schema.items():
            yield from texts(inside, f"{path}.{name}".strip("."))
    elif schema == TEXT:
        yield path


def _inside(items: Any, shape: Any, closed: bool, path: str) -> Iterator[str]:
    for name, item in items:
        yield from mistakes(item, shape(name), closed=closed, path=f"{path}.{name}".strip("."))


def _of_dict(value: Any, schema: Mapping[str, Schema], closed: bool, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield path
        return
    for name, inside in schema.items():
        if name not in value and isinstance(inside, Anything):
            yield f"{path}.{name}".strip(".")
        yield from mistakes(value.get(name), inside, closed=closed, path=f"{path}.{name}".strip("."))
    if closed:
        yield from (f"{path}.{name}".strip(".") for name in value.keys() - schema.keys())


def _is_leaf(value: Any, schema: Schema) -> bool:
    if isinstance(schema, Anything):
        return True
    if isinstance(schema, String):
        return isinstance(value, str)
    if isinstance(schema, re.Pattern):
        return isinstance(value, str) and schema.fullmatch(value) is not None
    return type(value) is schema
