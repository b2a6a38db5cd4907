"""Rows that are inserted without `save` are those that `save` would have made, and know it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from campaigns.models import EventSubject, IdempotencyKey
from campaigns.services.play import say
from database.rows import insert, insert_all
from rolls.models import SeedEpoch

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


def a_key(cast, **given):
    values = {
        "campaign": cast.campaign,
        "key": uuid4(),
        "by": cast.gm.member,
        "fingerprint": "f" * 64,
        "result": "o'k %s",
    }
    return IdempotencyKey(**values | {"at": datetime(2030, 1, 2, 3, 4, 5, 678, tzinfo=UTC)} | given)


def columns(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if field.attname != "id"}


def test_it_is_the_row_that_save_would_have_made(cast):
    row, saved = a_key(cast), a_key(cast)
    with CaptureQueriesContext(connection) as asked:
        assert insert(row) is row
    saved.key = row.key
    assert len(asked) == 1
    assert columns(IdempotencyKey.objects.get(pk=row.pk)) == columns(row) == columns(saved)
    row.result = ""
    row.save()
    assert IdempotencyKey.objects.get(key=row.key).result == ""


def test_an_id_that_was_given_stays(cast):
    row = a_key(cast, pk=987_654_321)
    insert(row)
    assert IdempotencyKey.objects.get(key=row.key).pk == row.pk == 987_654_321


def test_the_database_refuses_what_it_would_refuse(cast):
    row = insert(a_key(cast))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(a_key(cast, key=row.key))


def test_many_go_in_one_statement(cast):
    event = say(cast.gm.member, "The lamp goes out.", key=uuid4())
    there = EventSubject.objects.filter(event=event).count()
    rows = [EventSubject(event=event, key=f"thing:{n}", name="ü" * n, topic="talk") for n in range(1, 4)]
    with CaptureQueriesContext(connection) as asked:
        insert_all(rows)
        insert_all([])
    assert len(asked) == 1
    assert EventSubject.objects.filter(event=event).count() == there + 3
    assert EventSubject.objects.get(event=event, key="thing:2").name == "üü"


def test_json_and_null_are_kept_as_they_are(cast):
    row = SeedEpoch(campaign=cast.campaign, number=77, seed="a" * 64, blind="b" * 64)
    insert(row)
    assert SeedEpoch.objects.get(pk=row.pk).opened_at is None
