"""`manage.py restore FILE [--force]`: restore a backup, from a folder the newest. No server may run on the database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.keeping import restore
from config.keeping.errors import Unusable
from config.keeping.folder import newest


class Command(BaseCommand):
    help = (
        "Restore a backup into this database. Stop the server first. Each campaign’s log notes it and continues with new "
        "dice seeds."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a backup, or a folder: its newest backup is shown first")
        parser.add_argument("--noinput", action="store_false", dest="interactive", help="do not ask")
        parser.add_argument("--force", action="store_true", help="delete what is in the database now")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        if file.is_dir():
            file = self._newest_in(file, interactive=options["interactive"])
        try:
            count = restore(file, force=options["force"])
        except (Unusable, OSError, OperationalError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored, with {count} campaign{'' if count == 1 else 's'}.")

    def _newest_in(self, folder: Path, *, interactive: bool) -> Path:
        backup = newest(folder)
        if backup is None:
            raise CommandError(f"No backup in {folder}.")
        file, at = backup
        self.stdout.write(f"The newest: {file}, of {at:%-d %B %Y, %H:%M} UTC, {file.stat().st_size / 1e6:.1f} MB.")
        self.stdout.write("Everything that happened after it will be deleted.")
        if interactive and input("Restore it? Type yes: ").strip() != "yes":
            raise CommandError("Nothing was changed.")
        return file
