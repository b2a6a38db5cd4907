"""The rows of sheets, of every game in one table: whatever stands in lists there, such as belongings, wounds and friends."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q

from campaigns.models import Membership, Viewer
from characters.sheets.fields import Visibility


class SheetRowQuerySet(models.QuerySet["SheetRow"]):
    def seen_by(self, viewer: Viewer | Membership) -> SheetRowQuerySet:
        """Those in lists that this viewer may see, as `Character.visibilities` has it: others are not even read for them."""
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

    `group` is the name of the list (`characters.sheets.fields.Rows`), `uid` the row's id, which is its own in that list alone and
    by which pages, addresses and events name it; `position` orders the rows of a list and stays theirs, whatever goes before
    them. `values` maps columns to what stands in them; what is not there has the column's default. `visibility` is that of the
    list, so that rows can be left out of a query. `owner` is whose a private row is, None for the GMs' own; others have none.
    `version` counts how often it was written: a save says which one it read (services/sheet_rows.py).
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

    objects = SheetRowQuerySet.as_manager()

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
        """The row as values of a sheet hold it (characters/sheets/sheet.py)."""
        return {"id": self.uid, "at": self.position, **self.values}
