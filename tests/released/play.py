"""`python -m tests.released.play FILE`: let everything happen in the database of DATABASE_URL, and write a backup of it."""

from __future__ import annotations

import sys

import django


def main(file: str) -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from tests.cast import gathered
    from tests.dice import load, unload
    from tests.flows.played import everything_happens

    settings.RATE_LIMIT = 1_000_000
    everything_happens(gathered(), load)
    unload()
    call_command("backup", file, verbosity=0)


if __name__ == "__main__":
    main(sys.argv[1])
