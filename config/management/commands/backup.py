"""`manage.py backup FILE`: the whole database as of one moment, while the site may run. `backup FOLDER --keep 14` thins out."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.keeping import backup
from config.keeping.errors import Unusable
from config.keeping.folder import next_in, thin_out


class Command(BaseCommand):
    help = "Write the whole database into a new file, secrets and all. The site may go on running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, or a folder in which one is named by the time")
        parser.add_argument("--keep", type=int, metavar="N", help="in a folder: delete all backups but the newest N")

    def handle(self, *args: Any, **options: Any) -> None:
        place, keep = options["file"], options["keep"]
        if keep is not None and (keep < 1 or not place.is_dir()):
            raise CommandError("--keep is the number of backups, at least 1, that stay in a folder.")
        file = next_in(place) if place.is_dir() else place
        try:
            backup(file)
            gone = thin_out(place, keep) if keep else []
        except (Unusable, OSError, OperationalError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB.")
        for path in gone:
            self.stdout.write(f"{path} is gone.")
