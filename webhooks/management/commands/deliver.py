"""`manage.py deliver`: sends events to campaigns' webhooks. It runs beside the site, for as long as that does."""

import os
import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webhooks.delivery import Worker


class Command(BaseCommand):
    help = "Deliver webhooks until stopped. On PostgreSQL several can run at once; on SQLite one is enough."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--beside", type=int, metavar="PID", help="End when this process ends.")

    def handle(self, *args: Any, **options: Any) -> None:
        server = options["beside"]
        worker = Worker(goes_on=lambda: server is None or os.getppid() == server)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        worker.run()
