"""What a character earned and bought; and a player's claims, until the GM has answered."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from campaigns.models import Membership, Scene
from campaigns.models.log import person
from characters.models.characters import Character


class LedgerEntry(models.Model):
    """One line of a character's ledger. Lines are never changed: a purchase made by mistake is refunded by another line.

    `currency` is the scheme's name of what is earned or spent. It is for the `reason` that was typed, the `claim` that
    was confirmed, or what was `bought`: {"kind", "told"} as the scheme has it (characters/advancement.py). `advances`
    are the whole advances that an award gave (or that were taken back), where a scheme counts them. `event` is the uid of
    its event.
    """

    class Kind(models.TextChoices):
        AWARD = "award", pgettext_lazy("an entry of a ledger", "earned")
        SPEND = "spend", pgettext_lazy("an entry of a ledger", "spent")
        REFUND = "refund", pgettext_lazy("an entry of a ledger", "refunded")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="ledger")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    currency = models.CharField(max_length=20)
    amount = models.PositiveIntegerField()
    reason = models.CharField(max_length=200, blank=True)
    claim = models.ForeignKey("Claim", null=True, on_delete=models.PROTECT, related_name="+")
    bought = models.JSONField(null=True)
    advances = models.SmallIntegerField(default=0)
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
        return f"{self.amount} {self.currency} {self.kind}"

    def payload(self) -> dict[str, Any]:
        """Return the entry as it is in events' payloads."""
        return {
            "id": str(self.pk),
            "kind": self.kind,
            "currency": self.currency,
            "amount": self.amount,
            "reason": self.reason,
            "claimed": self.claim.claimed if self.claim else None,
            "bought": self.bought,
            "by": person(self.by),
            "at": self.at.isoformat(),
            # Its position: the newest first.
            "order": -int(self.at.timestamp() * 1000),
        }


class Claim(models.Model):
    """A player's claim that something happened to a character; its result waits for the GM.

    `kind` is one of the character's scheme, `given` the player's values, in JSON's own types, and `told` what events
    keep of it, in codes, numbers and names (characters/advancement.py).
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("a claim", "waiting for the GM")
        CONFIRMED = "confirmed", pgettext_lazy("a claim", "confirmed")
        REFUSED = "refused", pgettext_lazy("a claim", "refused")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="claims")
    kind = models.CharField(max_length=20)
    given = models.JSONField(default=dict)
    told = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    scene = models.ForeignKey(Scene, null=True, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"

    @property
    def claimed(self) -> dict[str, Any]:
        """Return what was claimed, as it is in events' payloads."""
        return (
            as_worded(self.told["words"]) if self.told.keys() == {"words"} else {"kind": self.kind, "told": self.told}
        )

    def payload(self) -> dict[str, Any]:
        """Return the claim as it is in events' payloads."""
        return {
            "id": str(self.pk),
            **self.claimed,
            "state": self.state,
            "by": person(self.by),
            "at": self.at.isoformat(),
        }


def as_worded(words: str) -> dict[str, Any]:
    """Return a claim of which only these words are known, as 0.1.0 stored it, in the form of payloads."""
    return {"kind": "", "told": {"words": words}}
