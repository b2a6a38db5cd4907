"""Pictures that were shown at a table, and the covers of campaigns and scenes."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.db import models
from django.db.models import Exists, OuterRef

from campaigns.models.log import Event
from campaigns.models.members import Campaign, Membership, Viewer


class PictureQuerySet(models.QuerySet["Picture"]):
    def seen_by(self, viewer: Viewer) -> PictureQuerySet:
        """Return those of lines that this viewer may see."""
        seen = Event.objects.seen_by(viewer)
        later = PictureLine.objects.filter(Exists(seen.filter(uid=OuterRef("uid"))), picture=OuterRef("pk"))
        first = Exists(seen.filter(uid=OuterRef("uid")))
        return self.filter(first | Exists(later), campaign=viewer.campaign)

    def handouts(self, viewer: Viewer) -> PictureQuerySet:
        """Return those that a GM has put on the list, the newest first, without their bytes."""
        kept = self.seen_by(viewer).exclude(kept_at=None).prefetch_related("lines")
        return kept.defer("full", "small").order_by("-kept_at", "pk")


class Picture(models.Model):
    """A picture beside a line, as `campaigns.pictures` makes it: WebP, whole and small.

    It is in the database like portraits, so that every process and every backup has it. `uid` is its event's: who may see
    the event in any stream may see the picture, and so may those who see a later line with it (PictureLine). `title` and
    `kept_at` are those of a handout. It is written in the transaction of its line, and deleted when the words of its sender are
    erased, so that there is never one without a line.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="pictures")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    uid = models.UUIDField()
    size = models.PositiveIntegerField(help_text="In bytes, both together.")
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    alt = models.CharField(max_length=300, blank=True)
    title = models.CharField(max_length=120, blank=True)
    kept_at = models.DateTimeField(null=True, blank=True)
    # Last: SQLite would go through them to read what comes after.
    small = models.BinaryField()
    full = models.BinaryField()

    objects = PictureQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "uid"], name="one_picture_a_line")]

    def __str__(self) -> str:
        return f"picture {self.pk}"

    @property
    def subject(self) -> str:
        return f"picture:{self.pk}"

    @property
    def uids(self) -> list[UUID]:
        """Return the events of all its lines, the first one first."""
        return [self.uid, *(line.uid for line in self.lines.all())]

    def payload(self) -> dict[str, Any]:
        """Return the picture as it is in events' payloads."""
        return {"id": str(self.pk), "width": self.width, "height": self.height, "alt": self.alt}


class PictureLine(models.Model):
    """A later line by which a picture was shown to more people; `uid` is its event's."""

    picture = models.ForeignKey(Picture, on_delete=models.CASCADE, related_name="lines")
    uid = models.UUIDField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["uid", "picture"], name="a_line_shows_a_picture_once")]


class Cover(models.Model):
    """A picture that sets the mood, as `campaigns.pictures.shown_picture` makes it: WebP, whole, small, and as an icon.

    Covers of 0.2.0 and before have no icon; `small` stands for it. A campaign and its scenes name theirs by `digest`
    (Campaign.cover, Scene.cover); unused ones are deleted. It is in the database like portraits, so that every process and
    every backup has it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="covers")
    digest = models.CharField(max_length=Campaign.COVER)
    icon = models.BinaryField(null=True)
    small = models.BinaryField()
    full = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="one_cover_of_a_digest")]

    def __str__(self) -> str:
        return f"cover {self.digest}"
