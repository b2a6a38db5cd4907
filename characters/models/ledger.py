"""What a character earned and what was bought of it; and what a player says has happened, until the GM has answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q

from campaigns.models import Membership, Scene
from campaigns.references import person
from characters.models.characters import Character


class LedgerEntry(models.Model):
    """One line of a character's ledger. They are never changed: what was bought by mistake is given back by a line of its own.

    `purse` is what it goes into or comes out of, by the name that its system has for it, `label` and `unit` how people read it.
    `words` say what for. `advances` are the whole advances that came of an award (or were taken), where a system counts them so.
    `done` is what was written on the sheet with it (services/steps.py). `event` is the uid under which it was told.
    """

    class Kind(models.TextChoices):
        AWARD = "award", "earned"
        SPEND = "spend", "spent"
        REFUND = "refund", "given back"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="ledger")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    purse = models.CharField(max_length=20)
    label = models.CharField(max_length=60)
    unit = models.CharField(max_length=20)
    amount = models.PositiveIntegerField()
    words = models.CharField(max_length=200)
    advances = models.SmallIntegerField(default=0)
    done = models.JSONField(default=list)
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undone_by")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    event = models.UUIDField(null=True)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=1), name="a_ledger_entry_is_of_something"),
            models.CheckConstraint(
                condition=Q(kind="refund", undoes__isnull=False) | (~Q(kind="refund") & Q(undoes=None)),
                name="a_refund_undoes_an_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.unit} {self.kind}: {self.words}"

    def payload(self) -> dict[str, Any]:
        """As events tell of it."""
        return {
            "id": str(self.pk),
            "kind": self.kind,
            "label": self.label,
            "amount": self.amount,
            "unit": self.unit,
            "words": self.words,
            "by": person(self.by),
            "at": self.at.isoformat(),
            # Where it stands: the newest first.
            "order": -int(self.at.timestamp() * 1000),
        }


class Claim(models.Model):
    """A player says that something happened to a character, and what follows from it waits for the GM.

    `kind` is one that the character's system has, `given` what was said of it, in JSON's own types, and `words` the same as
    people read it.
    """

    class State(models.TextChoices):
        OPEN = "open", "waits for the GM"
        CONFIRMED = "confirmed", "confirmed"
        REFUSED = "refused", "refused"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="claims")
    kind = models.CharField(max_length=20)
    given = models.JSONField(default=dict)
    words = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    scene = models.ForeignKey(Scene, null=True, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return self.words

    def payload(self) -> dict[str, Any]:
        """As events tell of it."""
        return {
            "id": str(self.pk),
            "words": self.words,
            "state": self.state,
            "by": person(self.by),
            "at": self.at.isoformat(),
        }


def drawn_entry(told: Mapping[str, Any]) -> dict[str, Any]:
    """A line of a ledger as templates draw it."""
    return {**told, "kind_words": LedgerEntry.Kind(told["kind"]).label}


def drawn_claim(told: Mapping[str, Any]) -> dict[str, Any]:
    """A claim as templates draw it."""
    return {**told, "state_words": Claim.State(told["state"]).label}
