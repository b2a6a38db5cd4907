"""Decided and entered values, as pydantic classes: impossible ones raise a RuleError for people to read.

class Settings(Checked):
    boxes: Annotated[int, Whole(1, 9)] = 9
    gambits: YesNo = False
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, Strict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, core_schema
from pydantic_core.core_schema import ValidationInfo

from languages.text import gettext
from rules.errors import LONGEST_TEXT_SHOWN, NotPossible, OutOfRange, RuleError, UnknownWord, whole

YesNo: TypeAlias = Annotated[bool, Strict()]
YES_NO: Final = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, as rules/errors.whole checks it."""

    low: int
    high: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._checked)

    def _checked(self, value: object, info: ValidationInfo[Any]) -> int:
        return whole(info.field_name or "", value, self.low, self.high)


class Checked(BaseModel):
    """Values that are what their types say, and do not change. Lists are read as tuples, and fractions as they are written.

    Raises RuleError where one cannot be: the first, at its field.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise self._refusal(error.errors(include_url=False)[0]) from None

    def changed(self, **values: Any) -> Self:
        """Return the same with other values for some fields."""
        return type(self)(**{**dict(self), **values})

    @classmethod
    def _refusal(cls, fault: ErrorDetails) -> RuleError:
        cause = fault.get("ctx", {}).get("error")
        if isinstance(cause, RuleError):
            return cause
        name, value = str(fault["loc"][0] if fault["loc"] else ""), fault["input"]
        if fault["type"] == "extra_forbidden":
            known = ", ".join(cls.model_fields)
            message = gettext("There’s no such key here. The keys are: {names}.").format(names=known)
            return NotPossible(name[:LONGEST_TEXT_SHOWN], None, allowed=known, message=message)
        if fault["type"] == "missing":
            value = None
        for number in _numbers(cls.model_fields[name]):
            return OutOfRange(name, value, number.low, number.high)
        if fault["type"].startswith("bool"):
            return UnknownWord(name, value, YES_NO)
        message = gettext("“{field}” can’t have this value.").format(field=name.replace("_", " "))
        return NotPossible(name, value, allowed="", message=message)


def _numbers(field: FieldInfo) -> Iterator[Whole]:
    return (about for about in field.metadata if isinstance(about, Whole))


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


def plain(group: Checked) -> dict[str, Any]:
    """Return a group of settings in JSON's own types: tuples as lists, fractions as "3/4"."""
    return group.model_dump(mode="json")


def made(kind: type[Checked], values: Mapping[str, Any]) -> Any:
    """Return a group of settings from JSON's own types. Unknown ones are left out, so a removed setting does no harm.

    Raises RuleError for impossible values.
    """
    return kind(**{name: value for name, value in values.items() if name in kind.model_fields})
