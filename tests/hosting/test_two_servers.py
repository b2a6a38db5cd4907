"""The two servers of docs/hosting.md: each block of that part, on the machine that its heading names, while people play.

Both machines (machine.py) are this one, at the addresses 127.0.0.11 and 127.0.0.12, with a PostgreSQL of the tests' that the
second reaches by TCP alone, and its standby. They begin with a release of before, so that their upgrade has migrations to make.
The test itself is the proxy: it asks the servers that the installed nginx.conf names, with the headers that it sets, and the
other one where nobody answers. Not tried: TLS between the two, and firewalls.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from html import unescape
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from itertools import count, cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from bench.drive.readers import HEADS
from bench.live_clients import RESEATED
from bench.waiting import waited
from tests.hosting.machine import Machine, free_port
from tests.hosting.walking import BLOCKS_OF_TWO, RELEASES, done, new_machine, old_release, under, with_answers
from tests.released import version
from tools.postgres import postgres

PATIENCE = 120  # seconds
PACE = 0.5  # seconds from a line to the next
OLDER = "0.2.1"
"""The release that they have at first."""
SITE = "table.example.org"
FIRST, SECOND, ELSEWHERE = "127.0.0.11", "127.0.0.12", "127.0.1.13"
VISITOR = "203.0.113.7"
PASSWORD = "lanterns-and-soot"

SET_UP = ("Packages, user and folders", "The code", "The database", "Settings", "The service", "The proxy")
"""What the first server needs before there is a second; of the night, which is the first's alone, test_walk.py tells."""

DEBIANS = """
mkdir -p {data} {home}/etc/postgresql/15/main/conf.d
echo "include_dir = 'conf.d'" > {home}/etc/postgresql/15/main/postgresql.conf
echo 'local all all trust' > {home}/etc/postgresql/15/main/pg_hba.conf
"""
"""PostgreSQL's files where Debian has them. All users are one here, so over sockets everyone is trusted; over TCP nobody is."""

COPIED = "cp {first}/etc/afterburn.env {first}/root/afterburn-password {second}/root"
MOVED = "mv {one}/root/{name} {other}/root"

TABLE = """
from uuid import uuid4
from campaigns.models import Membership, Role
from campaigns.services.campaigns import create_campaign
from campaigns.services.invitations import invitation_token, invite, join
from people.models import User

key = uuid4()
campaign = create_campaign(User.objects.get(username="gm"), name="Ashes", systems=["forged"], key=uuid4())
invite(Membership.objects.get(campaign=campaign), Role.PLAYER, days=1, uses=1, key=key)
mo = User.objects.create_user("mo", password="lanterns-and-soot")
join(mo, invitation_token(key), key=uuid4())
"""

IT_WAITS = "SELECT sync_state = 'sync' FROM pg_stat_replication"
A_COMMIT_WAITS = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
SAID = """
from campaigns.models import Event
for event in Event.objects.filter(kind="campaigns.said").order_by("pk"):
    print(event.stored.payload["words"])
"""


