"""Several processes and other programs than ours serve one site: what is answered is kept, once, and comes to all in order."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
import pytest
from playwright.sync_api import expect

from tests.browser.seats import Sit, sign_in
from tests.browser.servers import Server, Site
from tests.browser.wires import Reader, Writer

OPERATIONS = 6  # of each writer under each fault; a person's flood is 30 in ten seconds


def test_a_session_begun_at_one_process_holds_at_the_other(sit: Sit, servers: tuple[str, str]) -> None:
    page = sit("", fresh=True)
    for server in servers:
        page.goto(server)
        page.get_by_role("link", name="Sign in").click()
        expect(page.locator("input[name=login]")).to_be_visible()
    sign_in(page, "mo")
    page.goto(f"{servers[1]}/c/ashes-over-harrow/")
    expect(page).to_have_title(re.compile("Ashes over Harrow · Afterburn$"))


@pytest.mark.parametrize("program", ["daphne", "runserver"])
def test_the_table_is_live_on_other_servers_too(sit: Sit, site: Site, program: str) -> None:
    with site.serve(program) as url:
        page = sit("mo", at=url, fresh=True)
        with page.expect_websocket() as opened:
            page.goto("/c/ashes-over-harrow/")
        opened.value.wait_for_event("framereceived")
        page.close()


# While servers are killed, and connections cut


@pytest.fixture
def pair(site: Site) -> Iterator[tuple[Server, Server]]:
    """Yield two server processes that a test may kill."""
    servers = Server(site), Server(site)
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            server.stop()


@contextmanager
def everybody_talks(writers: Sequence[Writer], title: str) -> Iterator[None]:
    """Let all writers write at once; the body runs once a third is answered, and all of it is answered at the end."""
    answered = threading.Semaphore(0)
    failed: list[BaseException] = []

    def talk(writer: Writer, who: int) -> None:
        try:
            for number in range(OPERATIONS):
                writer.say(f"{title}, {who}, {number}")
                answered.release()
        except BaseException as error:
            failed.append(error)
            answered.release(OPERATIONS)

    threads = [threading.Thread(target=talk, args=(writer, who)) for who, writer in enumerate(writers)]
    for thread in threads:
        thread.start()
    for _ in range(len(writers) * OPERATIONS // 3):
        answered.acquire()
    yield
    for thread in threads:
        thread.join()
    assert not failed


def cut_notifications(site: Site) -> int:
    """Hang up every connection that waits for notifications; how many there were."""
    with psycopg.connect(site.database_url, autocommit=True) as connection:
        cut = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
        return len(cut.fetchall())


def test_whatever_is_killed_or_cut_all_that_was_answered_is_there_once_and_comes_to_everybody_in_order(
    site: Site, pair: tuple[Server, Server], table: str
) -> None:
    one, other = pair
    urls = one.url, other.url
    writers = [Writer("mo", urls, table), Writer("iva", urls[::-1], table), Writer("gm", urls, table)]
    readers = [Reader(writers[0], urls), Reader(writers[1], urls[::-1])]
    with everybody_talks(writers, "one is killed"):
        other.kill()
    other.start()
    with everybody_talks(writers, "notifications are cut"):
        assert cut_notifications(site)
    other.wait()
    with everybody_talks(writers, "the other is killed"):
        one.kill()
    one.start()
    one.wait()

    log = [json.loads(line) for line in writers[0].read(f"/c/{table}/log/export/?as=jsonl").splitlines()]
    rows = [(line["stream"], line["seq"], line["hash"]) for line in log if line["stream"] == "table"]
    for reader in readers:
        reader.wait_for(len(rows))
        reader.leave()
        assert [row for row in reader.rows if row[0] == "table"] == rows
    said = [line["payload"]["words"] for line in log if line["kind"] == "campaigns.said"]
    assert Counter(said) == Counter(words for writer in writers for words in writer.said)
