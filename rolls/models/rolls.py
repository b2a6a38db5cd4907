"""Rolls that were made, and rolls that are asked for."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Event, Membership
from characters.models import Character
from rolls.models.procedures import Procedure


class Audience(models.TextChoices):
    """Who sees a roll."""

    TABLE = "table", gettext_lazy("everyone")
    SELF = "self", gettext_lazy("me and the GM")
    GM = "gm", gettext_lazy("only the GM")


class RollRequest(models.Model):
    """A GM's request for a roll by one member, or by every player (`member` empty). It may change until it is rolled.

    While it is `announced`, its member wants to roll and a GM has yet to set the roll; until then it cannot be rolled.
    `terms` is what the GM has set, in the codes of its ruleset.

    `character` is whose roll it is, whichever character is at hand. In a request of a `procedure`, `part` names which
    of its rolls it is, and without a character the dice belong to no sheet. A GM may roll it for its member, and it
    stays open until the procedure closes it. In any other request without a character, the member chooses one.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="roll_requests")
    member = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=20)
    terms = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    audience = models.CharField(max_length=8, choices=Audience, default=Audience.TABLE)
    announced = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    procedure = models.ForeignKey(Procedure, null=True, on_delete=models.PROTECT, related_name="requests")
    part = models.CharField(max_length=20, blank=True)
    character = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["asked_at"]

    @property
    def says_for_whom(self) -> bool:
        return self.procedure_id is not None or self.character_id is not None


class Roll(models.Model):
    """A roll as it fell: its terms, its faces, and the outcome by the rules. It is never deleted.

    `written` is what it wrote on sheets, and how to undo that (rolls/services/roll_writes.py); None for a roll from a
    version that did not keep it.

    `proof` is all one needs to compute the faces once the epoch's seed is revealed; None for dice that cannot be
    checked. `rerolls` are later throws of some of its dice, oldest first: the positions of the dice (`at`), their faces
    `before`, all `faces` after it, and the throw's own `proof`. `proof` stays that of the first throw.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="rolls")
    character = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="rolls")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    system = models.CharField(max_length=20)
    kind = models.CharField(max_length=12)
    audience = models.CharField(max_length=8, choices=Audience)
    ask = models.JSONField()
    faces = models.JSONField()
    outcome = models.JSONField()
    written = models.JSONField(null=True)
    hand_rolled = models.BooleanField(default=False)
    proof = models.JSONField(null=True)
    rerolls = models.JSONField(default=list)
    request = models.ForeignKey(RollRequest, null=True, on_delete=models.PROTECT, related_name="rolls")
    corrects = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="corrected_by")
    event = models.OneToOneField(Event, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    revealed_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "event"], name="roll_by_event"),
            models.Index(fields=["character", "by", "-at"], name="roll_of_character"),
        ]


class SavedRoll(models.Model):
    """A named roll: the `fields` of the roll form, by their names, as they were typed.

    Only the member who saved it sees it: a GM's for an NPC may hold what its next player must not know.
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