class Pair:
    """The two machines, each with a repository of its own, and the proxy's view of them. `walked` is what was done by now."""

    def __init__(self, first: Machine, second: Machine) -> None:
        self.first, self.second = first, second
        self._origins = {machine: old_release(machine, OLDER) for machine in (first, second)}
        self.walked: list[str] = []

    def set_up(self, machine: Machine, headings: tuple[str, ...]) -> None:
        """Run blocks of “A server, step by step”."""
        for heading in headings:
            block = under(heading).replace(f"find {version()}", f"find {OLDER}")
            done(machine, heading, with_answers(block, self._origins[machine]))

    def walk(self, heading: str) -> str:
        """Run the blocks under a heading of “Two servers” where it says. Return their output."""
        self.walked.append(heading)
        machine = {"On the first": self.first, "On the second": self.second}[heading.partition(":")[0]]
        return done(machine, heading, under(heading, BLOCKS_OF_TWO))

    def release(self) -> None:
        """Publish this code."""
        for machine, origin in self._origins.items():
            done(machine, "release", f"cd {origin}; git add --all; git commit --quiet -m 'Release {version()}.1'")

    def asked(self, machine: Machine, question: str) -> str:
        """Return what the PostgreSQL of a machine answers."""
        return done(machine, "question", f'psql -d afterburn --tuples-only --no-align --command="{question}"').strip()

    @property
    def upstreams(self) -> list[tuple[str, int]]:
        """Where the proxy finds the servers."""
        said = (self.first.home / "etc/nginx/sites-available/afterburn").read_text()
        return [(host, int(port)) for host, port in re.findall(r"^    server ([0-9.]+):(\d+);", said, re.MULTILINE)]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    # Of all that the tests' PostgreSQL and its clients read: another server may listen at the usual one.
    monkeypatch.setenv("PGPORT", str(free_port()))
    with postgres() as url, new_machine(url) as first, new_machine(port=first.port) as second:
        for machine in (first, second):
            done(machine, "PostgreSQL", DEBIANS.format(data=machine.data, home=machine.home))
        try:
            yield Pair(first, second)
        finally:
            for machine in (first, second):
                machine.close()
                # The first's is not the one any more that was started here.
                machine.run(f"pg_ctl -D {machine.data} -m immediate stop")


