"""The journal: what was written, and how it was before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q

from campaigns.models.log import Event
from campaigns.models.members import Campaign, Membership


class WrittenQuerySet(models.QuerySet["Written"]):
    def by_cause(self, causes: Iterable[UUID]) -> dict[UUID, list[Written]]:
        """Return what was written for each of these causes, the oldest first."""
        written: dict[UUID, list[Written]] = {cause: [] for cause in causes}
        for one in self.filter(cause__in=written, told=None):
            written[one.cause].append(one)
        return written

    def lines(self, campaign: Campaign) -> WrittenQuerySet:
        """Return the lines of a campaign's log that tell what can be undone."""
        return self.filter(campaign=campaign, told__isnull=False)

    def mark_undoable(self, campaign: Campaign, events: Collection[Event]) -> None:
        """Say of each event what a GM can undo at its line (`Event.undo`): it is the last of a thing that tells so. One query."""
        later = Written.objects.filter(told__isnull=False, thing=OuterRef("thing"), pk__gt=OuterRef("pk"))
        last = self.lines(campaign).filter(~Exists(later.exclude(told=OuterRef("told"))))
        things = dict(last.filter(told__in={event.uid for event in events}).values_list("told", "thing"))
        for event in events:
            event.undo = things.get(event.uid, "")


class Written(models.Model):
    """One thing that was written and can be undone (services/undo.py). It stays until then.

    `cause` is what it was written for, and is undone with: a step of a procedure, a roll's cost, a purchase. `thing` names
    something, "clock:<id>", and `path` a value of it, or something in it; "" is the thing itself. `before` and `after` hold the
    value, which may be None, in a list, which is empty where there was nothing. `added` is the difference, for what adds up
    from several sources. `by` is who wrote it by hand, and may undo it as their own.

    A row with `told` says in which line this is told: that of the event with this uid. A GM undoes it there, and `thing` names
    what the line is about: a clock or a sheet, of which the last such line offers that.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+", db_index=False)
    cause = models.UUIDField(db_index=True)
    thing = models.CharField(max_length=60)
    path = models.CharField(max_length=120, blank=True)
    before = models.JSONField(default=list)
    after = models.JSONField(default=list)
    added = models.IntegerField(null=True)
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    told = models.UUIDField(null=True)

    objects = WrittenQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["thing", "by", "id"], name="written_on_a_thing"),
            models.Index(fields=["told"], condition=Q(told__isnull=False), name="written_by_line"),
            models.Index(fields=["thing", "id"], condition=Q(told__isnull=False), name="lines_of_a_thing"),
        ]

    def __str__(self) -> str:
        return f"{self.thing} {self.path}".strip()
