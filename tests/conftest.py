"""What all tests stand on."""

from __future__ import annotations

import gc
import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import pytest_django
from django.conf import settings as site
from django.db import DataError, connection
from django.db.models import CharField
from django.test import Client
from hypothesis import HealthCheck, settings

from campaigns.consumers import TableConsumer
from campaigns.live import notifications, render
from campaigns.services import safety
from tests.canaries import must_be_free_of_secrets
from tests.cast import cast  # noqa: F401
from tests.databases import copied, runs_here
from tests.dice import load, unload

# How long an example takes says how busy the machine is, and nothing of the rules. What fails is printed with its seed.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=50,
    stateful_step_count=25,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("suite")

NUMBER_OF_EVENT = re.compile(r'"(?:seq|next)": "?\d+"?')
"""Event numbers in the API's answers: in a reader's own streams they may be any."""

HERE = Path(__file__).parent
BROWSER = HERE / "browser"

# Walks that take as long as hundreds of other tests: each has the mark `thorough`, and only `test-all` runs it. In files that
# have others, too, the mark stands at the test.
_THOROUGH = """
    api/test_contract.py  api/test_hostile.py  api/test_secrets.py
    bench
    browser
    campaigns/pictures  campaigns/test_erasing.py  campaigns/test_log_page.py
    campaigns/test_many_sessions.py  campaigns/test_pictures.py  campaigns/test_readers.py  campaigns/test_shown_pictures.py
    config/test_commands.py  config/test_demo.py  config/test_keeping.py  config/test_keeping_in_use.py
    config/test_logs.py  config/test_metrics.py  config/test_moving.py  config/test_new_ruleset.py  config/test_settings.py
    database/test_fullness.py
    examples
    flows
    hosting
    released
    rolls/test_events.py  rolls/queries/test_checking.py  rolls/views/test_odds.py  rolls/views/test_verify.py
    rulesets/conformance
    rulesets/arc/procedures/test_tracker_twin.py  rulesets/arc/table/test_secrets.py  rulesets/arc/table/test_twin.py
    rulesets/descriptors/test_odds.py  rulesets/storyteller/test_odds.py  scale/test_odds.py
    webhooks/test_secrets.py
"""
# What of these `test` runs nevertheless: who may do what, live equals reload, two who know different things, the main flows.
_QUICK = """
    browser/test_first_minutes.py  browser/test_forged_action.py  browser/test_log.py  browser/test_major_burn.py
    browser/test_sheet.py  browser/test_table.py
    flows/test_hosts.py  flows/test_live_equals_reload.py  flows/test_overwriting.py  flows/test_payloads.py
    flows/test_permissions.py  flows/test_state_machine.py  flows/test_twin.py  flows/test_wrong_forms.py
"""
THOROUGH, QUICK = ({HERE / name for name in names.split()} for names in (_THOROUGH, _QUICK))


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "leave out what another part of the whole run has: see tests/databases.py"
    parser.addoption("--once", action="store_true", help=words)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no file of which nothing would be run."""
    left_out = config.option.markexpr == "not thorough" and collection_path.suffix == ".py"
    return (left_out and _is_thorough(collection_path)) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    if _is_thorough(item.path):
        item.add_marker("thorough")


def _is_thorough(file: Path) -> bool:
    return file not in QUICK and bool(THOROUGH & {file, *file.parents})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run is not for; of browser tests, which ask servers that have a database, nothing."""
    once = config.getoption("--once")
    here = [item for item in items if BROWSER in item.path.parents or runs_here(item, once=once)]
    # Begun last, one of these would keep a worker busy alone.
    here.sort(key=lambda item: item.get_closest_marker("thorough") is None)
    chosen = {*here}
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = here


