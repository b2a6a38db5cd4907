"""`manage.py deliver`: sends webhooks and notices. It runs beside the site, for as long as that does."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from notices.worker import Notifier
from webhooks.delivery import Worker


class Command(BaseCommand):
    help = "Deliver webhooks and notices until stopped. On PostgreSQL several can run at once; on SQLite one is enough."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--beside", type=int, metavar="PID", help="End when this process ends.")

    def handle(self, *args: Any, **options: Any) -> None:
        server = options["beside"]
        worker = Worker(goes_on=lambda: server is None or os.getppid() == server)
        notifier = Notifier()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        # In a thread of their own: a mail server that is silent delays no webhook. Whichever ends, by an error too, ends both.
        with ThreadPoolExecutor(1, thread_name_prefix="notices") as thread:
            running = thread.submit(notifier.run)
            running.add_done_callback(lambda _: worker.stop())
            try:
                worker.run()
            finally:
                notifier.stop()
            running.result()
