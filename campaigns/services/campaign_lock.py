"""The lock of a campaign, and what every operation reads first under it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, models, transaction
from django.db.models import FilteredRelation, OuterRef, Q, QuerySet

from campaigns.errors import NotFound
from campaigns.live import notifications
from campaigns.models import Campaign, Membership
from campaigns.models.streams import TABLE
from campaigns.services.idempotency import key_use
from database.compiled import Parameter, compiled


@contextmanager
def one_writer(campaign: Campaign) -> Iterator[None]:
    """One writer a campaign: the first statement is a write, which makes SQLite and PostgreSQL queue alike."""
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
    since=models.DateTimeField(),
    now=models.DateTimeField(),
)
def acting(member: Parameter, own: Parameter, key: Parameter, since: Parameter, now: Parameter) -> QuerySet[Membership]:
    """A member who has not left, with the campaign and these streams of it (`everybodys` and `own`), and with `key_use`."""
    streams = {
        "everybodys": FilteredRelation("campaign__streams", condition=Q(campaign__streams__name=TABLE)),
        "own": FilteredRelation("campaign__streams", condition=Q(campaign__streams__name=own)),
    }
    members = Membership.objects.annotate(**streams, **key_use(key, OuterRef("user"), since, now))
    return members.select_related("campaign", *streams).filter(pk=member, left_at=None).order_by()