class Visitor:
    """Somebody's browser behind the proxy; `server` is the place of the one that the proxy asks."""

    def __init__(self, pair: Pair, name: str) -> None:
        self._pair, self._name = pair, name
        self._cookies: dict[str, str] = {}

    def sign_in(self, server: int, password: str = PASSWORD) -> int:
        self.get(server, "/accounts/login/")
        return self._ask(server, "/accounts/login/", {"login": self._name, "password": password})[0]

    def get(self, server: int, path: str) -> tuple[int, str]:
        return self._ask(server, path)

    def say(self, server: int, words: str, key: str) -> tuple[int, str]:
        return self._ask(server, "/c/ashes/compose/", {"text": words, "voice": "player", "key": key})

    def load(self, server: int) -> tuple[dict[str, int], str]:
        """Return how far the table's page is, and the page."""
        status, page = self.get(server, "/c/ashes/")
        if status != 200:
            raise HTTPException(status)
        return json.loads(unescape(HEADS.findall(page)[0])), page

    @contextmanager
    def follow(self, server: int, since: dict[str, int]) -> Iterator[ClientConnection]:
        """Open the socket of the table's page, which has everything up to there."""
        with connect(
            f"ws://{SITE}/c/ashes/live/",
            sock=link(self._pair.upstreams[server]),
            origin=f"https://{SITE}",
            additional_headers=self._headers,
            compression=None,
        ) as page:
            page.send(json.dumps({"since": since}))
            yield page

    @property
    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": cookies, "X-Forwarded-For": VISITOR, "X-Forwarded-Proto": "https"}

    def _ask(self, server: int, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        with closing(HTTPConnection(SITE, timeout=PATIENCE)) as asking:
            asking.sock = link(self._pair.upstreams[server])
            if form is None:
                asking.request("GET", path, headers=self._headers)
            else:
                body = urlencode(form | {"csrfmiddlewaretoken": self._cookies["csrftoken"]})
                more = {"Origin": f"https://{SITE}", "Content-Type": "application/x-www-form-urlencoded"}
                asking.request("POST", path, body, self._headers | more)
            answer = asking.getresponse()
            for line in answer.headers.get_all("Set-Cookie", ()):
                self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
            return answer.status, answer.read().decode()


class Person(threading.Thread):
    """Somebody who says a line every half second, each until it is answered as done, and reads the page meanwhile.

    They begin with one server, and try the other where nobody listens, as a proxy does. `said` are the lines that were answered
    as done, `refused` counts how others were answered (0: not at all), and `read` is what their page has applied.
    """

    def __init__(self, visitor: Visitor, name: str, server: int) -> None:
        super().__init__(daemon=True)
        self._visitor, self._name, self._servers = visitor, name, (server, 1 - server)
        self._over, self._numbers = threading.Event(), count()
        self._page = threading.Thread(target=self._follow, daemon=True)
        self.said, self.read, self.refused, self.gaps = list[str](), list[str](), Counter[int](), 0

    def __enter__(self) -> Person:
        self.start()
        self._page.start()
        return self

    def __exit__(self, *words: object) -> None:
        self._over.set()
        self.join()
        self._page.join()

    def run(self) -> None:
        for number in self._numbers:
            words, key = f"{self._name} says {number} times: go on.", str(uuid4())
            for server in cycle(self._servers):
                status = 0
                with suppress(OSError, HTTPException):
                    status, _ = self._visitor.say(server, words, key)
                if status == 302:
                    self.said.append(words)
                else:
                    self.refused[status] += 1
                if self._over.wait(PACE):
                    return
                if status == 302:
                    break

    def _follow(self) -> None:
        since: dict[str, int] | None = None
        for server in cycle(self._servers):
            try:
                if since is None:
                    since, drawn = self._visitor.load(server)
                    self.read.append(drawn)
                with self._visitor.follow(server, since) as page:
                    got = 0
                    while not self._over.is_set():
                        with suppress(TimeoutError):
                            self._hear(json.loads(page.recv(timeout=PACE)), since)
                            page.send(json.dumps({"got": (got := got + 1)}))
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == RESEATED:
                    since = None
            except (OSError, HTTPException, WebSocketException):
                pass  # as a page does, it tries again
            if self._over.wait(PACE):
                return

    def _hear(self, frame: dict[str, Any], since: dict[str, int]) -> None:
        if frame["t"] == "event" and frame["seq"] > since.get(frame["stream"], 0):
            self.gaps += frame["seq"] != since.get(frame["stream"], 0) + 1
            since[frame["stream"]] = frame["seq"]
            self.read.append(frame["html"])


@pytest.mark.skipif(OLDER not in RELEASES, reason="this copy has no history")
def test_two_servers_serve_one_table_are_upgraded_in_order_and_survive_their_database(pair):
    pair.set_up(pair.first, SET_UP)
    pair.walk("On the first: let the second reach the database")
    _only_the_role_of_the_site_gets_in_from_that_network_with_its_password(pair)
    pair.set_up(pair.second, SET_UP[:2])
    done(pair.second, "copies", COPIED.format(first=pair.first.home, second=pair.second.home))
    assert pair.walk("On the second: its settings and its service").endswith("ready\n")
    assert _settings_that_differ(pair) == {"DATABASE_URL", "TRUSTED_PROXIES", "UVICORN_HOST"}
    assert not list(pair.second.home.glob("etc/systemd/system/*nightly*"))
    pair.walk("On the first: the proxy asks both")
    _both_proxies_ask_both(pair)
    assert not [left for machine in (pair.first, pair.second) for left in machine.home.glob("root/afterburn*")]
    _each_listens_where_the_proxy_asks_and_nowhere_else(pair.first.port)
    _the_second_believes_only_the_proxy(pair)

    done(pair.first, "table", f"afterburn shell -c '{TABLE}'")
    gm, mo = Visitor(pair, "gm"), Visitor(pair, "mo")
    assert gm.sign_in(0) == mo.sign_in(1) == 302
    assert {gm.get(server, "/c/ashes/")[0] for server in (0, 1)} == {200}
    _lines_go_from_each_server_to_the_other(pair, gm, mo, pair.first)
    with Person(gm, "The GM", 0) as one, Person(mo, "Mo", 1) as other:
        people = (one, other)
        _they_go_on(people)
        _upgrade_in_order(pair)
        _they_go_on(people)
        _lines_go_from_each_server_to_the_other(pair, gm, mo, pair.first)
        _follow_with_a_standby(pair, people)
        _kill_while_nothing_arrives(pair)
        assert "all as they were written" in pair.walk("On the second: the standby takes over")
        _move(pair.second, pair.first, "database")
        assert pair.walk("On the first: the database is on the second").endswith("ready\n")
        _they_go_on(people)
    _lines_go_from_each_server_to_the_other(pair, gm, mo, pair.second)
    said = done(pair.first, "said", f"afterburn shell --no-imports -c '{SAID}'").splitlines()
    for name, person in (("The GM", one), ("Mo", other)):
        there = [words for words in said if words.startswith(name)]
        # The last may have been on its way.
        assert there in (person.said, [*person.said, there[-1]]), (there, person.said)
        # Nobody was there, or not in time: what docs/hosting.md says of an upgrade.
        assert {*person.refused} <= {0, 503}, person.refused

    assert _backups(pair.first) and not _backups(pair.second)
    assert pair.walked == [title for title, _ in BLOCKS_OF_TWO if title]


def _they_go_on(people: tuple[Person, ...]) -> None:
    """Wait until all say more, and read what all have said."""
    wanted = [len(person.said) + 3 for person in people]
    assert waited(lambda: all(len(one.said) >= many for one, many in zip(people, wanted, strict=True)), PATIENCE)
    newest = [person.said[-1] for person in people]
    assert waited(lambda: all(_has_read(person, words) for person in people for words in newest), PATIENCE)
    assert not any(person.gaps for person in people)


def _has_read(person: Person, words: str) -> bool:
    return any(words in card for card in person.read)


def _upgrade_in_order(pair: Pair) -> None:
    pair.release()
    pair.walk("On the second: before an upgrade")
    with pytest.raises(ConnectionRefusedError):
        link(pair.upstreams[1])
    assert pair.walk("On the first: the upgrade").endswith("ready\n")
    too_early = pair.second.run("systemctl start afterburn")
    assert too_early.returncode and "made by a newer version" in too_early.stdout
    assert pair.walk("On the second: after it").endswith("ready\n")
    assert {_release_of(machine) for machine in (pair.first, pair.second)} == {f"Release {version()}.1"}


def _follow_with_a_standby(pair: Pair, people: tuple[Person, ...]) -> None:
    pair.walk("On the first: let a standby follow")
    _move(pair.first, pair.second, "standby-password")
    pair.walk("On the second: the standby")
    pair.walk("On the first: wait for the standby")
    _wait_until(pair.first, IT_WAITS)
    _they_go_on(people)

    done(pair.second, "no standby", "systemctl stop postgresql")
    _wait_until(pair.first, A_COMMIT_WAITS)
    pair.walk("On the first: without the standby")
    _they_go_on(people)
    done(pair.second, "a standby", "systemctl start postgresql")
    done(pair.first, "wait", under("On the first: wait for the standby", BLOCKS_OF_TWO))
    _wait_until(pair.first, IT_WAITS)
    _they_go_on(people)


def _kill_while_nothing_arrives(pair: Pair) -> None:
    """Kill the first's PostgreSQL with all its processes while what is written there is not sent to the standby."""
    os.kill(int(_asked(pair.first, "SELECT pid FROM pg_stat_replication")), signal.SIGSTOP)
    _wait_until(pair.first, A_COMMIT_WAITS)
    postmaster = int((pair.first.data / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGSTOP)
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    for process in (*map(int, children), postmaster):
        os.kill(process, signal.SIGKILL)


def _wait_until(machine: Machine, question: str) -> None:
    assert waited(lambda: _asked(machine, question) == "t", PATIENCE), question


def _asked(machine: Machine, question: str) -> str:
    """Return what the PostgreSQL of a machine answers."""
    return done(machine, question, f'psql -d afterburn --tuples-only --no-align --command="{question}"').strip()


def _move(one: Machine, other: Machine, name: str) -> None:
    done(one, "copy", MOVED.format(one=one.home, other=other.home, name=name))


def _only_the_role_of_the_site_gets_in_from_that_network_with_its_password(pair: Pair) -> None:
    assert "SCRAM-SHA-256" in _postgresql_says(SECOND, "afterburn", "afterburn")
    refused = [
        (SECOND, "postgres", "afterburn"),
        (SECOND, "afterburn", "postgres"),
        (ELSEWHERE, "afterburn", "afterburn"),
    ]
    for asked in refused:
        assert "no pg_hba.conf entry" in _postgresql_says(*asked), asked
    password = (pair.first.home / "root/afterburn-password").read_text().strip()
    place = {"host": FIRST, "port": os.environ["PGPORT"], "user": "afterburn", "dbname": "afterburn"}
    with psycopg.connect(**place, password=password) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("afterburn",)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(**place, password=f"{password}x")


def _postgresql_says(source: str, user: str, database: str) -> str:
    """Return the first answer to a client at this address."""
    asked = struct.pack("!i", 3 << 16) + f"user\0{user}\0database\0{database}\0\0".encode()
    place = (FIRST, int(os.environ["PGPORT"]))
    with socket.create_connection(place, PATIENCE, source_address=(source, 0)) as asking:
        asking.sendall(struct.pack("!i", len(asked) + 4) + asked)
        return asking.recv(1000).decode(errors="replace")


def _settings_that_differ(pair: Pair) -> set[str]:
    one, two = (
        {*(machine.home / "etc/afterburn.env").read_text().splitlines()} for machine in (pair.first, pair.second)
    )
    return {line.partition("=")[0] for line in one ^ two}


def _both_proxies_ask_both(pair: Pair) -> None:
    assert pair.upstreams == [("127.0.0.1", pair.first.port), (SECOND, pair.first.port)]
    caddy = (pair.first.home / "etc/caddy/Caddyfile").read_text()
    (asked,) = re.findall(r"\treverse_proxy \{\$UPSTREAM:(\S+)\} \{\n\t\tto (\S+)\n((?:\t\t\w+ \w+\n)+)\t\}\n", caddy)
    assert asked[:2] == tuple(f"{host}:{port}" for host, port in pair.upstreams)
    # Without these Caddy answers 502 to every other request while one of them is stopped.
    assert {"lb_try_duration", "fail_duration"} < {*asked[2].split()}


def _each_listens_where_the_proxy_asks_and_nowhere_else(port: int) -> None:
    for host in (FIRST, "127.0.0.13"):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, port), PATIENCE)


