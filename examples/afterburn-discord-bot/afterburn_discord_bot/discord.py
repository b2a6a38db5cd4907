"""Discord's side: signed interactions that come in, and messages that go out, in which nobody is ever mentioned."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Json = dict[str, Any]

LARGEST_BODY, LONGEST_TEXT = 100_000, 1_900
TRIES, LONGEST_WAIT = 5, 60  # seconds
TOO_MUCH, PING, PONG = 429, 1, 1
QUIET: Final[Json] = {"allowed_mentions": {"parse": []}}
MARKS: Final = re.compile(r"([\\*_~|`>#\[\]()<:@-])")


def plain(text: str) -> str:
    """Return words as Discord shows them to the letter: no mark-up, no links, no mentions."""
    return MARKS.sub(r"\\\1", text[:LONGEST_TEXT])[: LONGEST_TEXT + 100].rstrip("\\")


class Discord:
    """The bot's messages to Discord. Waits at the rate limit, and tries again while Discord is away."""

    def __init__(self, api: str, application: str, bot_token: str, channel: str) -> None:
        self._api, self._application, self._token, self._channel = api, application, bot_token, channel

    def post(self, message: Json) -> None:
        """Post a message to the channel."""
        self._send("POST", f"/channels/{self._channel}/messages", {**message, **QUIET})

    def register(self, commands: list[Json]) -> None:
        """Say which commands there are."""
        self._send("PUT", f"/applications/{self._application}/commands", commands)

    def _send(self, method: str, path: str, body: Any) -> None:
        headers = {
            "Authorization": f"Bot {self._token}",
            "Content-Type": "application/json",
            "User-Agent": "DiscordBot (https://afterburn.example, 1.0)",
        }
        for tried in range(1, TRIES + 1):
            request = Request(self._api + path, json.dumps(body).encode(), headers, method=method)  # noqa: S310
            try:
                with urlopen(request, timeout=20):  # noqa: S310  # the host's own setting
                    return
            except OSError as error:
                answered = error if isinstance(error, HTTPError) else None
                if tried == TRIES or (answered and answered.code != TOO_MUCH and answered.code < 500):
                    raise
                asked = answered.headers.get("Retry-After") if answered else None
                time.sleep(min(float(asked or tried), LONGEST_WAIT))


def handler(public_key: bytes, answer: Callable[[Json], Json]) -> type[BaseHTTPRequestHandler]:
    """Return the server class for Discord's interactions: it only answers what Discord has signed."""
    key = Ed25519PublicKey.from_public_bytes(public_key)

    class Interactions(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            body = self.rfile.read(min(int(length), LARGEST_BODY)) if length.isdecimal() else b""
            try:
                signature = bytes.fromhex(self.headers.get("X-Signature-Ed25519", ""))
                key.verify(signature, self.headers.get("X-Signature-Timestamp", "").encode() + body)
                interaction = json.loads(body)
            except (InvalidSignature, ValueError):
                self.send_error(401)
                return
            said = {"type": PONG} if interaction["type"] == PING else answer(interaction)
            content = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            """Log nothing: who asks for what is not kept."""

    return Interactions
