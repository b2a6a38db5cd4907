"""Doors that were shut: whenever somebody's right to follow a table ends otherwise than by an event about a member.

`Campaign.doors` counts them, in the transaction that ends the right. Whatever is told later is read with the new number, so that
each process looks its sockets at that table up again before it hands it to any (campaigns/live/campaign_feed.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_save, pre_delete

from campaigns.access import WATCHING
from campaigns.live import notifications
from campaigns.models import Campaign, Membership

PROOFS = frozenset({"password", "is_active"})
"""What of an account its sessions hold by."""


def shut(campaigns: Iterable[UUID]) -> None:
    """Somebody has lost their right to follow these."""
    with transaction.atomic():
        # In one order, so that two who sign out at once do not wait for each other.
        for campaign in sorted(set(campaigns)):
            Campaign.objects.filter(pk=campaign).update(doors=F("doors") + 1)
            notifications.send(campaign)


def _session_ends(sender: Any, instance: Session, **more: Any) -> None:
    """Somebody signs out, or is signed out."""
    held = instance.get_decoded()
    watched = {UUID(campaign) for campaign in held.get(WATCHING, {})}
    shut(watched | (_tables_of(held[SESSION_KEY]) if SESSION_KEY in held else set()))


def _account_changed(
    sender: Any, instance: Any, created: bool, update_fields: Iterable[str] | None, **more: Any
) -> None:
    """It may have another password, or be switched off."""
    if not created and (update_fields is None or not PROOFS.isdisjoint(update_fields)):
        shut(_tables_of(instance.pk))


def _tables_of(user: Any) -> set[UUID]:
    return set(Membership.objects.active().filter(user=user).values_list("campaign", flat=True))


def watch_accounts() -> None:
    """Shut the doors of whoever signs out, or may not sign in any more as they have."""
    pre_delete.connect(_session_ends, sender=Session, dispatch_uid="doors")
    post_save.connect(_account_changed, sender=get_user_model(), dispatch_uid="doors")
