"""Dates on which a table may meet: GMs propose and set them, and everyone who plays answers."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from django.db import models
from django.utils.translation import pgettext_lazy

from campaigns.models.members import Campaign, Membership


class SessionDateQuerySet(models.QuerySet["SessionDate"]):
    def upcoming(self, moment: datetime) -> SessionDateQuerySet:
        """Keep those after a moment, the next one first."""
        return self.filter(at__gt=moment).order_by("at", "pk")


class SessionDate(models.Model):
    """A date for a session. Once a GM has set it (`set_at`) it is one that the table agreed on. `zone` is the time zone in which
    it was proposed.
    """

    MOST = 24
    """To come, in one campaign."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="dates")
    at = models.DateTimeField()
    zone = models.CharField(max_length=60)
    minutes = models.PositiveSmallIntegerField(default=180)
    made_at = models.DateTimeField()
    set_at = models.DateTimeField(null=True, blank=True)

    objects = SessionDateQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "at"], name="a_date_is_proposed_once")]

    def __str__(self) -> str:
        return f"{self.at} of {self.campaign}"


class Answer(models.TextChoices):
    YES = "yes", pgettext_lazy("to a date", "Yes")
    MAYBE = "maybe", pgettext_lazy("to a date", "Maybe")
    NO = "no", pgettext_lazy("to a date", "No")


class DateAnswer(models.Model):
    """Whether a member can come on a date."""

    date = models.ForeignKey(SessionDate, on_delete=models.CASCADE, related_name="answers")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    answer = models.CharField(max_length=5, choices=Answer)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["date", "member"], name="one_answer_a_person")]

    def __str__(self) -> str:
        return f"{self.answer} to {self.date}"
