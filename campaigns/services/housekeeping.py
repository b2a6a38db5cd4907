"""What a campaign leaves behind that nobody asks for any more. It is no part of the log, so no operation tells of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import IdempotencyKey

KEPT: Final = timedelta(days=30)
"""How long a browser may take to send an operation again. After that it would be done a second time (docs/hosting.md)."""

AT_ONCE: Final = 1000
"""Rows in one transaction: nobody who plays meanwhile waits for all of them."""


def forget_old_keys() -> int:
    """Forget the keys of operations that nobody will send again. How many they were."""
    old = IdempotencyKey.objects.filter(at__lt=timezone.now() - KEPT)
    gone = 0
    while deleted := _delete(old):
        gone += deleted
    return gone


def _delete(old: QuerySet[IdempotencyKey]) -> int:
    ids = list(old.values_list("pk", flat=True)[:AT_ONCE])
    return IdempotencyKey.objects.filter(pk__in=ids).delete()[0] if ids else 0
