"""Write a campaign to a file with which it moves to another server (parts.py says what that holds).

No seed that is not told yet is in a file, whoever asks for it: the one in use is told first, if dice have fallen by it, and the
other server commits to seeds of its own. A GM's file holds nothing that GMs cannot read here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, Any, Final
from uuid import UUID, uuid4
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.db.models import Model
from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.models import Boundaries, Campaign, Event, EventSubject, Membership
from campaigns.services import log
from campaigns.services.campaigns import somebody
from campaigns.services.log import locked
from characters.models import Character
from database.moment import as_of_one_moment
from rolls.models import SavedRoll, SeedEpoch
from rolls.moving.parts import (
    FORMAT,
    MANIFEST,
    columns,
    entry_of,
    foreign_keys,
    is_numbered,
    migrations,
    paths,
    renamed,
    taken,
)
from rolls.queries.checking import dice_events
from rolls.services.fairness import can_be_checked, open_epoch, turn

TRIES: Final = 5


def write(campaign: Campaign, file: IO[bytes], by: Membership | None = None) -> None:
    """Write a campaign as of one moment: as the GM `by` may know it, or all of it for the server's host. Play may go on.

    Raises Blocked if dice fall without pause, and for a log that was imported without anything else.
    """
    if campaign.imported_at:
        raise Blocked(_("Only the log of {campaign} is here. Export that instead.").format(campaign=campaign.name))
    for _attempt in range(TRIES):
        with as_of_one_moment():
            if not _are_dice_open(campaign):
                _Leaving(campaign, file, by).write()
                return
        with locked(campaign) as held:
            turn(log.begin(held, by or somebody(held), uuid4()))
    raise Blocked(_("People are rolling right now. Try again in a minute."))


def _are_dice_open(campaign: Campaign) -> bool:
    """Return whether dice may have fallen by the seed in use."""
    epoch = open_epoch(campaign) if can_be_checked() else None
    if epoch is None or epoch.opened_at is None:
        return False
    return Event.objects.filter(campaign=campaign, at__gte=epoch.opened_at, kind__in=list(dice_events())).exists()


class _Leaving:
    def __init__(self, campaign: Campaign, file: IO[bytes], by: Membership | None) -> None:
        self.campaign, self.by = campaign, by
        self.zip = ZipFile(file, "w", ZIP_DEFLATED)
        self.numbers: dict[str, dict[Any, Any]] = {}
        self.digests: dict[str, str] = {}
        people = Membership.objects.filter(campaign=campaign).select_related("user")
        self.people = {member.pk: member for member in people}

    def write(self) -> None:
        with self.zip:
            for model in taken():
                pictures = self._write_rows(model)
                for digest, (pk, name) in pictures.items():
                    data = model._base_manager.values_list(name, flat=True).get(pk=pk)
                    self._add(f"files/{digest}", bytes(data), ZIP_STORED)
            manifest = {
                "format": FORMAT,
                "campaign": str(self.campaign.pk),
                "migrations": migrations(),
                "by": self.by.number if self.by else None,
                "boundaries": Boundaries.objects.merged(self.campaign),
                "entries": self.digests,
            }
            self.zip.writestr(MANIFEST, json.dumps(manifest, indent=1))

    def _write_rows(self, model: type[Model]) -> dict[str, tuple[Any, str]]:
        """Write the rows of a model. Return where its pictures are, by their digests."""
        numbers: dict[Any, Any] = self.numbers.setdefault(model._meta.label, {})
        digest, pictures = sha256(), dict[str, tuple[Any, str]]()
        with self.zip.open(entry_of(model), "w", force_zip64=True) as out:
            for at, row in enumerate(self._rows(model), 1):
                numbers[row.pk] = at
                values = self._values(row)
                for name, value in values.items():
                    if isinstance(value, bytes | memoryview):
                        values[name] = sha256(value).hexdigest()
                        pictures[values[name]] = row.pk, name
                line = json.dumps(values, default=_as_text, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                out.write(line)
        self.digests[entry_of(model)] = digest.hexdigest()
        return {one: where for one, where in pictures.items() if f"files/{one}" not in self.digests}

    def _rows(self, model: type[Model]) -> Iterator[Model]:
        rows = model._base_manager.filter(**{paths()[model]: self.campaign.pk}).order_by("pk")
        if model is SavedRoll and self.by:
            rows = rows.filter(by=self.by)
        return rows.iterator(chunk_size=500)

    def _values(self, row: Model) -> dict[str, Any]:
        values = {field.attname: getattr(row, field.attname) for field in columns(type(row))}
        for key in foreign_keys(type(row)):
            if is_numbered(key.related_model) and values.get(key.attname) is not None:
                values[key.attname] = self.numbers[key.related_model._meta.label][values[key.attname]]
        if is_numbered(type(row)):
            values[row._meta.pk.attname] = self.numbers[row._meta.label][row.pk]
        if isinstance(row, Membership):
            member = self.people[row.pk]
            values |= {"abroad": member.number, "called": member.kept_name}
        elif isinstance(row, Character):
            values["private_fields"] = {self._whose(key): those for key, those in row.private_fields.items()}
        elif isinstance(row, SeedEpoch) and row.closed_at is None:
            values |= {"seed": "", "blind": ""}
        elif isinstance(row, EventSubject):
            values["key"] = renamed(values["key"], self.numbers)
        return values

    def _whose(self, key: str) -> str:
        return str(self.people[int(key)].number) if key.isdecimal() else key

    def _add(self, name: str, data: bytes, how: int) -> None:
        self.digests[name] = sha256(data).hexdigest()
        self.zip.writestr(ZipInfo(name), data, how)


def _as_text(value: Any) -> str:
    return str(value) if isinstance(value, UUID) else value.isoformat()
