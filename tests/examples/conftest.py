"""A real server process, on an SQLite file of its own, with a table to which programs have tokens."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from afterburn_client import Client

from tests import dice
from tests.browser.servers import Server, Site
from tools.databases import migrated_sqlite


@dataclass
class Table:
    """Where it is, and whose tokens there are: tests/examples/table.py."""

    server: Server
    slug: str
    tokens: dict[str, str]

    def client(self, person: str, **options: object) -> Client:
        """Return a person's program."""
        return Client(self.server.url, self.slug, self.tokens[person], **options)


@contextmanager
def served(folder: Path) -> Iterator[Table]:
    """Serve a new table, whose files are in `folder`."""
    database, told = folder / "db.sqlite3", folder / "table.json"
    shutil.copy(migrated_sqlite(), database)
    site = Site(f"sqlite:///{database}", folder, settings="tests.settings")
    site.run("-m", "tests.examples.table", str(told))
    server = Server(site)
    server.start()
    try:
        server.wait()
        yield Table(server, **json.loads(told.read_text(encoding="utf-8")))
    finally:
        server.stop()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Yield a table shared by all tests of a module, in the state that others left."""
    with served(tmp_path_factory.mktemp("table")) as table:
        yield table


@pytest.fixture
def new_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Yield a table at which nobody has rolled yet."""
    with served(tmp_path_factory.mktemp("table")) as table:
        yield table


@pytest.fixture
def fall() -> Iterator[object]:
    """`fall(7, 1, 6)` loads the next faces, in the server too."""
    dice.unload()
    yield dice.load
    dice.unload()
