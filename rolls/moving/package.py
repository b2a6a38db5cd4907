"""The file of a campaign as it is taken in: who made it is unknown, so nothing in it is believed that is not checked here.

Nothing is unpacked: its entries are read where they lie, as many bytes as they say, and of no other name than we give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, Any, Final
from uuid import UUID
from zipfile import BadZipFile, ZipFile
from zlib import error as DamagedData

from django.core.exceptions import ValidationError as Unfit
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import RunPython
from django.db.models import BinaryField, BooleanField, Field, JSONField, Model
from pydantic import ValidationError

from campaigns.errors import Invalid
from campaigns.pictures import PictureError, check
from campaigns.schema import Schema
from campaigns.text import FORBIDDEN, MAX_TEXT
from languages.text import gettext_lazy
from rolls.moving.parts import FORMAT, MANIFEST, columns, entry_of, migrations, taken

MOST_BYTES: Final = 2_000_000_000  # of all entries, as they are unpacked
MOST_ROWS_BYTES: Final = 600_000_000  # of those that can be packed a thousandfold
LARGEST_DIRECTORY: Final = 4_000_000  # of a ZIP file, which is read at once
LARGEST_MANIFEST: Final = 4_000_000
LARGEST_PICTURE: Final = 5_000_000
LONGEST_ROW: Final = 1_000_000
DEEPEST: Final = 40  # lists and dicts in each other
MOST_PARTS: Final = 20_000  # of a value: what a page draws takes time and room for each
LONGEST_TEXT: Final = 4 * MAX_TEXT
HIGHEST: Final = 2**53  # what every reader of JSON counts to
ENDS: Final = 22  # bytes of a ZIP file's last record

NO_CAMPAIGN: Final = gettext_lazy("This isn’t a campaign that Afterburn exported. Nothing was imported.")
DAMAGED: Final = gettext_lazy("This file is damaged. Download or copy it again. Nothing was imported.")
TOO_LARGE: Final = gettext_lazy("This file holds more than a campaign can. Nothing was imported.")
NEWER: Final = gettext_lazy(
    "This campaign was exported by a newer version of Afterburn. Update this server first. Nothing was imported."
)
OLDER: Final = gettext_lazy(
    "This campaign was exported by a version of Afterburn that is too old. Update that server, and export it again. Nothing "
    "was imported."
)
CHANGED: Final = gettext_lazy(
    "What this file says doesn’t fit together: it was changed, or made by something else. Nothing was imported."
)

Row = dict[str, Any]


class Refused(Invalid):
    """The file cannot be taken in; `detail` tells the host of the server where it is at fault."""

    def __init__(self, message: Any = CHANGED, detail: str = "") -> None:
        super().__init__(message, field="file")
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.message} ({self.detail})" if self.detail else self.message


class _Boundaries(Schema):
    lines: list[str]
    veils: list[str]


class Manifest(Schema):
    """What a file says of itself: `by` is the number of the GM who exported it, `entries` are the digests of all others."""

    format: str
    campaign: str
    migrations: list[str]
    by: int | None
    boundaries: _Boundaries
    entries: dict[str, str]


class Package:
    """A file whose entries are as its manifest says, of a version that can be taken in here. Raises Refused."""

    def __init__(self, file: IO[bytes]) -> None:
        self.size = 0  # of its rows
        _refuse_large_directory(file)
        try:
            self._zip = ZipFile(file)
            names = [info.filename for info in self._zip.infolist()]
            self.manifest = self._manifest()
            if len(names) != len({*names}) or {*names} != {MANIFEST, *self.manifest.entries}:
                raise Refused(DAMAGED)
            self._refuse_large()
            _refuse_other_version(self.manifest.migrations)
            for name, digest in self.manifest.entries.items():
                if self._digest(name) != digest:
                    raise Refused(DAMAGED)
        except (BadZipFile, DamagedData, EOFError, OSError, KeyError, NotImplementedError, RuntimeError, ValueError):
            raise Refused(DAMAGED) from None

    def _manifest(self) -> Manifest:
        if self._zip.NameToInfo[MANIFEST].file_size > LARGEST_MANIFEST:
            raise Refused(TOO_LARGE)
        try:
            said = Manifest.model_validate_json(self._zip.read(MANIFEST))
            if said.format != FORMAT or str(UUID(said.campaign)) != said.campaign:
                raise Refused(NO_CAMPAIGN)
        except (ValidationError, ValueError):
            raise Refused(NO_CAMPAIGN) from None
        return said

    def _refuse_large(self) -> None:
        expected = {entry_of(model) for model in taken()}
        for info in self._zip.infolist():
            if info.filename in expected:
                self.size += info.file_size
            elif info.filename != MANIFEST and not re.fullmatch(r"files/[0-9a-f]{64}", info.filename):
                raise Refused(NO_CAMPAIGN)
            elif info.file_size > LARGEST_PICTURE:
                raise Refused(TOO_LARGE)
        if self.size > MOST_ROWS_BYTES or sum(info.file_size for info in self._zip.infolist()) > MOST_BYTES:
            raise Refused(TOO_LARGE)

    def _digest(self, name: str) -> str:
        digest = sha256()
        with self._zip.open(name) as entry:
            while part := entry.read(1_000_000):
                digest.update(part)
        return digest.hexdigest()

    def lines(self, model: type[Model]) -> Iterator[bytes]:
        """Yield the rows of a model as they are written; none, of one that the file's version does not have."""
        if entry_of(model) not in self.manifest.entries:
            return
        with self._zip.open(entry_of(model)) as entry:
            while line := entry.readline(LONGEST_ROW + 1):
                if len(line) > LONGEST_ROW:
                    raise Refused(TOO_LARGE)
                yield line

    def rows(self, model: type[Model]) -> Iterator[Row]:
        """Yield the rows of a model with the columns that it has here, those that are new with what they begin with. What they
        name in other rows is as the file numbers it."""
        known = {field.attname: field for field in columns(model)}
        for line in self.lines(model):
            row = _parsed(line)
            if not isinstance(row, dict) or not row.keys() <= known.keys():
                raise Refused(detail=f"{model._meta.label} has other columns")
            yield {name: row[name] if name in row else _usual(field) for name, field in known.items()}

    def value(self, field: Field[Any, Any], given: Any) -> Any:
        """Return the value of a column, as its field may hold it."""
        if given is None and field.null:
            return None
        try:
            if isinstance(field, BinaryField):
                return self._picture(given)
            if isinstance(field, JSONField):
                _check_json(given)
                return given
            if isinstance(given, list | dict | float) or isinstance(given, bool) != isinstance(field, BooleanField):
                raise ValueError
            if isinstance(given, str) and _is_unkept(given):
                raise ValueError
            value = field.to_python(given)
            if value is None or (field.choices and value not in {one for one, _words in field.flatchoices}):
                raise ValueError
            field.run_validators(value)
        except (Unfit, ValueError, TypeError, OverflowError, PictureError):
            raise Refused(detail=f"{field.model._meta.label}.{field.name} can’t be that") from None
        return value

    def _picture(self, name: Any) -> bytes:
        if f"files/{name}" not in self.manifest.entries:
            raise ValueError
        data = self._zip.read(f"files/{name}")
        if check(data).format != "WebP":
            raise ValueError
        return data


