"""Every operation happens at most once: the key that the browser made for it is kept with who did what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import models

from campaigns.errors import Invalid, RateLimited
from campaigns.models import Campaign, IdempotencyKey, Membership

R = TypeVar("R", bound=models.Model | None)

RATE_LIMIT_WINDOW = 10  # seconds
USED_KEY = "This form was already sent with other content. Reload the page and try again."


class Attempt(Protocol):
    """Who does what under which key, and when: of a UnitOfWork, what this asks of it."""

    campaign: Campaign
    by: Membership
    key: UUID
    now: datetime


def run_once(work: Attempt, content: str, operation: Callable[[], R]) -> R:
    """Do `operation` under the table's key, or give its first answer again where that was done already.

    `content` is the digest of what is asked. Raises Invalid for a key that was used for anything else, RateLimited for too many
    operations of one person. By the end of `operation` the table's `by` has to be stored.
    """
    # Not within the campaign alone: a key is also the id of what the operation makes, and those are unique everywhere. It is kept
    # before the operation is done: another table, which has another lock, waits here for what becomes of it.
    kept, is_new = IdempotencyKey.objects.get_or_create(
        key=work.key, defaults={"campaign": work.campaign, "fingerprint": content, "at": work.now}
    )
    if not is_new:
        return _again(kept, work.by, content)
    _hold_back(work)
    result = operation()
    kept.by, kept.result = work.by, _label(result)
    kept.save(update_fields=["by", "result"])
    return result


def _again(operation: IdempotencyKey, by: Membership, content: str) -> Any:
    if operation.by_id != by.pk or operation.fingerprint != content:
        raise Invalid(USED_KEY, field="key")
    if not operation.result:
        return None
    label, _, pk = operation.result.partition(":")
    return apps.get_model(label)._default_manager.get(pk=pk)


def _label(result: models.Model | None) -> str:
    return f"{result._meta.label}:{result.pk}" if result is not None else ""


def _hold_back(work: Attempt) -> None:
    # By person and not by membership, so that making one campaign after another is held back as well.
    since = work.now - timedelta(seconds=RATE_LIMIT_WINDOW)
    operations = IdempotencyKey.objects.filter(by__user=work.by.user_id, at__gt=since, at__lte=work.now)
    if operations.count() >= settings.RATE_LIMIT:
        raise RateLimited(RATE_LIMIT_WINDOW)
