"""What a character sheet is made of: fields with a range, in groups. Pure Python: no Django, no database."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

# int() alone would also take "1_0", and would read a number of a million digits.
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


class SheetError(Exception):
    """A sheet cannot take this.

    `message` is for the person who tried; `field` is the name at fault, `value` what was given for it, `range` the least and
    the greatest it may be (None where no value would do, as for a name that no sheet has).
    """

    def __init__(
        self, message: str, *, field: str = "", value: object = None, range: tuple[int, int] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.value = value
        self.range = range


class Marks(Enum):
    """How a value is drawn: dots for what a character is, boxes for what is used up, a signed number for a leaning."""

    DOTS = "dots"
    BOXES = "boxes"
    SIGNED = "signed"


@dataclass(frozen=True)
class Field:
    """One value of a sheet, an int from `minimum` to `maximum`.

    `ceiling` names a field whose value it may not exceed either. `drawn` is how many marks are shown even when the value is
    lower; 0 means as many as the ceiling allows. A `ten_maximum` trait is rolled alone (storyteller.txt, Rolling Dice).
    """

    name: str
    label: str
    group: str
    minimum: int = 0
    maximum: int = 5
    default: int = 0
    rollable: bool = True
    ten_maximum: bool = False
    ceiling: str = ""
    marks: Marks = Marks.DOTS
    drawn: int = 5


# How an NPC feels about the player characters (scale.txt, Burns). Every NPC has it, whatever its system.
DISPOSITION = Field(
    "disposition", "Disposition", "npc", minimum=-5, maximum=5, rollable=False, marks=Marks.SIGNED, drawn=0
)


@dataclass(frozen=True)
class Group:
    """Fields that stand together under a heading."""

    name: str
    label: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Drawn:
    """A value as it is drawn: `of` is the number of marks, `value` how many of them are filled."""

    field: Field
    value: int
    of: int


def clean(field: Field, value: object, *, ceiling: int | None = None) -> int:
    """The value as an int within the field's range. Takes ints and their decimal text.

    Raises SheetError with the field, the value and the range. `ceiling` is the present value of the field's ceiling.
    """
    top = field.maximum if ceiling is None else min(field.maximum, ceiling)
    number = _whole(value)
    if number is None:
        raise SheetError(
            f"{field.label} is a whole number from {field.minimum} to {top}.",
            field=field.name,
            value=value,
            range=(field.minimum, top),
        )
    if not field.minimum <= number <= top:
        raise SheetError(
            f"{field.label} goes from {field.minimum} to {top}; {number} is outside.",
            field=field.name,
            value=number,
            range=(field.minimum, top),
        )
    return number


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value)
    return None


class Sheet:
    """The fields of one system. A character's `values` map field names to ints; what is not in them has its default."""

    def __init__(self, system: str, groups: Sequence[Group]) -> None:
        self.system = system
        self.groups = tuple(groups)
        self.fields = {field.name: field for group in groups for field in group.fields}

    def field(self, name: str) -> Field:
        """The field of exactly this name. Raises SheetError."""
        if name not in self.fields:
            raise SheetError(f"This sheet has no field called “{name[:40]}”.", field=name[:40])
        return self.fields[name]

    def value(self, values: Mapping[str, int], name: str) -> int:
        """What a field is now."""
        field = self.field(name)
        value = values.get(name, field.default)
        return min(value, self.value(values, field.ceiling)) if field.ceiling else value

    def clean(self, values: Mapping[str, int], name: str, value: object) -> int:
        """`value` as the field may hold it beside the other values. Raises SheetError."""
        field = self.field(name)
        return clean(field, value, ceiling=self.value(values, field.ceiling) if field.ceiling else None)

    def leaning_on(self, name: str) -> list[Field]:
        """The fields that may not exceed this one."""
        return [field for field in self.fields.values() if field.ceiling == name]

    def drawn(self, values: Mapping[str, int], name: str) -> Drawn:
        """A field as it is drawn."""
        field, value = self.field(name), self.value(values, name)
        of = field.drawn or (self.value(values, field.ceiling) if field.ceiling else field.maximum)
        return Drawn(field, value, max(of, value))

    def find(self, text: str) -> Field:
        """The rollable field that somebody means: by name or label, or by how one of them begins, in any case.

        Raises SheetError that names the ones it may have been.
        """
        wanted = _folded(text)
        names = {_folded(field.label): field for field in self.fields.values() if field.rollable}
        if wanted in names:
            return names[wanted]
        begun = [field for name, field in names.items() if wanted and name.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            meant = _one_of([field.label for field in begun])
            raise SheetError(f"“{text.strip()[:40]}” may be {meant}. Write more of it.", field=text.strip()[:40])
        near = [names[name].label for name in get_close_matches(wanted[:40], names, n=3, cutoff=0.6)]
        hint = f" Did you mean {_one_of(near)}?" if near else ""
        raise SheetError(f"There is no trait called “{text.strip()[:40]}”.{hint}", field=text.strip()[:40])


def _folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _one_of(labels: Sequence[str]) -> str:
    """ "A", "A or B", "A, B or C"."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} or {labels[-1]}"
