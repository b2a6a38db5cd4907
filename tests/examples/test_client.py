"""The client package, against a server process: its types are the document's, and it misses and repeats nothing."""

from __future__ import annotations

import json
import runpy
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import pytest
from afterburn_client import Client, Refused, operations

from api.api import api
from tests.answers import refusal
from tests.examples.installing import EXAMPLES

FACES = (7, 1, 6, 3, 2)
COMMAND = {"text": "/r perception+alertness d7"}
CLIENT = EXAMPLES / "afterburn-client"


def test_its_types_and_operations_are_those_of_the_document() -> None:
    """If this fails, the API has changed: generate them again, as generate.py says."""
    document = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    generated = runpy.run_path(str(CLIENT / "generate.py"))["generated"](document)
    assert (CLIENT / "afterburn_client/operations.py").read_text(encoding="utf-8") == generated


def test_it_rolls_looks_things_up_and_pages_through_the_log(table, fall):
    player = table.client("player")
    (silas,) = player.characters()
    fall(*FACES)
    rolled = player.make_roll(COMMAND | {"character": silas["id"]})
    assert "Mo as Silas" in rolled["event"]["text"]
    assert next(event["uid"] for event in player.every_event(topic="roll")) == rolled["event"]["uid"]
    told, lines = list(player.every_event_of("table")), list(player.every_line_of("table"))
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert [line["hash"] for line in lines] == [event["hash"] for event in told]
    field = player.field(silas["id"], "wits")
    set_to = player.set_field(silas["id"], "wits", {"value": 2}, if_match=field["version"])
    stale = refusal(Refused, player.set_field, silas["id"], "wits", {"value": 3}, if_match=field["version"])
    assert set_to["value"] == 2 and stale.status == 409 and stale.problem["current"]


def test_a_refusal_names_the_field(table):
    refused = refusal(Refused, table.client("player").make_roll, {"pool": "5", "dice": 5})
    assert refused.status == 422 and refused.problem["errors"][0]["field"] == "dice"


def test_the_same_key_is_the_same_roll(table):
    player, key = table.client("player"), uuid4()
    first, second = (player.make_roll({"pool": "5"}, key=key) for _ in range(2))
    assert first["roll"] == second["roll"]


def test_it_follows_across_a_server_that_is_killed_without_gap_or_repeat(table):
    player, heard, enough = table.client("player"), [], threading.Event()
    position = ",".join(f"{stream['name']}={stream['seq']}" for stream in player.streams())

    def listen() -> None:
        for event, _ in table.client("spectator").follow(position):
            heard.append((event["stream"], event["seq"]))
            if "the last" in event["text"]:
                enough.set()
                return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    player.make_roll({"pool": "5", "note": "the first"})
    table.server.kill()
    table.server.start()
    table.server.wait()
    player.make_roll({"pool": "4", "note": "the last"})
    assert enough.wait(40)
    seqs = [seq for stream, seq in heard if stream == "table"]
    assert len(seqs) >= 2 and seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def test_a_token_that_lets_nobody_in_ends_it(table):
    stranger = Client(table.server.url, table.slug, "afterburn_nothing")
    assert refusal(Refused, next, stranger.follow()).status == 401


@contextmanager
def server(*answers: tuple[int, dict[str, str], str]) -> Iterator[tuple[str, list[tuple[str, Message]]]]:
    """Yield the address of a server that gives these answers in order, and the requests that it gets."""
    left, sent = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            sent.append((self.path, self.headers))
            status, headers, body = left.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}", sent
        httpd.shutdown()


PROBLEM = {"Content-Type": "application/problem+json"}
JSON = {"Content-Type": "application/json"}
EVENTS = {"Content-Type": "text/event-stream"}


def problem(status: int) -> str:
    return json.dumps({"type": "about:blank", "title": "", "status": status, "detail": f"No: {status}"})


def event(seq: int) -> str:
    data = {"stream": "table", "seq": seq, "text": f"number {seq}"}
    return f"id: table={seq}\nevent: event\ndata: {json.dumps(data)}\n\n"


def test_a_busy_server_is_waited_for_as_long_as_it_says_and_the_key_stays() -> None:
    busy = (429, PROBLEM | {"Retry-After": "7"}, problem(429))
    slept: list[float] = []
    with server(busy, (503, PROBLEM, problem(503)), (200, JSON, '{"roll": "x"}')) as (address, sent):
        assert Client(address, "ashes", "t", sleep=slept.append).make_roll({})["roll"] == "x"
    assert slept == [7, 1]
    assert len({headers["Idempotency-Key"] for _, headers in sent}) == 1 and len(sent) == 3


def test_it_gives_up_after_some_tries() -> None:
    with server(*[(503, PROBLEM, problem(503))] * 5) as (address, _), pytest.raises(Refused, match="No: 503"):
        Client(address, "ashes", "t", sleep=lambda seconds: None).scale()


def test_a_token_goes_nowhere_else() -> None:
    with server((302, {"Location": "http://127.0.0.1:9/"}, "")) as (address, sent), pytest.raises(Refused) as refused:
        Client(address, "ashes", "t").scale()
    assert refused.value.status == 302 and len(sent) == 1
    with pytest.raises(ValueError, match="no address"):
        Client("file:///etc", "ashes", "t")


def test_a_stream_that_breaks_is_asked_for_what_came_last() -> None:
    gone = "event: end\ndata: " + problem(404) + "\n\n"
    answers = (200, EVENTS, "retry: 3000\n\n" + event(4) + event(5)[:-1]), (200, EVENTS, event(5) + gone)
    with server(*answers) as (address, sent):
        told = Client(address, "ashes", "t", sleep=lambda seconds: None).follow("table=3")
        assert [next(told).event["seq"], next(told).event["seq"]] == [4, 5]
        with pytest.raises(Refused, match="No: 404"):
            next(told)
    assert [headers["Last-Event-ID"] for _, headers in sent] == ["table=3", "table=4"]


def test_too_far_behind_it_reads_the_streams_first() -> None:
    behind = "event: end\ndata: " + problem(409) + "\n\n"
    streams = [{"name": "table", "seq": 6, "hash": ""}, {"name": "member:5", "seq": 9, "hash": ""}]
    missed = {"items": [json.loads(event(6).splitlines()[2].removeprefix("data: "))], "next": None}
    gone = "event: end\ndata: " + problem(404) + "\n\n"
    answers = (
        (200, EVENTS, behind),
        (200, JSON, json.dumps(streams)),
        (200, JSON, json.dumps(missed)),
        (200, EVENTS, gone),
    )
    with server(*answers) as (address, sent), pytest.raises(Refused, match="No: 404"):
        for told in Client(address, "ashes", "t", sleep=lambda seconds: None).follow("table=5"):
            assert told == (missed["items"][0], "table=6")
    assert sent[2][0].startswith("/api/v1/campaigns/ashes/streams/table/events?after=5")
    assert sent[3][1]["Last-Event-ID"] == "member:5=9,table=6"


def test_every_operation_is_there() -> None:
    named = {
        operation["operationId"]
        for methods in api.get_openapi_schema()["paths"].values()
        for operation in methods.values()
    }
    assert named - {"follow"} <= set(vars(operations.Operations)) and hasattr(Client, "follow")
