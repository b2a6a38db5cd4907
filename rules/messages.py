"""Sentences that are stored as what they are made of, and worded when they are read, in the language of whoever reads.

    _("{who}: push, {cost} stress", who=moth.name, cost=2)

is a `Message`: its sentence as it stands in the source, and what it names. What is named is a number, what a person typed, a word
(languages/text.py) or another message. Where a sentence is written anew later, what was stored before is read as it was written,
in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, PlainValidator

from campaigns.schema import Made
from languages import text
from languages.text import LazyText

SAY: Final = "say"
NAMED: Final = re.compile(r"\{([a-z_0-9]+)\}")


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence to be read; `sentence` is one text, or singular and plural for `count`. With `capital` it begins with one,
    whatever it names first."""

    sentence: tuple[str, ...]
    context: str = ""
    count: int | None = None
    named: tuple[tuple[str, Any], ...] = ()
    capital: bool = False

    def __str__(self) -> str:
        """Return its words in the active language. What it does not name stays as it is written."""
        values = {name: str(value) for name, value in self.named}
        words = NAMED.sub(lambda found: values.get(found[1], found[0]), self._translated())
        return words[:1].upper() + words[1:] if self.capital else words

    def __bool__(self) -> bool:
        return any(self.sentence)

    def _translated(self) -> str:
        if self.count is None:
            return text.pgettext(self.context, self.sentence[0]) if self.context else text.gettext(self.sentence[0])
        singular, plural = self.sentence
        if self.context:
            return text.npgettext(self.context, singular, plural, self.count)
        return text.ngettext(singular, plural, self.count)


Words: TypeAlias = str | Message
"""What a person reads: text as it is, or a message in their language."""


def gettext(sentence: str, /, **named: Any) -> Message:
    """Return a message, with what it names."""
    return Message((sentence,), named=tuple(named.items()))


def ngettext(singular: str, plural: str, count: int, /, **named: Any) -> Message:
    """Return a message about so many things, which it may name as `count`."""
    return Message((singular, plural), count=count, named=(*named.items(), ("count", count)))


def worded(sentence: str, /, **named: Any) -> Message:
    """Return a message of a text that was written when its module was loaded (languages/text.py), with what it names of these."""
    *context, source = getattr(sentence, "arguments", (sentence,))
    names = tuple((name, value) for name, value in named.items() if f"{{{name}}}" in str(source))
    return Message((str(source),), "".join(context), named=names)


def joined(separator: str, parts: Iterable[Words]) -> Message:
    """Return a message of several, one behind the other."""
    named = {f"part{place}": part for place, part in enumerate(parts)}
    return Message((separator.join(f"{{{name}}}" for name in named),), named=tuple(named.items()))


def capital(words: Words) -> Message:
    """Return a sentence that begins with a capital, as it may begin with the words for somebody without a name."""
    return replace(words if isinstance(words, Message) else joined("", (words,)), capital=True)


def stored(value: Any) -> Any:
    """Return what is to be read in JSON's own types, messages as what they are made of: of dataclasses all fields, and their
    properties that are read as well."""
    match value:
        case LazyText():
            return stored(worded(value))  # type: ignore[arg-type]  # it acts as a str
        case Message():
            parts = {"in": value.context, "count": value.count, "with": {one: stored(it) for one, it in value.named}}
            parts |= {"capital": value.capital or None}
            return {SAY: [*value.sentence]} | {name: part for name, part in parts.items() if part not in (None, "", {})}
        case Mapping():
            return {name: stored(one) for name, one in value.items()}
        case BaseModel():
            return value.model_dump(mode="json")
        case Enum():
            return value.value
        case list() | tuple() | set() | frozenset() if not hasattr(value, "_asdict"):
            return [stored(one) for one in value]
        case None | bool() | int() | str():
            return value
    if hasattr(value, "_asdict"):
        return stored(value._asdict())
    if is_dataclass(value):
        read = (name for name, one in vars(type(value)).items() if isinstance(one, property))
        names = [*(field.name for field in fields(value)), *read]
        return {name: stored(getattr(value, name)) for name in names}
    return str(value)


def read(value: Any) -> Any:
    """Return what `stored` made, with the words of its messages in the active language."""
    return _walked(value, lambda message: str(message))


def message_of(kept: Mapping[str, Any]) -> Message:
    """Return the message that `stored` made this of. Raises one of UNREADABLE for anything else."""
    sentence, context, count = kept[SAY], kept.get("in", ""), kept.get("count")
    named = tuple((name, _walked(one, lambda message: message)) for name, one in kept.get("with", {}).items())
    number = None if count is None else int(count)
    return Message(tuple(map(str, sentence)), str(context), number, named, bool(kept.get("capital")))


def _checked(kept: Any) -> Any:
    message_of(kept)
    return kept


Line: TypeAlias = Annotated[Any, PlainValidator(_checked), Made.LINE]
"""The type of a message as `stored` makes it, in a schema (campaigns/schema.py)."""


def _walked(value: Any, said: Callable[[Message], Any]) -> Any:
    walked = partial(_walked, said=said)
    if isinstance(value, Mapping):
        if SAY in value:
            return said(message_of(value))
        return {name: walked(one) for name, one in value.items()}
    return [walked(one) for one in value] if isinstance(value, list) else value
