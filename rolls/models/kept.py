"""Rolls that somebody keeps for a character, to make them again with a press."""

from __future__ import annotations

from uuid import uuid4

from django.db import models

from campaigns.models import Membership
from characters.models import Character


class SavedRoll(models.Model):
    """A roll by name, as it stood in the roll form: the `fields` of that form, by theirs, as they were typed.

    It is there for whoever saved it, and for nobody else: a GM's for an NPC may hold what its next player must not know.
    """

    LONGEST_NAME = 60

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="saved_rolls")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=LONGEST_NAME)
    system = models.CharField(max_length=20)
    fields = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["saved_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "by", "name"], name="a_saved_roll_has_a_name_of_its_own")
        ]
