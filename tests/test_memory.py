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


def _as_another_process() -> None:
    """One that remembers nothing, and whose database has numbered nothing yet."""
    memory._memories.clear()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [User]):
            cursor.execute(statement)
