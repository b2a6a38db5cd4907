"""The parts of a sheet: fields of several kinds, and rows of them. Pure Python: no Django, no database.

Every kind cleans its input into one plain value: an int, a text or a bool. `sheet.py` puts values into sheets.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import ClassVar, TypeAlias

from campaigns import text as text_rules
from campaigns.text import MAX_LINE, MAX_TEXT, TextError
from languages.letters import fold, plain_signs
from languages.text import colon, gettext_lazy, pgettext
from languages.text import gettext as _


def clean_text(text: str, limit: int = MAX_TEXT) -> str:
    """Return the text with plain line ends and without space around it; "" if nothing in it could be seen. Raises TextError."""
    # Twice the limit leaves room for the browser's two-character line ends; longer texts are not even checked.
    text_rules.check_length(text, 2 * limit + 100, limit=limit)
    return text_rules.clean_text(text, limit)


def clean_line(text: str, limit: int = MAX_LINE) -> str:
    """Return the same for what has to fit on one line. Raises TextError."""
    return text_rules.check_line(clean_text(text, limit))


Value: TypeAlias = int | str | bool
"""The value of a field. A `Measure` is a text such as "1.5", since sheets and the log hold no fractions."""

# int() alone would also take "1_0", and would read a number of a million digits.
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
SIGNS = tuple("+-\N{MINUS SIGN}\N{EN DASH}")  # with which a number begins that changes another
DECIMAL = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,3}))?")
SHORTENED = 40  # characters of what was typed that a message repeats

YES = frozenset({"yes", "true", "on", "1"})
NO = frozenset({"no", "false", "off", "0", ""})


class SheetError(Exception):
    """A value or an address that a sheet does not accept.

    `message` is for the person who tried; `field` is the address at fault, `value` the rejected value, `range` the
    least and the greatest allowed (None if it is no number, or no value would do, as for an unknown name).
    """

    def __init__(
        self, message: str, *, field: str = "", value: object = None, range: tuple[int, int] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.value = value
        self.range = range


class RowGone(SheetError):
    """There is no such row, any more or ever."""


class Visibility(Enum):
    """Who may ever see what a field holds, from the most to the fewest."""

    PUBLIC = "public"  # everyone who may see the card
    SHEET = "sheet"  # everyone who may see the sheet
    PRIVATE = "private"  # the character's players, and the GMs
    SECRET = "secret"  # noqa: S105  # GMs alone


class Marks(Enum):
    """How a value is drawn: dots for what a character is, boxes for what is used up, a signed number for a leaning, a number."""

    DOTS = "dots"
    BOXES = "boxes"
    SIGNED = "signed"
    NUMBER = "number"


@dataclass(frozen=True)
class Field(ABC):
    """One value of a sheet, or one column of its rows. Its `label` may be lazy: take its `str` to keep or send it."""

    name: str
    label: str
    visibility: Visibility = Visibility.SHEET

    kind: ClassVar[str] = ""

    @property
    @abstractmethod
    def start(self) -> Value:
        """Return the default value of the field."""

    @abstractmethod
    def clean(self, value: object) -> Value:
        """Return the value as this field holds it. Raises SheetError."""

    def words(self, value: Value) -> str:
        """Return the value as people read it."""
        return str(value)

    def shown(self, value: Value) -> Value:
        """Return the value as inputs have it, in the reader's language."""
        return value

    def meant(self, given: object, current: Value) -> object:
        """Return the value that a reader has given: `current`, if they have left its words as they were shown to them."""
        return given

    def shift(self, given: object) -> int:
        """Return by how much a reader wants to change the value; 0 if they set it."""
        return 0

    def _refuse(self, message: str, value: object) -> SheetError:
        shown = value[:SHORTENED] if isinstance(value, str) else value
        return SheetError(message, field=self.name, value=shown)


