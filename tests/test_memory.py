"""What one process has made is put back in another as if it had been made there."""

from __future__ import annotations

import pytest
from django.core.management.color import no_style
from django.db import connection, transaction

from people.models import User
from tests import memory
from tests.cast import Person, person


def somebody() -> Person:
    return person("ana", "Ana")


@pytest.mark.django_db
@pytest.mark.usefixtures("numbers")
@pytest.mark.run_on("sqlite", "postgresql")
def test_what_another_process_has_made_has_its_ids_and_what_is_added_has_others(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_memories", {})
    with transaction.atomic():
        made = memory.remembered_by_all(somebody, tmp_path)
        transaction.set_rollback(True)
    assert not User.objects.exists()
    _as_another_process()
    found = memory.remembered_by_all(somebody, tmp_path)
    assert found.user == made.user == User.objects.get()
    assert person("ben").user.pk != made.user.pk


@pytest.fixture
def numbers(db):
    """What is numbered after the test goes on from here: other tests remember rows."""
    somebody = User.objects.create(username="last")
    last = somebody.pk
    somebody.delete()
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('people_user', 'id'), %s)", [last + 100])


def _as_another_process() -> None:
    """One that remembers nothing, and whose database has numbered nothing yet."""
    memory._memories.clear()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [User]):
            cursor.execute(statement)


@pytest.mark.django_db
@pytest.mark.run_on("postgresql")
def test_numbers_never_go_back_to_those_of_rows_that_are_remembered():
    numbered = User.objects.create(username="ana").pk
    User.objects.all().delete()
    memory._number_on()
    assert User.objects.create(username="ben").pk > numbered
