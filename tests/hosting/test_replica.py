"""A site with a streaming replica: what is read there, who is not sent there, and what happens when it lags, stops, or leaves.

Both servers write each statement that they are asked into their logs, so a test knows where a page was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
import pytest

from bench.drive.world import PostgresServer
from bench.live_world import HOST, TOKEN, Site, served, site
from bench.waiting import waited
from campaigns import replica
from tools.postgres import folder_of, postgres, replica_of

PATIENCE = 60  # seconds
DOORS = {"campaigns_membership", "campaigns_campaign", "people_user", "django_session"}
STATEMENT = re.compile(
    r'statement: .*?\b(?:FROM|UPDATE|INTO) "?((?:campaigns|characters|rolls|scale|world|people|django)_\w+)'
)
"""With the table that it is about, whatever it compares that with."""


@dataclass
class Servers:
    """The primary and its replica, by the URLs of their databases."""

    here: Site
    copy: str

    @property
    def primary(self) -> str:
        return self.here.database_url

    @contextmanager
    def asked(self, url: str) -> Iterator[set[str]]:
        """Give a set that has, once this is over, the tables that this server was asked for meanwhile."""
        tables: set[str] = set()
        before = len(_log(url))
        yield tables
        tables |= {*STATEMENT.findall(_log(url)[before:])}

    def tell(self, url: str, statement: str) -> Any:
        with psycopg.connect(url, autocommit=True) as link:
            return link.execute(statement).fetchone()

    @contextmanager
    def paused(self) -> Iterator[None]:
        self.tell(self.copy, "SELECT pg_wal_replay_pause()")
        is_paused = "SELECT pg_get_wal_replay_pause_state() = 'paused'"
        # It pauses where there is something to replay.
        assert waited(lambda: self._moved() and self.tell(self.copy, is_paused)[0], PATIENCE)
        try:
            yield
        finally:
            self.tell(self.copy, "SELECT pg_wal_replay_resume()")

    def _moved(self) -> bool:
        return bool(self.tell(self.primary, "SELECT pg_logical_emit_message(false, 'tests', 'on')"))


def _log(url: str) -> str:
    # When it is started again it has another log.
    logs = (folder_of(url) / name for name in ("log", "again"))
    return "".join(log.read_text(errors="replace") for log in logs if log.exists())


@dataclass
class Browser:
    port: int
    session: str
    slug: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> tuple[int, str]:
        return self._ask("GET", path)

    def say(self, words: str) -> None:
        self.post("compose/", text=words, voice="player")

    def post(self, path: str, **form: str) -> None:
        status, told = self._ask("POST", path, form | {"key": str(uuid4())})
        assert status == 302, told

    def fresh(self) -> Browser:
        """Return one of the same person, who has done nothing yet."""
        return Browser(self.port, self.session, self.slug)

    def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        cookies = {"sessionid": self.session, "csrftoken": TOKEN} | self.cookies
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "Origin": f"http://{HOST}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode(form | {"csrfmiddlewaretoken": TOKEN}) if form else None
        with closing(HTTPConnection(HOST, self.port, timeout=PATIENCE)) as link:
            link.request(method, f"/c/{self.slug}/{path}", body, headers)
            answer = link.getresponse()
            for line in answer.headers.get_all("Set-Cookie", ()):
                self.cookies |= {name: one.value for name, one in SimpleCookie(line).items() if name == replica.COOKIE}
            return answer.status, answer.read().decode()


@contextmanager
def with_replica() -> Iterator[Servers]:
    with postgres() as url, pytest.MonkeyPatch.context() as patch:
        with psycopg.connect(f"{url.rpartition('/')[0]}/postgres", autocommit=True) as link:
            link.execute("CREATE DATABASE afterburn")
            link.execute("ALTER SYSTEM SET log_statement = 'all'")
            link.execute("SELECT pg_reload_conf()")
        here = site(url)
        with replica_of(url, log_statement="all") as copy:
            patch.setenv("DATABASE_REPLICA_URL", copy)
            yield Servers(here, copy)


@contextmanager
def seated(servers: Servers) -> Iterator[dict[str, Browser]]:
    (made,) = servers.here.tables(1, 3, 12)
    (gm,), (mo, iva) = made["sessions"]["gm"], made["sessions"]["player"]
    with served(servers.here) as (server,):
        people = {"gm": gm, "mo": mo, "iva": iva}
        yield {name: Browser(server.port, session, made["slug"]) for name, session in people.items()}


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with with_replica() as there:
        yield there


@pytest.fixture
def table(servers: Servers) -> Iterator[dict[str, Browser]]:
    with seated(servers) as people:
        yield people


def read_on_the_copy(servers: Servers, browser: Browser, path: str, words: str = "") -> bool:
    with servers.asked(servers.primary) as asked, servers.asked(servers.copy) as copied:
        status, page = browser.get(path)
    assert status == 200
    assert asked & DOORS and not copied & DOORS
    print(path, "of the primary:", asked - DOORS, "of the replica:", copied)  # shown where it never comes to that
    return bool(copied) and not asked - DOORS and words in page


def is_read_there(servers: Servers, browser: Browser, path: str = "log/", words: str = "") -> bool:
    """Return whether the replica comes to answer this alone; it may lag a little on a busy machine."""
    return waited(lambda: read_on_the_copy(servers, browser.fresh(), path, words), PATIENCE) is not None


PAST = (
    "log/",
    "log/?words=event",
    "log/export/?as=jsonl",
    "log/export/?as=page",
    "search/?q=event",
    "sessions/1/",
    "sessions/1/totals/",
    "sessions/1/lines/",
    "sessions/1/verify/",
    "statistics/",
    "world/",
)


def test_pages_of_the_past_are_read_on_the_replica_and_doors_on_the_primary(servers, table):
    for path in PAST:
        words = "Words of event 7" if "export" in path or path == "log/" else ""
        assert is_read_there(servers, table["mo"], path, words), path
    table["gm"].post("world/new/", name="The lighthouse")
    table["gm"].post("sessions/end/")
    (page,) = servers.tell(servers.primary, "SELECT id FROM world_page")
    for path in (f"world/{page}/", f"world/{page}/versions/", "sessions/1/replay/", "sessions/1/replay/events/"):
        assert is_read_there(servers, table["mo"], path), path
    for path in ("", "characters/", "chain/"):
        with servers.asked(servers.copy) as copied:
            assert table["mo"].get(path)[0] == 200
        assert not copied, f"{path} is of the present"


def test_who_has_written_reads_that_and_others_as_soon_as_it_has_come(servers, table):
    assert is_read_there(servers, table["mo"])
    with servers.paused():
        words = f"In the dark, {uuid4()}."
        table["mo"].say(words)
        with servers.asked(servers.copy) as copied:
            assert words in table["mo"].get("log/")[1]
        assert not copied
    assert is_read_there(servers, table["mo"], words=words)

    def reads_there() -> bool:
        assert words in table["mo"].get("log/")[1], "who has written reads it wherever they are sent"
        return read_on_the_copy(servers, table["mo"], "log/")

    assert waited(reads_there, PATIENCE) is not None


def test_a_line_newer_than_the_replica_is_found_and_then_what_is_around_it(servers, table):
    def sent_there() -> bool:
        """Say whether somebody was sent to a new line while the replica was in use."""
        assert is_read_there(servers, table["iva"])
        with servers.paused():
            table["gm"].say(f"A door opens, {uuid4()}.")
            (uid,) = servers.tell(servers.primary, "SELECT uid FROM campaigns_event ORDER BY id DESC LIMIT 1")
            iva = table["iva"].fresh()
            with servers.asked(servers.copy) as copied:
                assert iva.get(f"log/{uid}/")[0] == 200
            if not copied:
                return False  # it lagged for too long before that
            assert replica.COOKIE in iva.cookies
            with servers.asked(servers.copy) as copied:
                assert str(uid) in iva.get("log/")[1]
            return not copied

    assert any(sent_there() for _ in range(5))


def test_who_is_removed_is_out_at_once_and_a_replica_that_lags_is_left_alone(servers, table):
    assert is_read_there(servers, table["iva"])
    with servers.paused():
        newest = "SELECT max(m.id) FROM campaigns_membership m JOIN campaigns_campaign c ON c.id = m.campaign_id"
        (iva,) = servers.tell(servers.primary, f"{newest} WHERE c.slug = '{table['iva'].slug}'")
        table["gm"].post(f"members/{iva}/remove/")
        assert table["iva"].get("log/")[0] == 404
        words = f"Meanwhile, {uuid4()}."
        table["gm"].say(words)
        assert waited(lambda: words in table["mo"].fresh().get("log/")[1], PATIENCE) is not None
        with servers.asked(servers.copy) as copied:
            assert words in table["mo"].fresh().get("log/")[1]
        assert not copied
    assert is_read_there(servers, table["mo"], words=words)


def test_a_replica_that_stops_is_missed_by_nobody_and_found_again(servers, table):
    assert is_read_there(servers, table["mo"])
    PostgresServer(servers.copy).control("stop", "-m", "immediate")
    for browser in (table["mo"], table["iva"], table["gm"]):
        for path in ("log/", "statistics/", "sessions/1/"):
            assert browser.fresh().get(path)[0] == 200
    PostgresServer(servers.copy).control("restart")
    assert is_read_there(servers, table["mo"])


def test_a_replica_that_is_promoted_is_left_and_becomes_the_site_when_it_is_named():
    with with_replica() as servers, seated(servers) as table:
        words = f"Before the storm, {uuid4()}."
        table["mo"].say(words)
        assert is_read_there(servers, table["mo"], words=words)
        PostgresServer(servers.copy).control("promote")
        later = f"After it, {uuid4()}."
        table["mo"].say(later)
        assert waited(lambda: later in table["mo"].fresh().get("log/")[1], PATIENCE) is not None
        with servers.asked(servers.copy) as copied:
            assert later in table["mo"].fresh().get("log/")[1]
        assert not copied, "it goes its own way now"

        there = Site(servers.copy, servers.here.secret)
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv("DATABASE_REPLICA_URL")
            there.run("manage.py", "check_log")
            with served(there) as (server,):
                mo = Browser(server.port, table["mo"].session, table["mo"].slug)
                status, page = mo.get("log/")
                assert status == 200 and words in page and later not in page
                mo.say(f"We go on here, {uuid4()}.")
