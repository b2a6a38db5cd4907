"""`manage.py housekeeping`: deletes old data that nobody needs any more. The site may go on running."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from campaigns.live import presence
from campaigns.services.idempotency import KEPT, forget_old_keys
from campaigns.services.members import ENDED_KEPT, forget_ended

LOOKED_AT = 1000  # rows of each index: enough to tell a rare thing from a common one, in a fraction of a second


class Command(BaseCommand):
    help = (
        "Delete old sessions, sign-in counters, operation keys, ended tokens and traces of sockets, and update SQLite’s query "
        "planner statistics. Run it every night."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("clearsessions")
        self.stdout.write("Deleted expired sessions.")
        self.stdout.write(f"Deleted {_forget_expired()} expired cache entries.")
        self.stdout.write(f"Deleted {forget_old_keys()} operation keys older than {KEPT.days} days.")
        self.stdout.write(f"Deleted {forget_ended()} tokens that ended more than {ENDED_KEPT.days} days ago.")
        self.stdout.write(f"Deleted {presence.sweep()} traces of dead sockets.")
        if connection.vendor == "sqlite":
            _look_at_tables()
            self.stdout.write("Updated SQLite’s query planner statistics.")


def _forget_expired() -> int:
    """Delete expired rows of the cache, which Django itself only does when it is full. Return how many."""
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608  # a name from the settings
        return int(cursor.rowcount)


def _look_at_tables() -> None:
    """Update SQLite's statistics, without which it reads a whole campaign instead of an index. PostgreSQL does so by itself."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {LOOKED_AT}")
        cursor.execute("ANALYZE")
