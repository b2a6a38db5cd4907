"""Procedures, which several people settle together in steps, while they are open and after."""

from __future__ import annotations

from uuid import uuid4

from django.db import models

from campaigns.models import Campaign, Membership
from campaigns.models.members import TABLE


class Procedure(models.Model):
    """A staged procedure of a ruleset, of one `kind`; `state` is that kind's dataclass as rolls/rules/procedures.py stores it.

    `ProcedureRules.shown` says which part of `state` everyone may see, and `version` counts the changes of that. `dropped` is
    set if a GM closed it, so that voiding a roll does not open it again. `stream` is where it is told: the table's, or that of
    the roll it began with.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="procedures")
    system = models.CharField(max_length=20)
    kind = models.CharField(max_length=20)
    reason = models.CharField(max_length=200, blank=True)
    stream = models.CharField(max_length=40, default=TABLE)
    state = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    opened_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    dropped = models.BooleanField(default=False)

    class Meta:
        ordering = ["opened_at"]
        indexes = [
            models.Index(fields=["campaign"], condition=models.Q(closed_at=None), name="open_procedures"),
        ]


class ProcedureStep(models.Model):
    """A step that a GM can undo, the newest first: an act, or a `roll`, which is voided then.

    `uid` identifies it for undoing. `before` is the state before it; None for a roll that is only counted, and for one that
    began the procedure. `undo` is what the effects of the step need to be undone (rolls/services/effects.py), in order.
    """

    procedure = models.ForeignKey(Procedure, on_delete=models.CASCADE, related_name="steps")
    uid = models.UUIDField(default=uuid4, editable=False)
    before = models.JSONField(null=True)
    roll = models.OneToOneField("rolls.Roll", null=True, on_delete=models.PROTECT, related_name="procedure_step")
    undo = models.JSONField(default=list)

    class Meta:
        ordering = ["id"]

    @property
    def opens(self) -> bool:
        """Return whether the procedure began with this step."""
        if self.before is not None:
            return False
        return self.roll is None or self.roll.request is None or self.roll.request.procedure_id != self.procedure_id
