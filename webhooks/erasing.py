"""Erase typed texts from rows of webhooks (campaigns/services/erasing.py)."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from campaigns.models import Membership
from campaigns.signals import words_erased
from webhooks.models import Delivery


@receiver(words_erased)
def forget_answers(member: Membership, **named: Any) -> None:
    """Delete receivers' answers, which often repeat what they were sent. Sent messages are not stored."""
    Delivery.objects.filter(webhook__campaign=member.campaign_id).exclude(answer="").update(answer="")
