"""`manage.py move_to_postgres FILE`: a site that outgrows SQLite. No server may run on either database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from config.keeping.errors import Unusable
from config.keeping.moving import move


class Command(BaseCommand):
    help = (
        "Move a whole site from an SQLite file to the empty PostgreSQL database of DATABASE_URL. Stop the server first. The file "
        "stays as it is."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the SQLite database, or a backup of one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rows = move(options["file"])
        except (Unusable, OSError, DatabaseError) as error:
            raise CommandError(str(error)) from None
        moved, events = rows["campaigns_campaign"], rows["campaigns_event"]
        self.stdout.write(
            f"Moved: {moved} campaign{'' if moved == 1 else 's'}, {events} entries in their logs, all as they were written."
        )
