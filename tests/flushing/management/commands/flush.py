"""`flush`, which Django calls after each transactional test, in next to no time.

On SQLite Django's own deletes rows, which the log's triggers refuse. On PostgreSQL it truncates, which makes the files of every
table anew; there are few rows in tests, so they are deleted there, too. Kinds of content and permissions stay, and need not be
made again.
"""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import OperationalError

from tests.databases import empty

DEADLOCKS = 5
"""The most attempts: of two transactions in a deadlock PostgreSQL lets one continue."""


class Command(flush.Command):
    """Empty the tests' database."""

    def handle(self, **options: Any) -> None:
        # A thread of the test may still be storing that a socket has left, and lock the same rows in another order.
        for turns_left in reversed(range(DEADLOCKS)):
            try:
                empty()
            except OperationalError:
                if not turns_left:
                    raise
            else:
                return
