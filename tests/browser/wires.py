"""People whose browsers show nothing: they send forms until these are answered, and follow a table by its socket.

They keep to what operations.js and live.js keep to, without a pause: of the servers they know, one always answers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

TRIES = 200
LATEST = 30  # seconds after the last fault, by which every page is up to date

Row = tuple[str, int, str]
"""An event: its stream, its number there, its hash."""


class Writer:
    """A person of the demo, signed in, at a table that several servers serve. `said` is what was answered."""

    def __init__(self, name: str, urls: Sequence[str], slug: str) -> None:
        self.urls, self.slug, self.said = urls, slug, list[str]()
        self._cookies: dict[str, str] = {}
        self._ask(urls[0], "/accounts/login/")
        self._ask(urls[0], "/demo/sign-in/", {"username": name})

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def say(self, words: str) -> None:
        """Send it and hang up before the answer, then send it until it is answered, then once more."""
        page, form = f"/c/{self.slug}/compose/", {"text": words, "voice": "player", "key": str(uuid4())}
        with suppress(OSError):
            self._send(self.urls[0], page, form).close()
        self._insist(self.urls, page, form)
        self.said.append(words)
        self._insist(self.urls[::-1], page, form)

    def read(self, path: str) -> str:
        return self._ask(self.urls[0], path)[1]

    def _insist(self, urls: Sequence[str], page: str, form: dict[str, str]) -> None:
        for url in islice(cycle(urls), TRIES):
            # A server that is killed or starting answers nothing; one whose database has hung up says 503.
            with suppress(OSError, HTTPException):
                status, told = self._ask(url, page, form)
                if status == 204:
                    return
                assert status == 503, (status, told)
        raise AssertionError(f"{TRIES} times without an answer")

    def _ask(self, url: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        link = self._send(url, path, form)
        try:
            answer = link.getresponse()
            for line in answer.headers.get_all("Set-Cookie", ()):
                self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
            return answer.status, answer.read().decode()
        finally:
            link.close()

    def _send(self, url: str, path: str, form: dict[str, str] | None) -> HTTPConnection:
        link = HTTPConnection(urlsplit(url).netloc, timeout=LATEST)
        headers = {"Cookie": self.cookies, "Origin": url}
        if form is None:
            link.request("GET", path, headers=headers)
        else:
            body = urlencode(form | {"csrfmiddlewaretoken": self._cookies["csrftoken"]})
            sent_as = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
            link.request("POST", path, body, headers | sent_as)
        return link


class Reader:
    """Somebody's open page at a table, from its first event on. `rows` is what was applied, in that order."""

    def __init__(self, writer: Writer, urls: Sequence[str]) -> None:
        self.rows: list[Row] = []
        self._writer, self._urls = writer, urls
        self._heads: dict[str, int] = {}
        self._grown = threading.Condition()
        self._link: ClientConnection | None = None
        self._leaving = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait_for(self, rows: int) -> None:
        """Wait until so many events were applied, at most for the promised time."""
        with self._grown:
            self._grown.wait_for(lambda: len(self.rows) >= rows, LATEST)

    def leave(self) -> None:
        self._leaving = True
        if self._link:
            self._link.close()
        self._thread.join(LATEST)

    def _run(self) -> None:
        for url in cycle(self._urls):
            if self._leaving:
                return
            with suppress(OSError, WebSocketException):
                self._follow(url)

    def _follow(self, url: str) -> None:
        address = f"ws://{urlsplit(url).netloc}/c/{self._writer.slug}/live/"
        with connect(
            address, origin=url, additional_headers={"Cookie": self._writer.cookies}, compression=None
        ) as link:
            self._link = link
            link.send(json.dumps({"since": self._heads}))
            for got, text in enumerate(link, 1):
                link.send(json.dumps({"got": got}))
                self._apply(json.loads(text))

    def _apply(self, frame: dict[str, Any]) -> None:
        if frame["t"] != "event" or frame["seq"] <= self._heads.get(frame["stream"], 0):
            return
        with self._grown:
            self._heads[frame["stream"]] = frame["seq"]
            self.rows.append((frame["stream"], frame["seq"], frame["hash"]))
            self._grown.notify_all()
