"""Every deed happens at most once: the key that the browser made for it is kept with who did what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import models

from campaigns.errors import Flood, Invalid
from campaigns.models import Campaign, Deed, Membership

R = TypeVar("R", bound=models.Model | None)

FLOOD_WINDOW = 10  # seconds
USED_KEY = "This form was already sent with other content. Reload the page and try again."


class Attempt(Protocol):
    """Who does what under which key, and when: of a Table, what this asks of it."""

    campaign: Campaign
    by: Membership
    key: UUID
    now: datetime


def once(table: Attempt, content: str, deed: Callable[[], R]) -> R:
    """Do `deed` under the table's key, or give its first answer again where that was done already.

    `content` is the digest of what is asked. Raises Invalid for a key that was used for anything else, Flood for too many
    deeds of one person. By the end of `deed` the table's `by` has to be stored.
    """
    # Not within the campaign alone: a key is also the id of what the deed makes, and those are unique everywhere. It is kept
    # before the deed is done: another table, which has another lock, waits here for what becomes of it.
    kept, is_new = Deed.objects.get_or_create(
        key=table.key, defaults={"campaign": table.campaign, "digest": content, "at": table.now}
    )
    if not is_new:
        return _again(kept, table.by, content)
    _hold_back(table)
    result = deed()
    kept.by, kept.result = table.by, _label(result)
    kept.save(update_fields=["by", "result"])
    return result


def _again(deed: Deed, by: Membership, content: str) -> Any:
    if deed.by_id != by.pk or deed.digest != content:
        raise Invalid(USED_KEY, field="key")
    if not deed.result:
        return None
    label, _, pk = deed.result.partition(":")
    return apps.get_model(label)._default_manager.get(pk=pk)


def _label(result: models.Model | None) -> str:
    return f"{result._meta.label}:{result.pk}" if result is not None else ""


def _hold_back(table: Attempt) -> None:
    # By person and not by membership, so that making one campaign after another is held back as well.
    since = table.now - timedelta(seconds=FLOOD_WINDOW)
    deeds = Deed.objects.filter(by__user=table.by.user_id, at__gt=since, at__lte=table.now)
    if deeds.count() >= settings.FLOOD_DEEDS:
        raise Flood(FLOOD_WINDOW)