@dataclass(frozen=True)
class Number(Field):
    """A whole number from `minimum` to `maximum`.

    `ceiling` names a field whose value it may not exceed either. `drawn` is how many marks are shown even when the value is
    lower; 0 means as many as the ceiling allows. One that may be negative is drawn with its sign, not as dots. A
    `ten_maximum` trait is rolled alone.
    """

    minimum: int = 0
    maximum: int = 5
    default: int = 0
    rollable: bool = True
    ten_maximum: bool = False
    ceiling: str = ""
    marks: Marks = Marks.DOTS
    drawn: int = 5

    kind: ClassVar[str] = "number"

    def __post_init__(self) -> None:
        if self.minimum < 0 and self.marks is Marks.DOTS:
            object.__setattr__(self, "marks", Marks.SIGNED)  # less than no dots can't be drawn

    @property
    def start(self) -> int:
        return self.default

    def clean(self, value: object, *, most: int | None = None) -> int:
        """Takes ints and their decimal text; `most` is the present value of the ceiling."""
        top = self.maximum if most is None else max(self.minimum, min(self.maximum, most))
        number = _whole(value)
        limits = (self.minimum, top)
        if number is None:
            message = _("{field}: enter a whole number from {least} to {most}.")
            message = message.format(field=self.label, least=self.minimum, most=top)
            raise SheetError(message, field=self.name, value=value, range=limits)
        if not self.minimum <= number <= top:
            message = _("{field} goes from {least} to {most}, not {number}.")
            message = message.format(field=self.label, least=self.minimum, most=top, number=number)
            raise SheetError(message, field=self.name, value=number, range=limits)
        return number

    def meant(self, given: object, current: Value) -> object:
        by = self.shift(given)
        return int(current) + by if by else given

    def shift(self, given: object) -> int:
        """Return 5 for "+5" and -5 for "−5", where the number can't be negative."""
        signed = isinstance(given, str) and self.minimum >= 0 and given.strip()[:1] in SIGNS
        return (_whole(given) or 0) if signed else 0

    def words(self, value: Value) -> str:
        if self.marks is Marks.SIGNED and isinstance(value, int) and value:
            return f"+{value}" if value > 0 else f"\N{MINUS SIGN}{-value}"
        return str(value)


@dataclass(frozen=True)
class Text(Field):
    """Words: on one line, or `long` ones in Markdown. `required` ones are never empty; `suggests` are common values, with
    a line about each if it is a mapping.

    Words of ours, those that it suggests and those that a ruleset writes, are kept as the English of a message
    with this gettext `context`, and read in each reader's language; what people typed stays as it is. Without a `context`, what
    it suggests is kept as if it had been typed.
    """

    long: bool = False
    longest: int = 0  # characters; 0 for the default of its kind
    required: bool = False
    suggests: Iterable[str] = ()
    default: str = ""
    context: str = ""

    kind: ClassVar[str] = "text"

    @property
    def start(self) -> str:
        return self.default

    @property
    def most(self) -> int:
        """Return the characters that fit."""
        return self.longest or (MAX_TEXT if self.long else MAX_LINE)

    def words(self, value: Value) -> str:
        return pgettext(self.context, str(value)) if self.context and value else str(value)

    def shown(self, value: Value) -> Value:
        return self.words(value)

    def meant(self, given: object, current: Value) -> object:
        return current if given == self.words(current) else given

    @property
    def suggested(self) -> list[str]:
        """Return the common values in the reader's language: in the alphabet's order, if that is how they are declared."""
        words = [self.words(value) for value in self.suggests]
        return sorted(words, key=fold) if list(self.suggests) == sorted(self.suggests) else words

    @property
    def explained(self) -> list[tuple[str, str]]:
        """Return the common values with the line about each, in the reader's language; [] if they have none."""
        lines = self.suggests if isinstance(self.suggests, Mapping) else {}
        return sorted(((self.words(value), str(line)) for value, line in lines.items()), key=lambda told: fold(told[0]))

    def clean(self, value: object) -> str:
        if not isinstance(value, str):
            raise self._refuse(_("{field}: enter text.").format(field=self.label), value)
        try:
            text = clean_text(value, self.most) if self.long else clean_line(value, self.most)
        except TextError as error:
            raise self._refuse(f"{self.label}{colon()}{error}", value) from None
        if self.required and not text:
            raise self._refuse(_("{field} can’t be empty.").format(field=self.label), value)
        return next((ours for ours in self.suggests if self.words(ours) == text), text) if self.context else text


