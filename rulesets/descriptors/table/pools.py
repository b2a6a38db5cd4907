"""A pool as somebody writes it: "5", "Swordplay 3 + Old grudge 2", "swordplay + their fear of fire 2".

What has no number is looked up on a sheet. "their" says that a Descriptor is the other side's, who gains Will by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from campaigns.errors import Invalid
from campaigns.schema import Name, Schema
from campaigns.text import signed
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import find, folded, traits
from rolls.rules.dice import LARGEST_POOL
from rulesets.descriptors import sheet
from rulesets.descriptors.rules.will import with_extra
from rulesets.descriptors.settings import Settings

LONGEST_POOL: Final = 300
LONGEST_ENTRY: Final = 80
DIGITS: Final = 9  # more are too many dice in any case, and need not be read

THEIRS = re.compile(r"their[s:]*\s+(?=\S)", re.IGNORECASE)
RATED = re.compile(r"(?P<name>.*\S)\s+(?P<dice>[0-9]+)[dD]?")


class EntryTerms(Schema):
    name: Name
    dice: int
    theirs: bool


class PoolTerms(Schema):
    """A Pool, as rolls, requests and cards keep it."""

    entries: list[EntryTerms]
    unnamed: int
    extra: int | None = None


@dataclass(frozen=True)
class Entry:
    """A Descriptor that is named in a pool. `theirs`: it is the other side's, used against them."""

    name: str
    dice: int
    theirs: bool = False

    @property
    def called(self) -> str:
        return f"{'their ' if self.theirs else ''}{self.name}"

    @property
    def words(self) -> str:
        return f"{self.called} {self.dice}"


@dataclass(frozen=True)
class Pool:
    """Holds what one side rolls: Descriptors, and dice that nobody gave a name, which cost nothing. `extra` are dice that add-ons
    put in, or take out (below 0)."""

    entries: tuple[Entry, ...]
    unnamed: int = 0
    extra: int = 0

    @property
    def dice(self) -> int:
        return with_extra(sum(entry.dice for entry in self.entries) + self.unnamed, self.extra)

    @property
    def words(self) -> str:
        unnamed = "1 die" if self.unnamed == 1 else f"{self.unnamed or 'no'} dice"
        named = [entry.words for entry in self.entries]
        return " + ".join([*named, unnamed] if self.unnamed or not named else named)

    @property
    def typed(self) -> str:
        """Return it as one would write it, so that it can be read again without any sheet."""
        named = [entry.words for entry in self.entries]
        return " + ".join([*named, str(self.unnamed)] if self.unnamed or not named else named)

    @property
    def stored(self) -> dict[str, Any]:
        """Return it in JSON's own types (PoolTerms)."""
        kept = {"entries": [asdict(entry) for entry in self.entries], "unnamed": self.unnamed}
        return kept | ({"extra": self.extra} if self.extra else {})


def burn_words(extra: int) -> str:
    """Return words such as "+1 from a Burn"; "" where none has put dice in."""
    return f"{signed(extra)} from a Burn" if extra else ""


def stored_pool(stored: Mapping[str, Any]) -> Pool:
    """Return the pool that `stored` was made of."""
    entries = (Entry(entry["name"], entry["dice"], entry["theirs"]) for entry in stored["entries"])
    return Pool(tuple(entries), stored["unnamed"], stored.get("extra") or 0)


def read_pool(field: str, text: str, own: Values | None, others: Values | None, settings: Settings) -> Pool:
    """Return the pool that `text` says, of as many dice as the rules let one side have.

    `own` and `others` are the Descriptors sheets of this side and of the other, as far as whoever rolls may read them. Raises
    Invalid at `field`.
    """
    if len(text) > LONGEST_POOL:
        raise Invalid(f"A pool is written in at most {LONGEST_POOL} characters.", field=field)
    if not text.strip():
        raise Invalid("Say what both sides roll: Descriptors, a number of dice, or 0 for none.", field=field)
    entries, unnamed = [], 0
    for part in (part.strip() for part in text.split("+")):
        if part.isascii() and part.isdigit():
            unnamed += _number(part)
        else:
            entries.append(_entry(field, part, own, others))
    pool = Pool(tuple(entries), unnamed)
    if not settings.fewest_dice <= pool.dice <= LARGEST_POOL:
        raise Invalid(f"Each side rolls {settings.fewest_dice} to {LARGEST_POOL} dice.", field=field)
    return pool


def _entry(field: str, part: str, own: Values | None, others: Values | None) -> Entry:
    # A Descriptor's own name may begin with "their" or end in a number; then the sheet knows.
    theirs = None if _is_called(own, part) else THEIRS.match(part)
    name, values = (part[theirs.end() :], others) if theirs else (part, own)
    rated = RATED.fullmatch(name)
    if rated is None or _is_called(values, name):
        return _looked_up(field, name, values, bool(theirs))
    dice = _number(rated["dice"])
    _check(field, rated["name"], dice)
    return Entry(rated["name"], dice, bool(theirs))


def _looked_up(field: str, name: str, values: Values | None, theirs: bool) -> Entry:
    if values is None:
        _check(field, name, 1)
        raise Invalid(f"Write how many dice it has: {name} 3.", field=field)
    try:
        trait = find(sheet.SHEET, name, values)
    except SheetError as error:
        raise Invalid(f"{error.message} Or write its dice behind it.", field=field) from None
    return Entry(trait.label, trait.rating, theirs)


def _check(field: str, name: str, dice: int) -> None:
    """Refuse what is no name of a Descriptor with its dice; "Luck -3" and "-3" are no Descriptors of 3 dice."""
    if not any(letter.isalpha() for letter in name) or name[-1] in "-\N{MINUS SIGN}":
        raise Invalid("Write a Descriptor as its name and its dice, such as Swordplay 3.", field=field)
    if len(name) > LONGEST_ENTRY:
        raise Invalid(f"The name of a Descriptor has at most {LONGEST_ENTRY} characters.", field=field)
    if not 1 <= dice <= LARGEST_POOL:
        raise Invalid(f"A Descriptor has 1 to {LARGEST_POOL} dice.", field=field)


def _is_called(values: Values | None, name: str) -> bool:
    return values is not None and any(folded(trait.label) == folded(name) for trait in traits(sheet.SHEET, values))


def _number(digits: str) -> int:
    return int(digits[:DIGITS])
