"""`manage.py make_empty --force`: a database without tables, into which an older version can restore. No server may run on it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.keeping import clear
from config.keeping.errors import Unusable


class Command(BaseCommand):
    help = "Empty the database, including its tables. Stop the server and make a backup first."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--force", action="store_true", help="delete what is in the database now")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            clear(force=options["force"])
        except (Unusable, OSError, OperationalError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write("The database is empty.")
