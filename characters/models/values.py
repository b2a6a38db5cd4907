"""The values of a character's sheet, by address, and where they are stored.

What all may see, what those may see who see the sheet, what is its player's own and what is the GM's lie apart, so that none of
them has to be filtered before it is shown to those it is for: single values in a column each (`public_fields`, `sheet_fields`,
`private_fields`, `secret_fields`), rows in a table of their own, each with its visibility (`SheetRow`). Here both are put
together: `public`, `sheet`, `secret` and `values` are plain mappings, as the pure functions of sheets take them; `hold` takes
them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, overload
from uuid import UUID, uuid5

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils.functional import cached_property  # the one that `Prefetch` knows

from campaigns.models import Membership, Viewer
from campaigns.models.log import Subject
from characters.sheets import sheet_of
from characters.sheets.common import DISPOSITION
from characters.sheets.fields import Field, Link, Number, Rows, Value, Visibility
from characters.sheets.sheet import FieldAddress, Sheet
from characters.sheets.told import drawn, label
from database.compiled import Parameter, compiled

# The rows of sheets, of every game in one table: all list entries, such as belongings, wounds and friends.


T = TypeVar("T", bound=Value)


R = TypeVar("R", bound="SheetRow")


class SheetRowQuerySet(models.QuerySet[R]):
    def of(self, *characters: models.Model) -> Self:
        """Return those on the sheets of these characters."""
        return self.filter(character__in=characters)

    def named(self, name: str) -> Self:
        """Return those that are called so, in any case."""
        return self.filter(values__name__iexact=name)

    def seen_by(self, viewer: Viewer | Membership) -> Self:
        """Return rows in lists that this viewer may see, by `Character.visibilities`; other rows are not even read."""
        if viewer.is_gm:
            return self
        opened = Q(character__opened=True) | Q(character__is_crew=True)
        seen = Q(visibility=Visibility.PUBLIC.value) | (Q(visibility=Visibility.SHEET.value) & opened)
        member = viewer if isinstance(viewer, Membership) else viewer.membership
        if member is not None:
            own = Q(character__owner=member) | Q(character__in=member.co_owned.values("pk"))
            noted = Q(visibility=Visibility.PRIVATE.value, owner=F("character__owner"))
            seen |= own & (Q(visibility=Visibility.SHEET.value) | noted)
        return self.filter(seen)


class SheetRow(models.Model):
    """A row of a list on a character's sheet.

    `group` is the name of the list (`characters.sheets.fields.Rows`), `uid` the row's id, unique in that list, by which
    pages, addresses and events name it; `position` orders the rows of a list and stays when others are removed.
    `values` maps columns to values; missing ones have the column's default. `visibility` is that of the list, so that
    queries can leave rows out. `owner` is whose a private row is, None for the GMs' own; others have none. `version`
    counts the writes: a save names the one it read (services/sheet_writes.py).
    """

    character = models.ForeignKey(
        "characters.Character",
        on_delete=models.CASCADE,
        related_name="sheet_rows",
        db_index=False,  # the constraint's index begins with it
    )
    group = models.CharField(max_length=40)
    uid = models.CharField(max_length=32)
    position = models.IntegerField()
    visibility = models.CharField(max_length=10, choices=[(one.value, one.value) for one in Visibility])
    owner = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    values = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)

    objects: ClassVar[models.Manager[Any]] = SheetRowQuerySet.as_manager()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["character", "group", "uid"], name="a_row_has_an_id_of_its_own_in_its_list"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group}/{self.uid}"

    @property
    def held(self) -> dict[str, Any]:
        """Return the row as values of a sheet hold it (characters/sheets/sheet.py)."""
        return {"id": self.uid, "at": self.position, **self.values}


@compiled(character=models.UUIDField())
def _rows_of(character: Parameter) -> SheetRowQuerySet[SheetRow]:
    rows: SheetRowQuerySet[SheetRow] = SheetRow.objects.filter(character=character)
    return rows


class RowManager(models.Manager.from_queryset(SheetRowQuerySet)):  # type: ignore[misc]  # a class made by Django
    """The rows of some lists of one kind of sheet, which a proxy of SheetRow stands for:

    class Key(SheetRow):
        name, framework = Column[str](), Column[str]()
        objects = RowManager(SHEET, KEYS)

        class Meta:
            proxy = True

    Key.objects.of(character).named("The old debt")
    """

    def __init__(self, sheet: Sheet, *lists: Rows) -> None:
        super().__init__()
        self.sheet = sheet
        self.lists = {rows.name: rows for rows in lists}

    def get_queryset(self) -> Any:
        system, is_crew = self.sheet.crew_of or self.sheet.name, bool(self.sheet.crew_of)
        rows = super().get_queryset().filter(group__in=self.lists)
        return rows.filter(character__system=system, character__is_crew=is_crew)

    def on(self, character: Any) -> list[Any]:
        """Return those on the sheet of a character, in order, of its rows that are read already: without a query."""
        if character.rules is not self.sheet:
            return []
        columns = [field.attname for field in SheetRow._meta.concrete_fields]
        rows = (row for row in character.stored_rows if row.group in self.lists)
        return [
            self.model.from_db(row._state.db, columns, [getattr(row, column) for column in columns]) for row in rows
        ]


class Column(Generic[T]):
    """The value in the column of this name in a proxy's rows, or the column's default."""

    def __set_name__(self, owner: type[SheetRow], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, row: None, owner: type[SheetRow]) -> Column[T]: ...

    @overload
    def __get__(self, row: SheetRow, owner: type[SheetRow]) -> T: ...

    def __get__(self, row: SheetRow | None, owner: type[SheetRow]) -> Column[T] | T:
        if row is None:
            return self
        manager: Any = owner._default_manager
        value: T = row.values.get(self.name, manager.lists[row.group].column(self.name).start)
        return value


FIELD_COLUMNS = ("public_fields", "sheet_fields", "private_fields", "secret_fields")
VALUE_COLUMNS = (*FIELD_COLUMNS, "disposition")
GMS_OWN = "gm"  # whose the private values of an NPC are
UNKNOWN = "somebody"  # those linked to, if the readers no longer know of them

Lists: TypeAlias = dict[str, list[dict[str, Any]]]
"""The rows of some lists, by their names, as values of a sheet hold them."""


class SheetValues(models.Model):
    """The sheet of a Character. All methods raise SheetError for fields that the sheet does not have.

    `private_fields` maps owners (a membership's number as text, or "gm") to values: private notes stay their author's
    when the character is handed over, as do private rows, which name their owner.
    """

    system = models.CharField(max_length=20)
    is_crew = models.BooleanField(default=False)
    public_fields = models.JSONField(default=dict)
    sheet_fields = models.JSONField(default=dict)
    private_fields = models.JSONField(default=dict)
    secret_fields = models.JSONField(default=dict)
    disposition = models.SmallIntegerField(default=0)

    if TYPE_CHECKING:
        owner_id: int | None
        pk: UUID

        def known(self, visibility: Visibility) -> dict[str, str]: ...

    class Meta:
        abstract = True

    @property
    def is_npc(self) -> bool:
        return self.owner_id is None and not self.is_crew

    @property
    def rules(self) -> Sheet:
        """Return the sheet's definition, by the character's system."""
        return sheet_of(self.system, is_crew=self.is_crew)

    @cached_property
    def stored_rows(self) -> list[SheetRow]:
        """Return its stored rows, those of former owners too: read here, unless `with_rows` has read them."""
        return [] if self._state.adding else _rows_of.rows(character=self.pk)

    @property
    def has_read_rows(self) -> bool:
        """Return whether `stored_rows` has been read already."""
        return "stored_rows" in self.__dict__

    @property
    def public(self) -> dict[str, Any]:
        """Return the values for everyone who sees its card."""
        return {**self.public_fields, **self._lists_of(Visibility.PUBLIC)}

    @property
    def sheet(self) -> dict[str, Any]:
        """Return the values for those who see the sheet, without the public ones."""
        return {**self.sheet_fields, **self._lists_of(Visibility.SHEET)}

    @property
    def secret(self) -> dict[str, Any]:
        """Return the values for GMs alone."""
        return {**self.secret_fields, **self._lists_of(Visibility.SECRET)}

    @property
    def field_values(self) -> dict[str, Any]:
        """Return all single values together, without the rows."""
        own = self.private_fields.get(self._whose, {})
        return {**self.public_fields, **self.sheet_fields, **own, **self.secret_fields}

    @property
    def values(self) -> dict[str, Any]:
        """Return all values, secrets too: for computing, never for showing."""
        return {
            **self.field_values,
            **{name: rows for sight in Visibility for name, rows in self._lists_of(sight).items()},
        }

    def hold(self, values: Mapping[str, Any]) -> None:
        """Set these values at their visibilities, replacing all earlier ones. The services save them."""
        fields: dict[Visibility, dict[str, Any]] = {visibility: {} for visibility in Visibility}
        lists: dict[Visibility, Lists] = {visibility: {} for visibility in Visibility}
        for name, value in values.items():
            (lists if name in self.rules.lists else fields)[self.rules.visibility_of(name)][name] = value
        self.public_fields, self.sheet_fields, self.secret_fields = (
            fields[Visibility.PUBLIC],
            fields[Visibility.SHEET],
            fields[Visibility.SECRET],
        )
        self.private_fields = {**self.private_fields, self._whose: fields[Visibility.PRIVATE]}
        for visibility in Visibility:
            self._lists[self._key(visibility)] = lists[visibility]

    def hold_sheet_of(self, other: SheetValues, *, private: bool = True) -> None:
        """Copy all values of another; `private` says whether private notes are included."""
        for column in VALUE_COLUMNS:
            setattr(self, column, getattr(other, column))
        self._lists = dict(other._lists)
        if not private:
            self.private_fields = {}
            self._lists = {key: lists for key, lists in self._lists.items() if key[0] is not Visibility.PRIVATE}
        if other.pk == self.pk:
            self.stored_rows = other.stored_rows

    def held_rows(self) -> Iterator[SheetRow]:
        """Yield the rows as they are held: new ones, without what only stored ones know."""
        for (visibility, owner), lists in self._lists.items():
            for group, rows in lists.items():
                for row in rows:
                    columns = {name: value for name, value in row.items() if name not in ("id", "at")}
                    yield SheetRow(
                        character_id=self.pk,
                        group=group,
                        uid=row["id"],
                        position=row["at"],
                        visibility=visibility.value,
                        owner_id=owner,
                        values=columns,
                    )

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: QuerySet[Self] | None = None,
    ) -> None:
        super().refresh_from_db(using, fields, from_queryset)
        if fields is None:
            self.__dict__.pop("stored_rows", None)
            self.__dict__.pop("_lists", None)

    def place(self, address: str) -> FieldAddress:
        """Return the field at an address, for this character."""
        if self.is_npc and address == DISPOSITION.name:
            return FieldAddress(DISPOSITION)
        return self.rules.place(address)

    def field(self, address: str) -> Field:
        return self.place(address).field

    def label(self, address: str) -> str:
        """Return the label of a value: "Strength", "Fencing: Dice"."""
        place = self.place(address)
        row = self.rules.row(self.values, place.rows.name, place.row)[place.rows.title] if place.rows else ""
        return label(self.rules, address, str(row))

    def value(self, address: str) -> Value:
        """Return the current value of a field. Raises RowGone if its row does not exist."""
        return self.disposition if self.field(address) is DISPOSITION else self.rules.value(self._at(address), address)

    def number(self, address: str) -> int:
        """Return the current value of a number."""
        return self.disposition if self.field(address) is DISPOSITION else self.rules.number(self._at(address), address)

    def clean_value(self, address: str, value: object) -> Value:
        """Return `value` cleaned as the field may hold it beside the others."""
        field = self.field(address)
        return field.clean(value) if field is DISPOSITION else self.rules.clean(self._at(address), address, value)

    def told(self, address: str) -> dict[str, Any]:
        """Return a value as it is in events' payloads (characters/sheets/told.py)."""
        place, value = self.place(address), self.value(address)
        of = 0
        if isinstance(place.field, Number) and place.field is not DISPOSITION:
            of = self.rules.drawn(self._at(address), address).of
        row = self.rules.row(self.values, place.rows.name, place.row).get(place.rows.title, "") if place.rows else ""
        linked = isinstance(place.field, Link) and value
        name = self.known(place.visibility).get(str(value), UNKNOWN) if linked else ""
        return {"field": address, "value": value, "of": of, "row": row, "name": name}

    def told_row(self, rows: Rows, row_id: str) -> dict[str, Any]:
        """Return a row as it is in events' payloads: {"id", "cells": [value of each column]}."""
        return {"id": row_id, "cells": [self.told(f"{rows.name}/{row_id}/{column.name}") for column in rows.columns]}

    def cell(self, address: str) -> dict[str, Any]:
        """Return a value as templates draw it."""
        return drawn(self.rules, self.told(address))

    def row_cells(self, rows: Rows, row_id: str) -> dict[str, Any]:
        """Return a row as templates draw it: {"id", "cells": [cell of each column]}."""
        row = self.told_row(rows, row_id)
        return row | {"cells": [drawn(self.rules, cell) for cell in row["cells"]]}

    def field_subject(self, address: str) -> Subject:
        """Return the subject under which the history of a field, a row ("traits/4f2a") or a list of rows is found. It is named
        by the address: what people call it depends on their language."""
        return Subject(f"field:{uuid5(self.pk, address)}", address)

    @property
    def _whose(self) -> str:
        return GMS_OWN if self.owner_id is None else str(self.owner_id)

    def _at(self, address: str) -> dict[str, Any]:
        """Return the values that a value may depend on: those of rows for a row's column, else the fields, without
        reading rows.
        """
        return self.values if "/" in address else self.field_values

    @cached_property
    def _lists(self) -> dict[tuple[Visibility, int | None], Lists]:
        """Return the rows as values hold them, by who may see them and, of private ones, by whose they are."""
        lists: dict[tuple[Visibility, int | None], Lists] = {}
        for row in self.stored_rows:
            those = lists.setdefault((Visibility(row.visibility), row.owner_id), {})
            those.setdefault(row.group, []).append(row.held)
        return lists

    def _lists_of(self, visibility: Visibility) -> Lists:
        return self._lists.get(self._key(visibility), {})

    def _key(self, visibility: Visibility) -> tuple[Visibility, int | None]:
        return visibility, self.owner_id if visibility is Visibility.PRIVATE else None
