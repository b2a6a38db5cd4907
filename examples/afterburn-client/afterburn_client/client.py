"""How requests are sent, tried again and refused, and how the stream of events is read across broken connections."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener
from uuid import UUID

from afterburn_client.operations import Body, Event, Operations, Problem

LONGEST_WAIT: Final = 30.0
"""Seconds, whatever a server asks for."""
SILENCE: Final = 25.0
"""Seconds of silence after which a stream of events counts as broken: a beat is sent every ten."""
TOO_MUCH, AWAY, CONFLICT = 429, 503, 409
BROKEN: Final = (OSError, HTTPException)
"""What a connection raises: refused, cut, timed out, or an answer that is none."""


class Refused(Exception):
    """The server refused, with a reason. `problem` is its answer: `detail` for people, `errors` by field, `current` of
    a conflict. `wait` is how many seconds to wait before the next try, 0 if it does not say.
    """

    def __init__(self, problem: Problem, wait: float = 0) -> None:
        fields = [f"{error['field']}: {error['detail']}" for error in problem.get("errors", []) if error["field"]]
        super().__init__("\n".join(fields) or problem["detail"])
        self.problem, self.status, self.wait = problem, problem["status"], wait


class Told(NamedTuple):
    """An event of the stream, and the position after it: `follow(after=position)` goes on from there."""

    event: Event
    position: str


class _NoRedirects(HTTPRedirectHandler):
    """Refuses redirects: the API has none, and a token must go to no other address."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Client(Operations):
    """A program's side of the API, with the token of one member of one campaign.

    A request that finds the server busy (429, 503) or the connection broken is sent again, with the same Idempotency-Key, so that
    it happens once.

    Args:
        address: Of the site, such as "https://table.example".
        slug: The campaign's name in its addresses.
        token: As the site has shown it.
        timeout: Seconds to wait for an answer.
        tries: How often a request is sent at most.
        sleep: Waits so many seconds; tests give another.
    """

    def __init__(
        self,
        address: str,
        slug: str,
        token: str,
        *,
        timeout: float = 30,
        tries: int = 5,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if urlsplit(address).scheme not in ("http", "https"):
            raise ValueError(f"{address!r} is no address of a site: it begins with https://.")
        self.address, self.slug, self.timeout = address.rstrip("/"), slug, timeout
        self._token, self._tries, self._sleep = token, tries, sleep
        self._open = build_opener(_NoRedirects).open

    def every_event(self, **filters: Any) -> Iterator[Event]:
        """Yield all the events that `events` finds, page by page."""
        after: str | None = None
        while True:
            page = self.events(**filters, after=after, limit=200)
            yield from page["items"]
            if (after := page["next"]) is None:
                return

    def every_event_of(self, stream: str, *, after: int = 0) -> Iterator[Event]:
        """Yield the events of one stream that come after a number, the oldest first."""
        next_page: str | None = str(after)
        while next_page is not None:
            page = self.stream_events(stream, after=int(next_page), limit=200)
            yield from page["items"]
            next_page = page["next"]

    def every_line_of(self, stream: str, *, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the same events as lines of the export, from which their hashes can be checked."""
        next_page: str | None = str(after)
        while next_page is not None:
            page = self.stream_lines(stream, after=int(next_page), limit=200)
            yield from page["items"]
            next_page = page["next"]

    def follow(self, after: str = "") -> Iterator[Told]:
        """Yield events as they happen, without gap or repeat, for as long as the token's right lasts.

        A broken connection is opened again from where it broke. Too far behind for that, or in another role, the program reads
        the streams first.

        Args:
            after: The position of the last event that was handled; from now on without it.

        Raises:
            Refused: The token's right has ended (401, 404).
        """
        position, failures = _read_position(after), 0
        while True:
            wait = 0.0
            try:
                for name, sent_position, data in self._listen(_written(position)):
                    failures = 0
                    if name == "end":
                        raise Refused(data)
                    position = _read_position(sent_position)
                    if name == "event":
                        yield Told(data, sent_position)
            except Refused as refused:
                wait = refused.wait
                if refused.status == CONFLICT:
                    for event in self._missed(position):
                        position[event["stream"]] = event["seq"]
                        yield Told(event, _written(position))
                elif refused.status not in (TOO_MUCH, AWAY):
                    raise
            except BROKEN:
                pass
            failures += 1
            self._sleep(wait or _backoff(failures))

    def _missed(self, position: dict[str, int]) -> Iterator[Event]:
        """Yield entries recorded since a position. A stream that is not in it is read from now on."""
        for stream in self.streams():
            if stream["name"] in position:
                yield from self.every_event_of(stream["name"], after=position[stream["name"]])
            else:
                position[stream["name"]] = stream["seq"]

    def _listen(self, last_id: str) -> Iterator[tuple[str, str, Any]]:
        """Yield what the server sends, as (event, id, data), until the connection ends."""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        path = f"/api/v1/campaigns/{quote(self.slug)}/events/stream"
        with self._send("GET", path, None, headers, timeout=SILENCE) as response:
            fields: dict[str, str] = {}
            for line in response:
                name, _, value = line.decode().rstrip("\r\n").partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                elif not line.strip():
                    if "data" in fields:
                        yield fields.get("event", "message"), fields.get("id", last_id), json.loads(fields["data"])
                    fields = {}

    def _ask(
        self,
        method: str,
        path: str,
        named: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, object] | None = None,
        body: Body | None = None,
        if_match: str | None = None,
        key: UUID | None = None,
    ) -> Any:
        for name, value in (named or {}).items():
            # A field of a sheet has slashes in its address.
            path = path.replace(f"{{{name}}}", quote(str(value), safe="/" if name == "field" else ""))
        asked = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in (query or {}).items()}
        if given := {name: value for name, value in asked.items() if value is not None}:
            path = f"{path}?{urlencode(given)}"
        headers = {"Idempotency-Key": str(key)} if key else {}
        headers |= {"If-Match": if_match} if if_match is not None else {}
        for tried in range(1, self._tries + 1):
            try:
                with self._send(method, path, body, headers, timeout=self.timeout) as response:
                    content = response.read()
                    is_json = response.headers.get_content_type() == "application/json"
                    return json.loads(content) if is_json else content
            except Refused as refused:
                if refused.status not in (TOO_MUCH, AWAY) or tried == self._tries:
                    raise
                self._sleep(refused.wait or _backoff(tried))
            except BROKEN:
                if tried == self._tries:
                    raise
                self._sleep(_backoff(tried))
        raise AssertionError("the last try returns or raises")

    def _send(
        self, method: str, path: str, body: Body | None, headers: Mapping[str, str], *, timeout: float
    ) -> HTTPResponse:
        """Return the answer to one request. Raises Refused for unsuccessful answers, and what BROKEN names."""
        sent = {"Authorization": f"Bearer {self._token}", **headers}
        content = None if body is None else json.dumps(body).encode()
        sent |= {"Content-Type": "application/json"} if content is not None else {}
        request = Request(self.address + path, content, sent, method=method)  # noqa: S310  # http or https: __init__
        try:
            response: HTTPResponse = self._open(request, timeout=timeout)
        except HTTPError as error:
            with error:
                raise _refused(error) from None
        return response


def _refused(error: HTTPError) -> Refused:
    """Return the server's problem; a proxy before it may refuse in other words."""
    asked = error.headers.get("Retry-After", "")
    wait = min(float(asked), LONGEST_WAIT) if asked.isdecimal() else 0
    words = str(error.reason)
    problem: Problem = {"type": "about:blank", "title": words, "status": error.code, "detail": words}
    if error.headers.get_content_type() == "application/problem+json":
        problem = json.loads(error.read())
    return Refused(problem, wait)


def _backoff(failures: int) -> float:
    return min(0.5 * 2.0 ** min(failures - 1, 10), LONGEST_WAIT)


def _read_position(written: str) -> dict[str, int]:
    """Return the position in each stream from the id of an event ("member:5=3,table=17")."""
    pairs = (pair.rpartition("=") for pair in written.split(",") if pair)
    return {name: int(seq) for name, _, seq in pairs}


def _written(position: Mapping[str, int]) -> str:
    return ",".join(f"{name}={seq}" for name, seq in sorted(position.items()))
