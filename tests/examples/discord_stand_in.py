"""A stand-in for Discord: its HTTP API, which keeps what bots post, and its side of interactions, which it signs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

APPLICATION, CHANNEL, BOT_TOKEN = "1001", "2002", "bot-token"
PATIENCE = 30  # seconds


class StandIn:
    """Discord, at `url`. `posted` are the messages of the channel, `refusals` the statuses that the next requests meet first."""

    def __init__(self) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.posted: list[dict[str, Any]] = []
        self.commands: list[dict[str, Any]] = []
        self.refusals: list[int] = []
        self.url = ""
        self._said = threading.Condition()

    @property
    def public_key(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def receive(self, method: str, path: str, body: Any) -> int:
        """Take a bot's request; return the status that it is answered with."""
        if self.refusals:
            return self.refusals.pop(0)
        with self._said:
            if (method, path) == ("POST", f"/channels/{CHANNEL}/messages"):
                self.posted.append(body)
            elif (method, path) == ("PUT", f"/applications/{APPLICATION}/commands"):
                self.commands = body
            else:
                return 404
            self._said.notify_all()
        return 200

    def hears(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first message in the channel of which `wanted` is true. Fails where none comes."""
        with self._said:
            there = self._said.wait_for(lambda: any(map(wanted, self.posted)), PATIENCE)
            assert there, self.posted
            return next(filter(wanted, self.posted))

    def interact(self, bot: str, user: str, kind: int = 2, *, number: str = "", **data: Any) -> dict[str, Any]:
        """Return a bot's answer to a command (kind 2) or a button (3) of this user."""
        interaction = {"id": number or str(uuid4().int), "type": kind, "member": {"user": {"id": user}}, "data": data}
        return self.send(bot, json.dumps(interaction).encode())

    def command(self, bot: str, user: str, name: str, what: str, **how: Any) -> dict[str, Any]:
        return self.interact(bot, user, name=name, options=[{"name": "what", "type": 3, "value": what}], **how)

    def send(self, bot: str, body: bytes, *, signed: bytes | None = None) -> dict[str, Any]:
        """Send an interaction with its signature (of `signed`, where that is something else). Raises HTTPError."""
        moment = str(int(time.time()))
        signature = self.key.sign(moment.encode() + (body if signed is None else signed))
        headers = {"X-Signature-Ed25519": signature.hex(), "X-Signature-Timestamp": moment}
        with urlopen(Request(bot, body, headers), timeout=PATIENCE) as answer:
            return json.loads(answer.read())


def refusal(action: Callable[[], object]) -> int:
    """Return the status with which something is refused."""
    try:
        action()
    except HTTPError as error:
        with error:
            return error.code
    raise AssertionError("it was let in")


@contextmanager
def discord() -> Iterator[StandIn]:
    """Serve a Discord of one's own."""
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            trusted = self.headers["Authorization"] == f"Bot {BOT_TOKEN}"
            self.send_response(stand_in.receive(self.command, self.path, body) if trusted else 401)
            self.send_header("Retry-After", "0.01")
            self.end_headers()

        do_PUT = do_POST

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        stand_in.url = f"http://127.0.0.1:{server.server_port}"
        yield stand_in
        server.shutdown()
