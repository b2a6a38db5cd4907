"""The seeds that dice come from: committed to before they are used, told afterwards (docs/fairdice.md)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Membership


class SeedEpoch(models.Model):
    """The secret seed of the dice of one session, or of a day between sessions. Numbers run 1, 2, 3 … within the campaign.

    Dice come from the lowest epoch that is not closed; the next one is already committed to. `seed` and `blind` are 64 hex
    digits each. `seed` stays secret until the epoch is closed, `blind` is never shown to anyone but the GMs.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="epochs")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64)
    blind = models.CharField(max_length=64)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="epoch_numbers_are_unique"),
            models.UniqueConstraint(
                fields=["campaign"],
                condition=Q(opened_at__isnull=False, closed_at=None),
                name="one_open_epoch",
            ),
        ]

    @property
    def name(self) -> str:
        """Return how messages, proofs and events call it."""
        return str(self.number)


class Witness(models.Model):
    """A player's browser's contribution to the dice of one GM's roll; `roll` is the id that this roll has or will have.

    `asked_by`, `client_seed` and `spec` are the GM's, and fixed before anyone is asked. `seed` is 32 hex digits, or ""
    until a player gives one; it stays "" if the roll falls without.
    """

    roll = models.UUIDField(primary_key=True)
    epoch = models.ForeignKey(SeedEpoch, on_delete=models.PROTECT, related_name="witnesses")
    client_seed = models.CharField(max_length=32)
    spec = models.CharField(max_length=40)
    asked_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    seed = models.CharField(max_length=32)
    by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
