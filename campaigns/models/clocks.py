"""Progress clocks, drawn as pies, for campaigns of every system (forged.txt and its public rules, Progress Clocks)."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.db.models import F, Q

from campaigns.models.members import Campaign, Membership


class ClockKind(models.TextChoices):
    PROGRESS = "progress", "progress"
    DANGER = "danger", "danger"
    RACING = "racing", "racing pair"
    LINKED = "linked", "linked"
    TUG = "tug", "tug-of-war"
    MISSION = "mission", "mission timer"
    PROJECT = "project", "long-term project"
    FACTION = "faction", "faction"
    HEALING = "healing", "healing"


class ClockSight(models.TextChoices):
    """What players see of a clock."""

    VISIBLE = "visible", "everybody sees it"
    KNOWN = "known", "everybody knows of it, the GM alone sees how far it is"
    SECRET = "secret", "the GM alone knows of it"


class ClockOwner(models.TextChoices):
    GM = "gm", "the GM"
    PLAYER = "player", "a player"
    CHARACTER = "character", "a character"
    CREW = "crew", "the crew"


class Clock(models.Model):
    """A clock of 2 to 12 segments. `owner_subject` names a character as a Subject key, since this app knows no characters."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="clocks")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=ClockKind, default=ClockKind.PROGRESS)
    segments = models.PositiveSmallIntegerField()
    filled = models.PositiveSmallIntegerField(default=0)
    sight = models.CharField(max_length=10, choices=ClockSight, default=ClockSight.VISIBLE)
    owner = models.CharField(max_length=10, choices=ClockOwner, default=ClockOwner.GM)
    owner_member = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    owner_subject = models.CharField(max_length=60, blank=True)
    owner_name = models.CharField(max_length=80, blank=True)
    rival = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    opens = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    order = models.PositiveIntegerField(default=0)
    opened = models.BooleanField(default=True, help_text="A linked clock waits until the one before it is full.")
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["order", "name"]
        constraints = [
            models.CheckConstraint(condition=Q(segments__range=(2, 12)), name="clock_has_2_to_12_segments"),
            models.CheckConstraint(condition=Q(filled__lte=F("segments")), name="clock_never_overflows"),
        ]

    def __str__(self) -> str:
        return self.name


class ClockTemplate(models.Model):
    """A clock that the GM keeps ready to be put on the table."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="clock_templates")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=ClockKind, default=ClockKind.PROGRESS)
    segments = models.PositiveSmallIntegerField()
    sight = models.CharField(max_length=10, choices=ClockSight, default=ClockSight.VISIBLE)

    def __str__(self) -> str:
        return self.name
