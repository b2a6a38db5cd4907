"""`manage.py backup FILE`: the whole database as of one moment, while the site may run. `backup FOLDER --keep 14` thins out."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.keeping import backup
from config.keeping.errors import Unusable
from config.keeping.folder import next_in, thin_out


class Command(BaseCommand):
    help = "Write the whole database, including secrets, to a new file. The site can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, or a folder, where the file is named after the time")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="in a folder: keep the newest N backups and delete the rest"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        place, keep = options["file"], options["keep"]
        if keep is not None and (keep < 1 or not place.is_dir()):
            raise CommandError("--keep needs a folder and a number of backups to keep, at least 1.")
        file = next_in(place) if place.is_dir() else place
        try:
            backup(file)
            gone = thin_out(place, keep) if keep else []
        except (Unusable, OSError, OperationalError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB.")
        for path in gone:
            self.stdout.write(f"Deleted {path}.")
