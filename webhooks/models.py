"""Webhooks of a campaign, and their deliveries.

The log is the outbox: an event of the table's stream is committed with its operation, and `Webhook.seq` is the last one
that a webhook got. Nothing that is sent is stored a second time.
"""

from __future__ import annotations

from base64 import b64encode
from uuid import uuid4

from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaigns.models import Campaign
from webhooks.events import words_of


class Format(models.TextChoices):
    STANDARD = "standard", gettext_lazy("Afterburn (JSON, signed with Standard Webhooks)")
    DISCORD = "discord", "Discord"


class Webhook(models.Model):
    """An address that gets events as they happen, in order.

    `topics` are names of webhooks.events.offered(). `host` is the address's host name: the rest of an address may be a
    secret. `seq` is the number, in the table's stream, of the last event that is settled. While the receiver fails to
    take one, `failing_since` is when that began, `tries` the number of attempts, and `next_at` the time of the next.

    `holder` is the key of a worker's one attempt, which nobody else makes before `held_until`; the last one began at
    `tried_at`. A `stopped` one is off
    because its receiver took nothing for a day, or said that it is gone.
    """

    MOST = 10
    """In one campaign."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="webhooks")
    address = models.TextField(max_length=2000)
    host = models.CharField(max_length=255)
    format = models.CharField(max_length=10, choices=Format)
    topics = models.JSONField(default=list)
    made_at = models.DateTimeField()
    is_on = models.BooleanField(default=True)
    stopped = models.BooleanField(default=False)
    seq = models.PositiveBigIntegerField()
    tries = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    holder = models.UUIDField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.host} of {self.campaign}"

    @property
    def secret(self) -> str:
        """Return the key that signs messages. It follows from SECRET_KEY and is not stored, so a stolen database signs
        nothing.
        """
        made = salted_hmac("afterburn.webhook", str(self.pk), algorithm="sha256").digest()
        return f"whsec_{b64encode(made).decode()}"

    @property
    def words(self) -> str:
        """Return words for the topics it gets."""
        return words_of(self.topics)


class DeliveryState(models.TextChoices):
    WAITING = "waiting", pgettext_lazy("a delivery", "Waiting")
    DELIVERED = "delivered", gettext_lazy("Delivered")
    FAILED = "failed", pgettext_lazy("a delivery", "Failed")


KIND_WORDS = {
    "": pgettext_lazy("a delivery", "Test"),
    "rolls.roll_made": pgettext_lazy("an event", "Roll"),
    "rolls.roll_corrected": gettext_lazy("Roll corrected"),
    "rolls.roll_revealed": gettext_lazy("Roll revealed"),
    "rolls.roll_voided": gettext_lazy("Roll voided"),
    "campaigns.session_started": gettext_lazy("Session started"),
    "campaigns.session_ended": gettext_lazy("Session ended"),
    "campaigns.recap_published": gettext_lazy("Recap"),
    "campaigns.dates_proposed": gettext_lazy("Dates proposed"),
    "campaigns.date_answered": gettext_lazy("Date answered"),
    "campaigns.session_planned": gettext_lazy("Date set or cancelled"),
}
"""The names of deliveries by kind of event. Those of rules have the names of their kinds."""


class Delivery(models.Model):
    """One event that was sent to a webhook, or is to be sent; a test without `uid`.

    Those `by_hand` were asked for on the webhook's page and are tried once. `status` is the last answer's, None without
    one, and `answer` how its text begins; `fault` is the English of what went wrong (`fault_words`).
    """

    ANSWER = 1000
    """Characters of an answer that are kept."""
    SHOWN = 50
    """The newest of a webhook, on its page; older ones are cleared away."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    uid = models.UUIDField(null=True, blank=True)
    kind = models.CharField(max_length=60, blank=True)
    by_hand = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    made_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=ANSWER, blank=True)
    fault = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["webhook"],
                condition=models.Q(by_hand=True, state="waiting"),
                name="delivery_asked_for",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind or 'test'} to {self.webhook}"

    @property
    def words(self) -> str:
        """Return words for the delivery's kind of event; "Test" without one."""
        return str(KIND_WORDS.get(self.kind) or self.kind.rpartition(".")[2].replace("_", " ").capitalize())

    @property
    def fault_words(self) -> str:
        """Return words for what went wrong; "" if nothing did."""
        return _(self.fault) if self.fault else ""
