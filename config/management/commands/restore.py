"""`manage.py restore FILE [--force]`: makes an empty database of a backup. No server may run on it meanwhile."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.keeping import restore
from config.keeping.errors import Unusable


class Command(BaseCommand):
    help = "Put a backup into this database. Stop the server first. Each campaign's log says so, and goes on with new seeds."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="throw away what is in the database now")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = restore(options["file"], force=options["force"])
        except (Unusable, OSError, OperationalError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored, with {count} campaign{'' if count == 1 else 's'}.")
