"""Frozen dataclasses as JSON and back: how the state of a procedure lies in its row, and is told with its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

S = TypeVar("S")


def stored(value: Any) -> Any:
    """A value in JSON's own types: dataclasses as dicts, tuples as lists, members of enums as what they are written with."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: stored(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [stored(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def restored(kind: type[S], value: Mapping[str, Any]) -> S:
    """What `stored` made of a `kind`: a dataclass of numbers, strings, bools, enums, dataclasses, and tuples of one of these."""
    made: S = _made(kind, value)
    return made


def _made(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if get_origin(kind) is tuple:
        return tuple(_made(get_args(kind)[0], one) for one in value)
    if isinstance(kind, UnionType):
        return _made(next(one for one in get_args(kind) if one is not type(None)), value)
    if isinstance(kind, type) and is_dataclass(kind):
        types = _types(kind)
        return kind(**{name: _made(types[name], one) for name, one in value.items() if name in types})
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value


@cache
def _types(kind: type) -> Mapping[str, Any]:
    """Of its fields. Each is written as a string, which Python would compile anew for every state of every event of a page."""
    return get_type_hints(kind)
