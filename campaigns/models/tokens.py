"""Tokens of the API: what lets a program in as one member of one campaign."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from django.db import models
from django.db.models import F, Q

from campaigns.models.members import Membership, Role, Viewer
from database.compiled import Parameter


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def good(self, now: datetime | Parameter) -> ApiTokenQuerySet:
        """Keep the tokens that work. Tokens end with the membership: a member who left and came back needs new ones."""
        runs = Q(expires_at=None) | Q(expires_at__gt=now)
        here = {"membership__left_at": None, "membership__user__is_active": True}
        return self.filter(runs, revoked_at=None, made_at__gte=F("membership__joined_at"), **here)

    def ended_before(self, moment: datetime) -> ApiTokenQuerySet:
        """Keep the tokens that ended before a moment: expired, revoked, or of a member who left (and may have come back)."""
        left = Q(membership__left_at__lt=moment) | Q(
            made_at__lt=F("membership__joined_at"), membership__joined_at__lt=moment
        )
        return self.filter(Q(expires_at__lt=moment) | Q(revoked_at__lt=moment) | left)

    def with_members(self) -> ApiTokenQuerySet:
        return self.select_related("membership__campaign", "membership__user")


class ApiToken(models.Model):
    """A token of one member. Only its hash is kept, so that a stolen database opens no door, and how it `begins`, to know it
    by.

    One that does not write reads only. `used_at` is written down once in a while (campaigns/services/tokens.py).
    """

    BEGINS = 16
    """Characters of it that are shown later."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=80)
    hash = models.CharField(max_length=64, unique=True)
    begins = models.CharField(max_length=BEGINS)
    writes = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.name} of {self.membership}"

    @property
    def viewer(self) -> Viewer:
        """Return the token's viewer: it sees the campaign as its member does, and acts as a program."""
        member = self.membership
        member.is_program = True
        return Viewer(member.campaign, member, Role(member.role))
