"""The oracle tables of a campaign: ten texts each, which the GM may rewrite."""

from __future__ import annotations

from django.db import models

from campaigns.models import Campaign


class OracleTable(models.Model):
    """`entries` is a list of ten {"title", "text", "shift"}, for the d10 faces 1 to 10. `shift` asks for a second die."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="oracle_tables")
    name = models.CharField(max_length=20)
    entries = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="oracle_names_are_unique")]

    def __str__(self) -> str:
        return f"{self.name} oracle of {self.campaign}"
