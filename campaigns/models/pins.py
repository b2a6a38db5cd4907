"""What a table keeps of its sessions beside the log: the moments that were pinned, and the recap."""

from __future__ import annotations

from django.db import models

from campaigns.models.members import Campaign, Membership
from campaigns.models.play import GameSession


class Pin(models.Model):
    """An event worth coming back to, by its uid, for all who may see that event. `session` is the one
    under which it stands."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="pins")
    session = models.ForeignKey(GameSession, on_delete=models.PROTECT, related_name="pins")
    uid = models.UUIDField()
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["campaign", "uid"], name="a_moment_is_pinned_once")]

    def __str__(self) -> str:
        return f"{self.uid} in {self.session}"


class Recap(models.Model):
    """What was written about a session, in Markdown: `draft` for GMs, `words` for all once it is published."""

    session = models.OneToOneField(GameSession, primary_key=True, on_delete=models.PROTECT, related_name="recap")
    draft = models.TextField(max_length=10_000, blank=True)
    words = models.TextField(max_length=10_000, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"Recap of {self.session}"
