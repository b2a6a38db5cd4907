"""Covers of campaigns and pictures of scenes."""

from __future__ import annotations

from django.db import models

from campaigns.models.members import Campaign


class Cover(models.Model):
    """A picture that sets the mood, as `campaigns.pictures.shown_picture` makes it: WebP, whole and small.

    A campaign and its scenes know theirs by `digest` (Campaign.cover, Scene.cover); one that none of them has is deleted. It lies
    in the database like portraits do, so that every process and every backup has it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="covers")
    digest = models.CharField(max_length=Campaign.COVER)
    small = models.BinaryField()
    full = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="one_cover_of_a_digest")]

    def __str__(self) -> str:
        return f"cover {self.digest}"
