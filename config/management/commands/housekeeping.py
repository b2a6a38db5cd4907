"""`manage.py housekeeping`: clears away what piles up and nobody asks for any more. The site may go on running."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from campaigns.live import presence
from campaigns.services.idempotency import KEPT, forget_old_keys
from campaigns.services.tokens import ENDED_KEPT, forget_ended
from rolls.services.snapshots import keep_counts

LOOKED_AT = 1000  # rows of each index: enough to tell a rare thing from a common one, in a fraction of a second


class Command(BaseCommand):
    help = (
        "Delete sessions, counters of sign-ins, keys of operations, tokens that ended and traces of sockets that are too old to "
        "be of any use, count rolls for the statistics, and let SQLite look at how much there is of what. To be run every night."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("clearsessions")
        self.stdout.write("Expired sessions are gone.")
        self.stdout.write(f"{_forget_expired()} expired entries of the cache are gone.")
        self.stdout.write(f"{forget_old_keys()} keys of operations from more than {KEPT.days} days ago are gone.")
        self.stdout.write(f"{forget_ended()} tokens that ended more than {ENDED_KEPT.days} days ago are gone.")
        self.stdout.write(f"{presence.sweep()} traces of dead sockets are gone.")
        self.stdout.write(f"{keep_counts()} counts of rolls are kept for the statistics.")
        if connection.vendor == "sqlite":
            _look_at_tables()
            self.stdout.write("SQLite knows how much there is of what.")


def _forget_expired() -> int:
    """The cache of Django itself deletes nothing before it is full."""
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608  # a name from the settings
        return int(cursor.rowcount)


def _look_at_tables() -> None:
    """PostgreSQL does so by itself. Without it, SQLite looks through a whole campaign for what an index would find at once."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {LOOKED_AT}")
        cursor.execute("ANALYZE")
