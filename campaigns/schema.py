"""The types of payloads, cards, terms and states, and whether a value fits one (pydantic).

A class derived from `Schema` describes a JSON object:

    class Clock(Ref):
        segments: int
        filled: int | None = None

Payloads hold codes, numbers, and what people typed or named; never the words of this program, which are drawn when the event is
read: of a sentence they have its source text, as its code, and what it names. So each string in them is a `Code`, a `Name` or a
`Text`, or of one of the narrower kinds below. Numbers are whole, and nothing is converted: what fits is what JSON has. A field
that is None by default may be left out. The state of a procedure is a frozen dataclass, or a class of rules/acting.py, whose
fields are annotated in the same way: it is its own schema.

What is recorded here may hold nothing that its schema does not name. Of a log that comes from elsewhere all that is named has to
fit, and anything may stand beside it. Nothing here needs Django, so that rules can say what their states are made of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    Strict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema
from pydantic_core.core_schema import ValidationInfo


class Made(Enum):
    """Marks a string in the types below as made up by a person; it is written beside `str`. A line is a sentence of this
    program, by its source text as a code, with what it names (rules/messages.py)."""

    NAME = "name"
    TEXT = "text"
    LINE = "line"


CODE_PATTERN: Final = r"^([a-z0-9_][a-z0-9_.:/+-]*)?$"

Code: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=CODE_PATTERN)]
"""A string that programs compare, never shown to people: an identifier, or nothing."""

Uid: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Moment: TypeAlias = Annotated[
    str,
    StringConstraints(
        strict=True,
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$",
    ),
]
"""A moment, as ISO 8601 writes it."""

Path: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=r"^(/[A-Za-z0-9_.~%-]+)*/?$")]
"""An address on this site, or nothing."""

Name: TypeAlias = Annotated[str, Strict(), Made.NAME]
"""A name of a person, character, clock, trait or title; it is kept when texts are erased."""

Text: TypeAlias = Annotated[str, Strict(), Made.TEXT]
"""A text that a person typed for others to read. Its kind says whose it is (`typed`), or that it repeats what was typed
(`copied`).
"""


class Schema(BaseModel):
    """The fields of a JSON object."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Person(Schema):
    member: int
    name: Name


class Ref(Schema):
    """A character, a clock or another object of a table, by its id and its name at the time."""

    id: Uid
    name: Name


class PayloadSchema(Schema):
    """The payload of an event. Each says who did it (`by`), None for kinds without an actor."""

    by: Person | None = None


@dataclass(frozen=True)
class ChosenBy:
    """The type of a field that other fields decide: Annotated[Any, ChosenBy(choose)].

    `choose` is given the fields before it in the same object, as far as they fit, and the whole payload as it came, which may be
    of any shape; it returns the type.
    """

    choose: Callable[[Mapping[str, Any], Mapping[str, Any]], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._checked)

    def _checked(self, value: Any, info: ValidationInfo[Any]) -> Any:
        _validate(self.choose(info.data, info.context.whole), value, info.context)
        return value


UNREADABLE: Final = (KeyError, IndexError, TypeError, AttributeError, ValueError)
"""The errors raised when a payload does not have the shape of its kind."""


def mistakes(kind: Any, value: Any, *, closed: bool) -> list[str]:
    """Return the paths, such as "clock.name", at which a value is not of a type; with `closed` also those it does not name."""
    try:
        _validate(kind, value, _Check(value, closed))
    except ValidationError as error:
        return sorted(
            {".".join(map(str, fault["loc"])) for fault in error.errors(include_url=False, include_input=False)}
        )
    return []


class Leaf(NamedTuple):
    """A value of a type that is no object, list or dict: its path ("*" for every entry), and its metadata."""

    path: str
    kind: Any
    metadata: tuple[Any, ...]


def leaves(kind: Any, value: Any = None) -> Iterator[Leaf]:
    """Yield all leaves of a type. `value` decides the types of fields that are defined elsewhere."""
    return _leaves(kind, (), "", value, value)


def texts(kind: Any, value: Any = None) -> Iterator[str]:
    """Yield the paths at which a type has a Text, with "*" for every entry of a list or dict."""
    return (leaf.path for leaf in leaves(kind, value) if Made.TEXT in leaf.metadata)


class _Check(NamedTuple):
    whole: Any
    closed: bool


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _validate(kind: Any, value: Any, check: _Check) -> None:
    adapter = _adapter(kind)
    extra: Literal["forbid", "ignore"] = "forbid" if check.closed else "ignore"
    if is_dataclass(kind):
        # From Python values pydantic strictly takes instances alone; as JSON it takes what the dataclass is stored as.
        adapter.validate_json(json.dumps(value), strict=True, extra=extra, context=check)
    else:
        adapter.validate_python(value, extra=extra, context=check)


def _leaves(kind: Any, metadata: tuple[Any, ...], path: str, value: Any, whole: Any) -> Iterator[Leaf]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _leaves(arguments[0], (*metadata, *arguments[1:]), path, value, whole)
    elif origin in (Union, UnionType):
        for argument in arguments:
            if argument is not NoneType:
                yield from _leaves(argument, metadata, path, value, whole)
    elif origin in (list, tuple, set, frozenset, dict):
        yield from _leaves(arguments[-1 if origin is dict else 0], (), f"{path}.*".strip("."), None, whole)
    elif isinstance(kind, type) and (issubclass(kind, BaseModel) or is_dataclass(kind)):
        fields = value if isinstance(value, Mapping) else {}
        for name, (annotation, about) in _fields(kind).items():
            inside = f"{path}.{name}".strip(".")
            chosen = next((one for one in about if isinstance(one, ChosenBy)), None)
            if chosen is None:
                yield from _leaves(annotation, about, inside, fields.get(name), whole)
            elif name in fields:
                yield from _leaves(chosen.choose(fields, whole), (), inside, fields[name], whole)
    else:
        yield Leaf(path, kind, metadata)


@cache
def _fields(kind: type) -> Mapping[str, tuple[Any, tuple[Any, ...]]]:
    if issubclass(kind, BaseModel):
        return {name: (field.annotation, tuple(field.metadata)) for name, field in kind.model_fields.items()}
    return {name: (annotation, ()) for name, annotation in get_type_hints(kind, include_extras=True).items()}
