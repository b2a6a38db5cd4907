"""A typed pool: "5", "Swordplay 3 + Old grudge 2", "swordplay + their fear of fire 2".

A Descriptor without a number is looked up on a sheet. "their" marks one of the other side, which gains Will by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.errors import Invalid
from campaigns.schema import Name, Schema
from campaigns.text import signed
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import find, folded, traits
from rules.dice import LARGEST_POOL
from rulesets.descriptors import sheet
from rulesets.descriptors.rules.will import with_extra
from rulesets.descriptors.settings import Settings

LONGEST_POOL: Final = 300
LONGEST_ENTRY: Final = 80
DIGITS: Final = 9  # more are too many dice in any case, and need not be read

RATED = re.compile(r"(?P<name>.*\S)\s+(?P<dice>[0-9]+)[dD]?")


def _their() -> str:
    """Return the word that says, before a Descriptor, that it is the other side's."""
    return pgettext("before a Descriptor of the other side", "their")


def _said_to_be_theirs(part: str) -> re.Match[str] | None:
    """Match that word and the space after it, in English or in the writer's language."""
    return re.match(rf"(?:their[s:]*|{re.escape(_their())}:?)\s+(?=\S)", part, re.IGNORECASE)


def rated(name: str, dice: int) -> str:
    """Return words such as "Tied up 3D"."""
    return _("{name} {dice}D").format(name=name, dice=dice)


def dice_words(count: int) -> str:
    """Return "no dice", "1 die" or "2 dice"."""
    return ngettext("{count} die", "{count} dice", count).format(count=count) if count else _("no dice")


class EntryTerms(Schema):
    name: Name
    dice: int
    theirs: bool


class PoolTerms(Schema):
    """A Pool in rolls, requests and cards."""

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
        return f"{_their()} {self.name}" if self.theirs else self.name

    @property
    def words(self) -> str:
        return f"{self.called} {self.dice}"


@dataclass(frozen=True)
class Pool:
    """What one side rolls: Descriptors, and unnamed dice, which cost nothing. `extra` are dice added by Burns, or
    removed (below 0).
    """

    entries: tuple[Entry, ...]
    unnamed: int = 0
    extra: int = 0

    @property
    def dice(self) -> int:
        return with_extra(sum(entry.dice for entry in self.entries) + self.unnamed, self.extra)

    @property
    def words(self) -> str:
        named = [entry.words for entry in self.entries]
        return " + ".join([*named, dice_words(self.unnamed)] if self.unnamed or not named else named)

    @property
    def typed(self) -> str:
        """Return the pool in the spelling of the form, which can be read again without any sheet."""
        named = [entry.words for entry in self.entries]
        return " + ".join([*named, str(self.unnamed)] if self.unnamed or not named else named)

    @property
    def stored(self) -> dict[str, Any]:
        """Return the pool in JSON's own types (PoolTerms)."""
        kept = {"entries": [asdict(entry) for entry in self.entries], "unnamed": self.unnamed}
        return kept | ({"extra": self.extra} if self.extra else {})


def burn_words(extra: int) -> str:
    """Return words such as "+1 from a Burn"; "" where none has put dice in."""
    return _("{number} from a Burn").format(number=signed(extra)) if extra else ""


def stored_pool(stored: Mapping[str, Any]) -> Pool:
    """Return the pool that `stored` was made of."""
    entries = (Entry(entry["name"], entry["dice"], entry["theirs"]) for entry in stored["entries"])
    return Pool(tuple(entries), stored["unnamed"], stored.get("extra") or 0)


def read_pool(field: str, text: str, own: Values | None, others: Values | None, settings: Settings) -> Pool:
    """Return the pool in `text`, of at most as many dice as the rules allow a side.

    `own` and `others` are the Descriptors sheets of this side and of the other, as far as the roller may read them.
    Raises Invalid at `field`.
    """
    if len(text) > LONGEST_POOL:
        raise Invalid(_("Write the pool in up to {count} characters.").format(count=LONGEST_POOL), field=field)
    if not text.strip():
        raise Invalid(_("Say what both sides roll: Descriptors, a number of dice, or 0 for none."), field=field)
    entries, unnamed = [], 0
    for part in (part.strip() for part in text.split("+")):
        if part.isascii() and part.isdigit():
            unnamed += _number(part)
        else:
            entries.append(_entry(field, part, own, others))
    pool = Pool(tuple(entries), unnamed)
    if not settings.fewest_dice <= pool.dice <= LARGEST_POOL:
        words = _("Each side rolls {fewest} to {most} dice.")
        raise Invalid(words.format(fewest=settings.fewest_dice, most=LARGEST_POOL), field=field)
    return pool


def _entry(field: str, part: str, own: Values | None, others: Values | None) -> Entry:
    # A Descriptor's own name may begin with "their" or end in a number; then the sheet knows.
    theirs = None if _is_called(own, part) else _said_to_be_theirs(part)
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
        raise Invalid(_("Add its dice, as in “{name} 3”.").format(name=name), field=field)
    try:
        trait = find(sheet.SHEET, name, values)
    except SheetError as error:
        raise Invalid(_("{problem} Or add its dice.").format(problem=error.message), field=field) from None
    return Entry(trait.label, trait.rating, theirs)


def _check(field: str, name: str, dice: int) -> None:
    """Refuse text that is not a Descriptor's name with its dice; "Luck -3" and "-3" are no Descriptors of 3 dice."""
    if not any(letter.isalpha() for letter in name) or name[-1] in "-\N{MINUS SIGN}":
        raise Invalid(_("Write a Descriptor as its name and its dice, such as “Swordplay 3”."), field=field)
    if len(name) > LONGEST_ENTRY:
        raise Invalid(_("A Descriptor’s name has up to {count} characters.").format(count=LONGEST_ENTRY), field=field)
    if not 1 <= dice <= LARGEST_POOL:
        raise Invalid(_("A Descriptor has 1 to {count} dice.").format(count=LARGEST_POOL), field=field)


def _is_called(values: Values | None, name: str) -> bool:
    return values is not None and any(folded(trait.label) == folded(name) for trait in traits(sheet.SHEET, values))


def _number(digits: str) -> int:
    return int(digits[:DIGITS])
