"""A process that has enough to do says so at once, to those whose requests it does not begin, and to nobody else."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from config import shedding
from config.application import application
from config.shedding import LoadShedding, Places

pytestmark = pytest.mark.asyncio


class Site:
    """An application that answers when it is told to, behind four places, and four more to wait, half for one table."""

    def __init__(self, at_once=4, waiting=4):
        self.begun = []
        self.answers = asyncio.Event()
        self.reads = asyncio.Event()
        self.app = LoadShedding(self._app, at_once, waiting)

    async def _app(self, scope, receive, send):
        if (await receive())["type"] == "http.disconnect":
            return
        self.begun.append(scope["path"])
        await self.answers.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await self.reads.wait()
        await send({"type": "http.response.body"})

    async def asked(self, path, method="POST", *headers, whole=True):
        """Send a request, completely if it is `whole`."""
        scope = {"type": "http", "method": method, "path": path, "headers": list(headers)}
        request = ApplicationCommunicator(self.app, scope)
        await request.send_input({"type": "http.request", "body": b"", "more_body": not whole})
        await settled()
        return request


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


async def answer_of(request):
    return await request.receive_output()


@asynccontextmanager
async def busy(site, *paths):
    requests = [await site.asked(path) for path in paths]
    yield requests
    site.answers.set()
    site.reads.set()
    for request in requests:
        await request.wait()


async def test_what_finds_no_place_is_answered_at_once_and_never_begun():
    site = Site()
    async with busy(site, "/c/one/", "/c/one/", "/c/two/", "/c/two/", *["/"] * 2, *["/c/three/"] * 2):
        late = await site.asked("/c/four/rolls/")
        start, body = await answer_of(late), await late.receive_output()
        assert site.begun == ["/c/one/", "/c/one/", "/c/two/", "/c/two/"]
    assert start["status"] == 503
    assert 3 <= int(dict(start["headers"])[b"retry-after"]) <= 8
    assert b"Nothing was changed" in body["body"]
    assert "/c/four/rolls/" not in site.begun


async def test_it_is_said_in_the_language_of_the_browser():
    site = Site()
    async with busy(site, "/c/one/", "/c/one/", "/c/two/", "/c/two/", *["/"] * 2, *["/c/three/"] * 2):
        late = await site.asked("/c/four/", "GET", (b"accept-language", b"de"))
        await answer_of(late)
        assert b'<html lang="de">' in (await late.receive_output())["body"]


async def test_those_who_wait_come_in_when_others_are_answered_in_the_order_in_which_they_came():
    site = Site()
    async with busy(site, "/c/one/", "/c/one/", "/c/two/", "/c/two/", "/c/three/", "/c/four/"):
        assert len(site.begun) == 4
    assert site.begun[4:] == ["/c/three/", "/c/four/"]


async def test_a_table_that_is_held_up_leaves_half_of_the_places_to_the_others():
    site = Site()
    async with busy(site, *["/c/held/rolls/"] * 4):
        assert (await answer_of(await site.asked("/c/held/rolls/")))["status"] == 503
        await site.asked("/c/other/")
        await site.asked("/accounts/login/")
        assert site.begun == ["/c/held/rolls/", "/c/held/rolls/", "/c/other/", "/accounts/login/"]


@pytest.mark.parametrize("path", ["/static/js/live.js", "/healthz", "/readyz", "/metrics"])
async def test_files_and_questions_about_its_health_are_answered_all_the_same(path):
    site = Site(at_once=1, waiting=0)
    async with busy(site, "/c/one/"):
        await site.asked(path, "GET")
        assert site.begun == ["/c/one/", path]


async def test_an_upload_takes_its_place_when_all_of_it_is_here():
    site = Site(at_once=1, waiting=0)

    async def app(scope, receive, send):
        while (await receive()).get("more_body"):
            site.begun.append("a part")
        site.begun.append("all")

    site.app.app = app
    slow = await site.asked("/c/one/", whole=False)
    assert site.begun == ["a part"]
    quick = await site.asked("/c/two/")
    assert site.begun == ["a part", "all"]
    await slow.send_input({"type": "http.request", "body": b""})
    await slow.wait()
    await quick.wait()
    assert site.begun == ["a part", "all", "all"]


async def test_a_long_answer_leaves_its_place_when_it_begins():
    site = Site(at_once=1, waiting=0)
    reader = await site.asked("/c/one/log/export/", "GET")
    site.answers.set()
    assert (await answer_of(reader))["status"] == 204
    other = await site.asked("/c/two/")
    assert (await answer_of(other))["status"] == 204
    site.reads.set()
    await reader.wait()
    await other.wait()


async def test_what_fails_leaves_its_place():
    site = Site(at_once=1, waiting=0)

    async def fails(scope, receive, send):
        await receive()
        raise OSError("as it happens")

    site.app.app = fails
    for _ in range(3):
        with pytest.raises(OSError, match="as it happens"):
            await (await site.asked("/c/one/")).wait()


async def test_nobody_waits_long():
    places = Places(2, 4, longest=0)
    assert await places.take("one")
    assert not await places.take("one")
    places.leave("one")
    assert await places.take("one")


async def test_nobody_waits_long_where_somebody_has_waited_all_the_time(monkeypatch):
    monkeypatch.setattr(shedding, "SHORT_WAIT", 0)
    now = Clock()
    places = Places(2, 4, clock=now)
    assert await places.take("one")
    waits = asyncio.create_task(places.take("one"))
    await settled()
    now.seconds += shedding.LONGEST_WAIT + 0.1
    assert not await places.take("one")
    places.leave("one")
    assert await asyncio.wait_for(waits, 1)
    places.leave("one")


async def test_a_group_that_comes_at_once_waits_as_long_as_it_takes_a_group(monkeypatch):
    monkeypatch.setattr(shedding, "SHORT_WAIT", 0)
    now = Clock()
    places = Places(2, 4, clock=now)
    assert await places.take("one")
    now.seconds += 60  # no requests, so none waited
    waits = asyncio.create_task(places.take("one"))
    await settled()
    places.leave("one")
    assert await asyncio.wait_for(waits, 1)


class Clock:
    """One that stands still."""

    seconds = 1000.0

    def __call__(self):
        return self.seconds


async def test_who_goes_while_they_wait_takes_no_place():
    places = Places(2, 4)
    assert await places.take("one")
    waits = [asyncio.create_task(places.take("one")) for _ in range(2)]
    await settled()
    waits[0].cancel()
    places.leave("one")
    await settled()
    assert waits[0].cancelled() and waits[1].result() is True
    places.leave("one")
    assert await places.take("one")


async def test_who_goes_in_the_moment_in_which_a_place_comes_hands_it_on():
    places = Places(2, 4)
    assert await places.take("one")
    waits = asyncio.create_task(places.take("one"))
    await settled()
    places.leave("one")
    waits.cancel()
    await settled()
    assert waits.cancelled()
    assert await asyncio.wait_for(places.take("one"), 1)


@pytest.mark.parametrize(
    ("method", "headers", "comes_by_itself"),
    [("GET", [], True), ("GET", [(b"hx-request", b"true")], False), ("POST", [], False)],
)
async def test_only_a_page_that_was_looked_for_comes_again_by_itself(method, headers, comes_by_itself):
    site = Site(at_once=1, waiting=0)
    async with busy(site, "/c/one/"):
        start = await answer_of(await site.asked("/c/two/", method, *headers))
    assert (b"refresh" in dict(start["headers"])) is comes_by_itself


async def test_a_crowd_is_one_line_in_the_log(caplog):
    site = Site(at_once=1, waiting=0)
    async with busy(site, "/c/one/"):
        for _ in range(5):
            await answer_of(await site.asked("/c/two/"))
    assert [record.name for record in caplog.records] == ["config.shedding"]


@pytest.mark.django_db(transaction=True)
async def test_the_site_stands_behind_it(monkeypatch):
    pages = application
    while not isinstance(pages, LoadShedding):
        pages = getattr(pages, "app", None) or pages.application_mapping["http"]
    monkeypatch.setattr(pages, "_places", Places(settings.REQUESTS_AT_ONCE, 0))
    for number in range(settings.REQUESTS_AT_ONCE):
        await pages._places.take(str(number))
    headers = [(b"host", b"127.0.0.1")]
    scope = {"type": "http", "method": "GET", "path": "/accounts/login/", "query_string": b"", "headers": headers}
    asked = ApplicationCommunicator(application, scope)
    await asked.send_input({"type": "http.request", "body": b""})
    assert (await asked.receive_output(timeout=20))["status"] == 503


async def test_what_programs_ask_takes_no_place_of_the_people_at_their_table():
    site = Site()
    api = "/api/v1/campaigns/held/rolls"
    async with busy(site, api, api):
        waiting = [await site.asked(api) for _ in range(3)]
        people = await site.asked("/c/held/rolls/")
        assert site.begun == [api, api, "/c/held/rolls/"]
        start, body = await waiting[-1].receive_output(), await waiting[-1].receive_output()
        assert start["status"] == 503 and (b"content-type", b"application/problem+json") in start["headers"]
        assert json.loads(body["body"])["status"] == 503
        assert people
