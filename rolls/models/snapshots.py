"""The statistics' counts so far, stored so that nothing is counted twice. They can always be rebuilt from the rolls."""

from __future__ import annotations

from django.db import models

from campaigns.models import Campaign


class StatisticsSnapshot(models.Model):
    """The counts of all rolls up to one event, for those who see the same rolls (rolls/services/snapshots.py).

    `audience` says who that is: "gm", "table", or the name of the stream that they see besides the table's. `basis` is
    a digest of the settings and installed rules that it was counted by. It counts the rolls of events up to `upto`, as
    the log up to the event `seen` left them.
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
