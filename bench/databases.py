"""New databases to measure in, each by a process of its own, since Django knows one database for as long as it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import django

ROOT = Path(__file__).parents[1]
KINDS = ("sqlite", "postgresql")


def new_databases(only: str | None = None, *, waits_for_disk: bool = False) -> Iterator[str]:
    """Yield the URLs of a new SQLite file and of a database on a PostgreSQL of its own, or of one of them; each is
    deleted after its turn.

    That PostgreSQL waits for the disk only with `waits_for_disk`.
    """
    for kind in KINDS if only is None else (only,):
        with ExitStack() as stack:
            yield _sqlite(stack) if kind == "sqlite" else _postgresql(stack, waits_for_disk)


def measured(parser: ArgumentParser, arguments: Sequence[str] | None, measure: Callable[[Namespace], None]) -> None:
    """Measure what the arguments say, in a process for each new database: Django's models can be named only there."""
    parser.add_argument("--only", choices=KINDS, help="one database alone")
    parser.add_argument("--here", action="store_true", help="in the database of DATABASE_URL, which has to be new")
    asked = parser.parse_args(arguments)
    if asked.here:
        set_up()
        measure(asked)
        return
    for url in new_databases(asked.only):
        run_in(url, parser.prog.split()[-1], ["--here", *(sys.argv[1:] if arguments is None else arguments)])


def set_up() -> None:
    """Set Django up with the settings of the site and the database of DATABASE_URL."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def run_in(url: str, module: str, arguments: Sequence[str]) -> None:
    """Run `python -m <module> <arguments>` with that database. Raises CalledProcessError."""
    subprocess.run(_command(module, arguments), cwd=ROOT, env=_environment(url), check=True)


def start_in(url: str, module: str, arguments: Sequence[str]) -> subprocess.Popen[str]:
    """Start `python -m <module> <arguments>` with that database, and return the process with its pipes."""
    command, pipe = _command(module, arguments), subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=_environment(url), stdin=pipe, stdout=pipe, text=True)


def _command(module: str, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _environment(url: str) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": url, "SECRET_KEY": "only for a bench", "ENV_FILE": os.devnull}


def _sqlite(stack: ExitStack) -> str:
    # Only who asks for it needs it, and the packages of the tests.
    from tools.databases import migrated_sqlite

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="afterburn-bench-"))
    # With its tables, which take seconds to make.
    shutil.copyfile(migrated_sqlite(), f"{folder}/bench.sqlite3")
    return f"sqlite:///{folder}/bench.sqlite3"


def _postgresql(stack: ExitStack, waits_for_disk: bool) -> str:
    # Only who asks for it needs a PostgreSQL.
    import psycopg

    from tools.postgres import postgres

    url = stack.enter_context(postgres(waits_for_disk=waits_for_disk))
    with psycopg.connect(url.rpartition("/")[0] + "/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE afterburn")
    return url
