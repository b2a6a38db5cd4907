"""The rows of sheets, of every game in one table: all list entries, such as belongings, wounds and friends."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from django.db import models
from django.db.models import F, Q

from campaigns.models import Membership, Viewer
from characters.sheets.fields import Rows, Value, Visibility
from characters.sheets.sheet import Sheet

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
