"""Who sits at a table: player characters and the GM's NPCs."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Membership
from campaigns.services.log import About

DISPOSITION = (-5, 5)


class CharacterQuerySet(models.QuerySet["Character"]):
    def active(self) -> CharacterQuerySet:
        return self.filter(retired_at=None)

    def played_by(self, member: Membership) -> CharacterQuerySet:
        """Those a member may roll and speak for: the own ones, and for a GM the NPCs too."""
        mine = Q(owner=member)
        return self.active().filter(mine | Q(owner=None) if member.is_gm else mine, campaign=member.campaign)


class Character(models.Model):
    """A character with its sheet. Without an owner it is an NPC of the GM; `shown` says whether players know of it.

    `sheet` maps the fields of `characters.sheets.<system>` to values; a field that is not in it has its default.
    `disposition` is how an NPC feels about the player characters, -5 to +5 (scale.txt, Burns).
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="characters")
    name = models.CharField(max_length=80)
    concept = models.CharField(max_length=120, blank=True)
    system = models.CharField(max_length=20, default="storyteller")
    owner = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="characters")
    shown = models.BooleanField(default=True)
    sheet = models.JSONField(default=dict)
    disposition = models.SmallIntegerField(default=0)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = CharacterQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(disposition__range=DISPOSITION), name="disposition_is_from_-5_to_5"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_npc(self) -> bool:
        return self.owner_id is None

    @property
    def ref(self) -> dict[str, Any]:
        """How facts name this character."""
        return {"id": str(self.pk), "name": self.name}

    @property
    def about(self) -> About:
        """The subject to record its events under."""
        return About(f"character:{self.pk}", self.name)