def pytest_collection_finish() -> None:
    """Freeze the objects that stay until the end, and collect rarely, as searching them for garbage again and again
    gains nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture
def patience(settings: pytest_django.Settings) -> None:
    """Let everyone do as much as they like, however fast."""
    settings.RATE_LIMIT = 1_000_000


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> Iterator[bool]:
    """Yield whether the database exists before Django would make it."""
    with copied(site.MIGRATED) as there:
        yield there


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """Start members' numbers high on PostgreSQL, where they go on from test to test, so that none equals a number that
    tests treat as a secret.

    Close its connections before the database is dropped.
    """
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('campaigns_membership', 'id'), 1000000)")
    yield
    notifications.close()
    if connection.vendor == "postgresql":
        # A connection that a thread of the last test has closed may be open at the server for a moment more.
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")


@pytest.fixture(scope="session", autouse=True)
def columns_are_no_longer_than_they_say() -> Iterator[None]:
    """Refuse on SQLite, too, what is longer than its column, as PostgreSQL does: an error there that no test would see here."""
    save = CharField.get_db_prep_save

    def refused(self: CharField, value: object, connection: object) -> object:
        if isinstance(value, str) and self.max_length and len(value) > self.max_length:
            raise DataError(f"value too long for {self}, which has {self.max_length} characters")
        return save(self, value, connection)

    CharField.get_db_prep_save = refused  # type: ignore[method-assign]
    yield
    CharField.get_db_prep_save = save  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def canaries_are_listened_for() -> Iterator[None]:
    """Search every answer to a test client and every frame to a socket for words not meant for its reader."""
    request, send = Client.request, TableConsumer._send_text

    def answered(self: Client, **asked: object) -> object:
        answer = request(self, **asked)
        # Who comes with a token has no session: tests/api/callers.py says whose it is.
        name = asked.get("reader") or getattr(getattr(answer.wsgi_request, "user", None), "username", "")
        if not hasattr(answer, "file_to_stream"):
            must_be_free_of_secrets(_heard(answer) + str(answer.headers), str(name))
        return answer

    async def sent(self: TableConsumer, text: str) -> None:
        member = self.viewer.real or self.viewer.membership
        must_be_free_of_secrets(text, member.user.username if member else "")
        await send(self, text)

    Client.request, TableConsumer._send_text = answered, sent
    yield
    Client.request, TableConsumer._send_text = request, send


def _heard(answer: object) -> str:
    """Return the text of an answer; a streamed one is read, and can be read again."""
    if not answer.streaming:
        return NUMBER_OF_EVENT.sub("", answer.content.decode(errors="ignore"))
    content = answer.getvalue()
    answer.streaming_content = [content]
    # A whole campaign is packed, and for GMs alone (tests/rolls/moving).
    text = content.decode() if answer["Content-Type"] != "application/zip" else ""
    # Numbers and hashes of entries may differ; their contents may not.
    lines = text.splitlines() if "jsonl" in answer["Content-Type"] else ()
    return "\n".join(str(json.loads(line) | {"seq": None, "actor": None, "amends": None}) for line in lines) or text


@pytest.fixture(autouse=True)
def nobody_has_paused_play_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the count of pauses, which is kept in the process, while members have the same numbers in the next test."""
    monkeypatch.setattr(safety, "_presses", safety.Presses())


@pytest.fixture
def dice() -> Iterator[Callable[..., None]]:
    """`dice(7, 1, 1, 3, 2)` loads the faces that fall next, here and in the servers of the browser tests."""
    unload()
    yield load
    unload()


@pytest.fixture(autouse=True)
def every_entry_can_be_drawn(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail if a line could not be drawn, which takes no page down; tests marked `undrawn` may have such lines."""
    found: list[logging.LogRecord] = []
    listener = logging.Handler(logging.ERROR)
    listener.emit = found.append  # type: ignore[method-assign]
    logger = logging.getLogger(render.__name__)
    logger.addHandler(listener)
    yield
    logger.removeHandler(listener)
    if not request.node.get_closest_marker("undrawn"):
        assert not found, [(record.getMessage(), record.exc_info) for record in found]