def _the_second_believes_only_the_proxy(pair: Pair) -> None:
    stranger = Visitor(pair, "gm")
    assert stranger.sign_in(1, password="a guess") == 200
    assert f"Sign-in failed from {VISITOR}: account gm" in (pair.second.home / "server.log").read_text()
    # Who gets past the proxy is sent to it, whatever they claim.
    with closing(HTTPConnection(SITE, timeout=PATIENCE)) as past:
        past.sock = socket.create_connection(pair.upstreams[1], PATIENCE, source_address=(ELSEWHERE, 0))
        past.request("GET", "/accounts/login/", headers={"X-Forwarded-For": VISITOR, "X-Forwarded-Proto": "https"})
        answer = past.getresponse()
        assert (answer.status, answer.headers["Location"]) == (301, f"https://{SITE}/accounts/login/")


def _lines_go_from_each_server_to_the_other(pair: Pair, gm: Visitor, mo: Visitor, database: Machine) -> None:
    with gm.follow(0, gm.load(0)[0]) as gms_page, mo.follow(1, mo.load(1)[0]) as mos_page:
        for page in (gms_page, mos_page):
            _read_until(page, lambda frame: frame["t"] == "beat")
        for words in (f"Who is there? {uuid4()}", f"Nobody. {uuid4()}"):
            speaker, server, page = (gm, 0, mos_page) if words.startswith("Who") else (mo, 1, gms_page)
            assert speaker.say(server, words, str(uuid4()))[0] == 302
            _read_until(page, lambda frame, words=words: frame["t"] == "event" and words in frame["html"])
        # Nobody waits for the next poll: both are notified, at least one over TCP.
        listening = "SELECT count(*) = 2 AND count(client_addr) > 0 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
        assert _asked(database, listening) == "t"


def _read_until(page: ClientConnection, is_it) -> None:
    while not is_it(json.loads(page.recv(timeout=PATIENCE))):
        pass


def link(upstream: tuple[str, int]) -> socket.socket:
    """Return a connection from the proxy, which is on the first server, to one of the two."""
    source = FIRST if upstream[0] == SECOND else upstream[0]
    return socket.create_connection(upstream, PATIENCE, source_address=(source, 0))


def _release_of(machine: Machine) -> str:
    return done(machine, "release", "git -C /srv/afterburn/code log -1 --format=%s").strip()


def _backups(machine: Machine) -> list[Path]:
    return list((machine.home / "var/backups/afterburn").glob("*.backup"))
