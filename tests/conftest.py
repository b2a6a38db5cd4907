"""What all tests stand on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
import pytest_django
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseOperations
from django.test import Client
from hypothesis import settings

from campaigns.consumers import TableConsumer
from tests.canaries import must_be_free_of_secrets
from tests.cast import cast  # noqa: F401
from tests.dice import load, unload

# How long an example takes says how busy the machine is, and nothing of the rules.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

BROWSER = Path(__file__).parent / "browser"
TRIGGERS = import_module("campaigns.migrations.0002_triggers")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL, leave out what asks for no database: it has said the same in the run on SQLite."""
    if connection.vendor != "postgresql":
        return
    config.hook.pytest_deselected(items=[item for item in items if not _asks_for_the_database(item)])
    items[:] = [item for item in items if _asks_for_the_database(item)]


def _asks_for_the_database(item: pytest.Item) -> bool:
    if BROWSER in item.path.parents:  # these ask servers that have one
        return True
    fixtures = getattr(item, "fixturenames", ())
    return "db" in fixtures or "transactional_db" in fixtures or item.get_closest_marker("django_db") is not None


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> None:
    """On PostgreSQL, where numbers go on from test to test, no member's number may become one that tests look for as a secret."""
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('campaigns_membership', 'id'), 1000000)")


@pytest.fixture(scope="session", autouse=True)
def flush_gets_past_the_guard() -> Iterator[None]:
    """Between transactional tests Django empties every table; on SQLite it deletes rows, which the log's triggers refuse.

    PostgreSQL truncates, which they do not see. Tests of the triggers themselves are not touched by this.
    """
    plain = DatabaseOperations.sql_flush

    def sql_flush(self: DatabaseOperations, *args: object, **kwargs: object) -> list[str]:
        statements = plain(self, *args, **kwargs)
        return [*TRIGGERS.UNDO["sqlite"], *statements, *TRIGGERS.SQLITE] if statements else []

    DatabaseOperations.sql_flush = sql_flush
    yield
    DatabaseOperations.sql_flush = plain


@pytest.fixture(scope="session", autouse=True)
def canaries_are_listened_for() -> Iterator[None]:
    """Every answer to a test client and every frame to a socket of the suite is searched for words not meant for its reader."""
    request, send = Client.request, TableConsumer._send_text

    def answered(self: Client, **asked: object) -> object:
        answer = request(self, **asked)
        user = getattr(answer.wsgi_request, "user", None)
        if not hasattr(answer, "file_to_stream"):
            must_be_free_of_secrets(_heard(answer) + str(answer.headers), getattr(user, "username", ""))
        return answer

    async def sent(self: TableConsumer, text: str) -> None:
        must_be_free_of_secrets(text, self.scope["user"].username)
        await send(self, text)

    Client.request, TableConsumer._send_text = answered, sent
    yield
    Client.request, TableConsumer._send_text = request, send


def _heard(answer: object) -> str:
    """What an answer says; one that is streamed is read, and can be read again."""
    if not answer.streaming:
        return answer.content.decode(errors="ignore")
    content = answer.getvalue()
    answer.streaming_content = [content]
    text = content.decode()
    # Numbers and hashes of entries may be any; what they say may not.
    lines = text.splitlines() if "jsonl" in answer["Content-Type"] else ()
    return "\n".join(str(json.loads(line) | {"seq": None, "actor": None, "amends": None}) for line in lines) or text


@pytest.fixture
def dice() -> Iterator[Callable[..., None]]:
    """`dice(7, 1, 1, 3, 2)`: the faces that fall next, here and in the servers of the browser tests."""
    unload()
    yield load
    unload()
