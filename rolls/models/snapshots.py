"""What the statistics have counted so far, kept so that nothing is counted twice. All of it can be made anew from the rolls."""

from __future__ import annotations

from django.db import models

from campaigns.models import Campaign


class StatisticsSnapshot(models.Model):
    """All rolls up to one event, counted for those who see the same ones (rolls/services/snapshots.py).

    `audience` says who that is: "gm", or the name of the stream that they see beside everybody's, or "table". `basis` is a
    digest of what else was counted by: the settings, and the rules that were installed. Rolls told by events up to `upto` are
    in it, as the log up to the event `seen` has left them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    audience = models.CharField(max_length=40)
    basis = models.CharField(max_length=64)
    upto = models.PositiveBigIntegerField()
    seen = models.PositiveBigIntegerField()
    counted = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "audience", "basis", "upto"], name="one_snapshot_a_place")
        ]
