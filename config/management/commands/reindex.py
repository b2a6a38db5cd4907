"""`manage.py reindex`: rebuild the index of events, after a release or a fault."""

from typing import Any

from django.core.management.base import BaseCommand

from campaigns.services.log_entries import reindex


class Command(BaseCommand):
    help = "Rebuild the search index of the log. The site can keep running."

    def handle(self, *args: Any, **options: Any) -> None:
        done = reindex()
        self.stdout.write(f"Updated {done.changed} entries. {done.unreadable} cannot be read.")
