"""`manage.py backup FILE`: the whole database as of one moment, while the site may run."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.keeping import backup
from config.keeping.errors import Unusable


class Command(BaseCommand):
    help = "Write the whole database into a new file, secrets and all. The site may go on running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup(options["file"])
        except Unusable as error:
            raise CommandError(str(error)) from None
        size = options["file"].stat().st_size
        self.stdout.write(f"{options['file']}: {size / 1e6:.1f} MB.")