@dataclass(frozen=True)
class Choice(Field):
    """One of some words. `choices` are (stored value, label)."""

    choices: tuple[tuple[str, str], ...] = ()
    default: str = ""

    kind: ClassVar[str] = "choice"

    @property
    def start(self) -> str:
        return self.default

    def clean(self, value: object) -> str:
        if isinstance(value, str) and value in dict(self.choices):
            return value
        allowed = ", ".join(str(label) for held, label in self.choices)
        raise self._refuse(_("{field} is one of: {choices}.").format(field=self.label, choices=allowed), value)

    def words(self, value: Value) -> str:
        return str(dict(self.choices).get(str(value), value))


@dataclass(frozen=True)
class Flag(Field):
    """Yes or no, and how people read either (`said`). On a track of changing length it is the `box`th box, from 1."""

    default: bool = False
    box: int = 0
    said: tuple[str, str] = (gettext_lazy("no"), gettext_lazy("yes"))
    kind: ClassVar[str] = "flag"

    @property
    def start(self) -> bool:
        return self.default

    def clean(self, value: object) -> bool:
        """Takes bools and the words and digits that forms send for them."""
        if isinstance(value, bool):
            return value
        word = value.strip().lower() if isinstance(value, str) and len(value) < SHORTENED else None
        if word in YES | NO:
            return word in YES
        raise self._refuse(_("{field} is yes or no.").format(field=self.label), value)

    def words(self, value: Value) -> str:
        return str(self.said[bool(value)])


@dataclass(frozen=True)
class Measure(Field):
    """A weight or a length from 0 to `maximum`, to three decimals, held as its shortest text: "1.5"."""

    unit: str = "kg"
    maximum: int = 100_000
    default: str = "0"

    kind: ClassVar[str] = "measure"

    @property
    def start(self) -> str:
        return self.default

    def clean(self, value: object) -> str:
        """Takes ints and decimal text, with a point or a comma."""
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if 0 <= value <= self.maximum else ""
        match = DECIMAL.fullmatch(value.strip()) if isinstance(value, str) and len(value) < SHORTENED else None
        if match is None or Decimal(f"{match[1]}.{match[2] or 0}") > self.maximum:
            message = _("{field}: enter {unit} from 0 to {most}, with up to three decimals.")
            raise self._refuse(message.format(field=self.label, unit=self.unit, most=self.maximum), value)
        whole, part = match[1].lstrip("0") or "0", (match[2] or "").rstrip("0")
        return f"{whole}.{part}" if part else whole

    def words(self, value: Value) -> str:
        return f"{value} {self.unit}"


@dataclass(frozen=True)
class Link(Field):
    """Another character, by its id; "" for none. Whether there is such a one is for those to say who keep characters."""

    kind: ClassVar[str] = "link"

    @property
    def start(self) -> str:
        return ""

    def clean(self, value: object) -> str:
        text = value.strip().lower() if isinstance(value, str) and len(value) <= SHORTENED else None
        if text == "" or (text is not None and _ID.fullmatch(text)):
            return text
        raise self._refuse(_("{field}: choose a character.").format(field=self.label), value)


@dataclass(frozen=True)
class Rows:
    """A free list: each row has an id that stays, and columns that are fields. `most` is how many rows fit.

    `title` is the column that says what a row is; `trait` the Number column that can be rolled under that title, if there is
    one. `singular` is what one row is called.
    """

    name: str
    label: str
    singular: str
    columns: tuple[Field, ...]
    most: int = 60
    title: str = "name"
    trait: str = ""
    visibility: Visibility = Visibility.SHEET

    def column(self, name: str) -> Field:
        """Raises SheetError."""
        if column := {field.name: field for field in self.columns}.get(name):
            return column
        message = _("{rows}: there is no column called “{name}”.").format(rows=self.label, name=name[:SHORTENED])
        raise SheetError(message, field=f"{self.name}/{name[:SHORTENED]}")


_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) < SHORTENED and WHOLE.fullmatch(plain := plain_signs(value.strip())):
        return int(plain)
    return None
