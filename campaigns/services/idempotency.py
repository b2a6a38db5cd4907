"""The lock of a campaign, and that every operation under it happens at most once: the key that the browser made for it is kept
with who did what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Count, Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from campaigns.errors import Invalid, NotFound, RateLimited
from campaigns.live import notifications
from campaigns.models import Campaign, IdempotencyKey, Membership
from campaigns.models.members import TABLE
from database.compiled import Parameter, compiled
from languages.text import gettext_lazy

R = TypeVar("R", bound=models.Model | None)

RATE_LIMIT_WINDOW = 10  # seconds
USED_KEY = gettext_lazy("This form was already sent with different content. Reload the page and try again.")


class Attempt(Protocol):
    """An operation as this module asks for it: who does it under which key, and when. A UnitOfWork is one."""

    campaign: Campaign
    by: Membership
    key: UUID
    now: datetime


@dataclass(frozen=True)
class KeyUse:
    """The use of a key so far, and the operations that its person has done in the last seconds."""

    is_used: bool
    recent: int

    @classmethod
    def read(cls, row: Any) -> KeyUse:
        """Read it from a row that was asked for with `key_use`."""
        return cls(row.key_is_used, row.recent_operations)


def seconds_before(now: datetime) -> dict[str, datetime]:
    """Return the time in which operations are counted for the rate limit, as {"since", "now"}."""
    return {"since": now - timedelta(seconds=RATE_LIMIT_WINDOW), "now": now}


def key_use(key: Any, user: Any, by_program: Any, since: Any, now: Any) -> dict[str, Any]:
    """Return annotations that let another query answer this as well; the arguments may be values or expressions."""
    recent = _recent(user, by_program, since, now).values("by__user")
    counted = Subquery(recent.annotate(count=Count("pk")).values("count"))
    return {
        "key_is_used": Exists(IdempotencyKey.objects.filter(key=key)),
        "recent_operations": Coalesce(counted, 0),
    }


def operations_left(by: Membership) -> int:
    """Return how many operations a person may still do now; for their programs, how many these may."""
    recent = _recent(by.user_id, by.is_program, **seconds_before(timezone.now()))
    return max(0, settings.RATE_LIMIT - recent.count())


def _recent(user: Any, by_program: Any, since: Any, now: Any) -> QuerySet[IdempotencyKey]:
    # By person and not by membership, so that making one campaign after another is held back as well. What their programs do
    # counts by itself: a bot that goes wrong does not keep its person from playing.
    return IdempotencyKey.objects.filter(by__user=user, by_program=by_program, at__gt=since, at__lte=now)


def run_once(work: Attempt, content: str, operation: Callable[[], R], use: KeyUse | None = None) -> R:
    """Do `operation` under the table's key, or return its first answer if it was done before: the same row, as it is now,
    or one with nothing but its key if it was deleted since.

    `content` is the digest of the request, `use` what was read of the key under the lock, if it was. Raises Invalid for
    a key that was used for anything else, RateLimited for too many operations of one person. By the end of `operation`
    the table's `by` has to be stored. Call it within `unless_used_elsewhere`.
    """
    use = use or _use(work)
    if use.is_used:
        return _again(work, content)
    if use.recent >= settings.RATE_LIMIT:
        raise RateLimited(RATE_LIMIT_WINDOW)
    result = operation()
    IdempotencyKey.objects.create(
        campaign=work.campaign,
        key=work.key,
        by=work.by,
        by_program=work.by.is_program,
        fingerprint=content,
        result=_label(result),
        at=work.now,
    )
    return result


def unless_used_elsewhere(key: UUID, attempt: Callable[[], R]) -> R:
    """Run `attempt`, a transaction under a key; run it once more if another table has used the key since.

    Keys, and the ids made of them, are unique everywhere, but each table has its own lock. If two use one key at the
    same moment, the database refuses the second, whose next attempt finds the key.
    """
    try:
        return attempt()
    except IntegrityError:
        if not IdempotencyKey.objects.filter(key=key).exists():
            raise
        return attempt()


def _use(work: Attempt) -> KeyUse:
    campaign = Campaign.objects.filter(pk=work.campaign.pk).annotate(
        **key_use(work.key, work.by.user_id, work.by.is_program, **seconds_before(work.now))
    )
    return KeyUse.read(campaign.get())


def _again(work: Attempt, content: str) -> Any:
    kept = IdempotencyKey.objects.get(key=work.key)
    if kept.by_id != work.by.pk or kept.fingerprint != content:
        raise Invalid(USED_KEY, field="key")
    if not kept.result:
        return None
    label, _, pk = kept.result.partition(":")
    model = apps.get_model(label)
    return model._default_manager.filter(pk=pk).first() or model(pk=model._meta.pk.to_python(pk))


def _label(result: models.Model | None) -> str:
    return f"{result._meta.label}:{result.pk}" if result is not None else ""


@contextmanager
def one_writer(campaign: Campaign) -> Iterator[None]:
    """Be the one writer of a campaign: the first statement is a write, which makes SQLite and PostgreSQL queue alike."""
    with transaction.atomic():
        if not _counted_up(campaign):
            raise NotFound
        yield
        notifications.send(campaign.pk)


def _counted_up(campaign: Campaign) -> int:
    """Write to the campaign's row: how many there were, one or none."""
    with connection.cursor() as cursor:
        pk = Campaign._meta.pk.get_db_prep_value(campaign.pk, connection)
        cursor.execute("UPDATE campaigns_campaign SET lock = lock + 1 WHERE id = %s", [pk])
        rows: int = cursor.rowcount
    return rows


@compiled(
    member=models.BigAutoField(),
    own=models.CharField(),
    key=models.UUIDField(),
    by_program=models.BooleanField(),
    since=models.DateTimeField(),
    now=models.DateTimeField(),
)
def acting(
    member: Parameter, own: Parameter, key: Parameter, by_program: Parameter, since: Parameter, now: Parameter
) -> QuerySet[Membership]:
    """Return a member who has not left, with the campaign, its streams `everybodys` and `own`, and `key_use`."""
    streams = {
        "everybodys": FilteredRelation("campaign__streams", condition=Q(campaign__streams__name=TABLE)),
        "own": FilteredRelation("campaign__streams", condition=Q(campaign__streams__name=own)),
    }
    members = Membership.objects.annotate(**streams, **key_use(key, OuterRef("user"), by_program, since, now))
    return members.select_related("campaign", *streams).filter(pk=member, left_at=None).order_by()


KEPT: Final = timedelta(days=30)
"""The time in which a browser may send an operation again. After that it would be done a second time (docs/hosting.md)."""

AT_ONCE: Final = 1000
"""Rows in one transaction, so that players never wait for all of them."""


def forget_old_keys() -> int:
    """Delete the keys of operations that nobody will send again. Return how many there were."""
    old = IdempotencyKey.objects.filter(at__lt=timezone.now() - KEPT)
    gone = 0
    while deleted := _delete(old):
        gone += deleted
    return gone


def _delete(old: QuerySet[IdempotencyKey]) -> int:
    ids = list(old.values_list("pk", flat=True)[:AT_ONCE])
    return IdempotencyKey.objects.filter(pk__in=ids).delete()[0] if ids else 0
