"""`manage.py reindex`: make anew by what events are found, where a release or a fault has left it otherwise."""

from typing import Any

from django.core.management.base import BaseCommand

from campaigns.services.reindexing import reindex


class Command(BaseCommand):
    help = "Make anew what the log's pages find events by, from what they say. The site may go on running."

    def handle(self, *args: Any, **options: Any) -> None:
        done = reindex()
        self.stdout.write(f"{done.changed} entries are found by something else now; {done.unreadable} cannot be read.")
