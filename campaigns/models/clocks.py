"""Progress clocks, drawn as pies, for campaigns of every system (by their public rules)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from campaigns.clocks import ClockKind
from campaigns.models.members import Campaign, Membership, Viewer


class ClockVisibility(models.TextChoices):
    """The part of a clock that players see."""

    VISIBLE = "visible", _("Visible: everyone sees it")
    KNOWN = "known", _("Known: players see the clock but not its progress")
    SECRET = "secret", _("Secret: only the GM sees it")


class ClockOwner(models.TextChoices):
    GM = "gm", _("the GM")
    PLAYER = "player", _("a player")
    CHARACTER = "character", _("a character")
    CREW = "crew", _("the crew")


class ClockQuerySet(models.QuerySet["Clock"]):
    def shown(self) -> ClockQuerySet:
        """Return those that players know of. A clock that waits for another is the GM's alone until it opens."""
        return self.filter(opened=True).exclude(visibility=ClockVisibility.SECRET)

    def seen_by(self, viewer: Viewer) -> ClockQuerySet:
        clocks = self.filter(campaign=viewer.campaign)
        return clocks if viewer.is_gm else clocks.shown()

    def running(self) -> ClockQuerySet:
        return self.filter(archived_at=None)

    def with_related(self) -> ClockQuerySet:
        """Read the clocks with everything needed for their payloads, in one query."""
        return self.select_related("owner_member__user", "rival", "after")


class Clock(models.Model):
    """A clock of 2 to 12 segments.

    `owner_subject` names a character as the key of an EventSubject, since this app knows no characters (owners.py);
    `owner_name` is its name at the time. `rival` is the other clock of a racing pair, and points back. `after` is the
    clock whose filling opens this one; until then `opened` is false.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="clocks")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=ClockKind, default=ClockKind.PROGRESS)
    segments = models.PositiveSmallIntegerField()
    filled = models.PositiveSmallIntegerField(default=0)
    visibility = models.CharField(max_length=10, choices=ClockVisibility, default=ClockVisibility.VISIBLE)
    owner = models.CharField(max_length=10, choices=ClockOwner, default=ClockOwner.GM)
    owner_member = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    owner_subject = models.CharField(max_length=60, blank=True)
    owner_name = models.CharField(max_length=80, blank=True)
    rival = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="next")
    order = models.PositiveIntegerField(default=0)
    opened = models.BooleanField(default=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ClockQuerySet.as_manager()

    class Meta:
        ordering = ["order", "name"]
        constraints = [
            models.CheckConstraint(condition=Q(segments__range=(2, 12)), name="clock_has_2_to_12_segments"),
            models.CheckConstraint(condition=Q(filled__lte=F("segments")), name="clock_never_overflows"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown(self) -> bool:
        """Return whether players know of the clock."""
        return self.opened and self.visibility != ClockVisibility.SECRET

    @property
    def told_less(self) -> bool:
        """Return whether players are told less of the clock than the GM.

        This depends only on what everyone can see: the existence of a second version must not betray its content.
        """
        return self.visibility == ClockVisibility.KNOWN or self.kind == ClockKind.RACING

    @property
    def is_full(self) -> bool:
        return self.filled == self.segments

    @property
    def subject(self) -> str:
        return f"clock:{self.pk}"

    @property
    def ref(self) -> dict[str, Any]:
        """Return how payloads name this clock."""
        return {"id": str(self.pk), "name": self.name}


class ClockTemplate(models.Model):
    """A clock that the GM keeps ready to be put on the table. A racing pair is kept with both its clocks."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="clock_templates")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=ClockKind, default=ClockKind.PROGRESS)
    segments = models.PositiveSmallIntegerField()
    visibility = models.CharField(max_length=10, choices=ClockVisibility, default=ClockVisibility.VISIBLE)
    rival_name = models.CharField(max_length=80, blank=True)
    rival_segments = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
