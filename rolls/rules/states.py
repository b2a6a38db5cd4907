"""Frozen dataclasses as JSON and back: the state of a procedure in its row, and in its events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

S = TypeVar("S")


def stored(value: Any) -> Any:
    """Return a value in JSON's own types: dataclasses as dicts, tuples as lists, members of enums as they are written."""
    kind: Any = type(value)
    return _adapter(kind).dump_python(value, mode="json")


def restored(kind: type[S], value: Mapping[str, Any]) -> S:
    """Return the dataclass that `stored` made this of. Fields that it has no more are left out."""
    hashable: Any = kind
    made: S = _adapter(hashable).validate_python(value)
    return made


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