def _refuse_large_directory(file: IO[bytes]) -> None:
    """Raise Refused for what is no ZIP file as we write it, or has a directory of more entries than are read at once."""
    size = file.seek(0, 2)
    file.seek(max(0, size - ENDS))
    last = file.read(ENDS)
    if len(last) < ENDS or last[:4] != b"PK\x05\x06":
        raise Refused(NO_CAMPAIGN if size else DAMAGED)
    if int.from_bytes(last[12:16], "little") > LARGEST_DIRECTORY:
        raise Refused(TOO_LARGE)
    file.seek(0)


def _refuse_other_version(theirs: list[str]) -> None:
    ours = {*migrations()}
    if not ours >= {*theirs}:
        raise Refused(NEWER)
    made = MigrationLoader(None, ignore_no_migrations=True).disk_migrations or {}
    since = [
        made[app, name] for app, _dot, name in (one.partition(".") for one in ours - {*theirs}) if (app, name) in made
    ]
    # What a later version has changed in rows, a file's rows have not seen.
    if any(isinstance(one, RunPython) for migration in since for one in migration.operations):
        raise Refused(OLDER)


def _usual(field: Field[Any, Any]) -> Any:
    if field.has_default() or field.null or field.empty_strings_allowed:
        return field.get_default()
    raise Refused(OLDER, f"{field.model._meta.label}.{field.name} is missing")


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError):
        raise Refused(detail="a row isn’t JSON") from None


def _no_float(text: str) -> Any:
    raise ValueError(text)


def _check_json(value: Any) -> None:
    """Raise ValueError for values that no database can store, and for ones that nobody could have written here."""
    parts, level = 0, [value]
    for _depth in range(DEEPEST):
        parts += len(level)
        inside: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inside += [*one, *one.values()]
            elif isinstance(one, list):
                inside += one
            elif (isinstance(one, str) and _is_unkept(one)) or (isinstance(one, int) and abs(one) >= HIGHEST):
                raise ValueError
        level = inside
    if level or parts > MOST_PARTS:
        raise ValueError


def _is_unkept(text: str) -> bool:
    return len(text) > LONGEST_TEXT or bool(FORBIDDEN.search(text))
