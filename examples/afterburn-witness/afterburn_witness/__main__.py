"""The command: `python -m afterburn_witness https://table.example --token … `; its exit code is 1 when something was found."""

import argparse
import json
import logging
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from afterburn_witness.dice import NONSENSE
from afterburn_witness.log import Witness, log

MOST_BYTES = 50_000_000  # of one answer
PATIENCE = 30  # seconds without a word from the server; it sends a beat every ten
NO_ENTRY = (401, 403, 404)  # the token does not work, or not any more
AGAIN = 60  # seconds between two times that the same is said


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token goes to the server that it is for, and to no other."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Server:
    """The API of one server, with a token. Raises OSError if there is no answer."""

    def __init__(self, address: str, token: str) -> None:
        parts = urllib.parse.urlsplit(address)
        self.root = f"{parts.scheme}://{parts.netloc}/api/v1"
        self._headers = {"Authorization": f"Bearer {token}"}
        self._opener = urllib.request.build_opener(_NoRedirects)

    def get(self, path: str, **query: Any) -> Any:
        """Return a route's answer, after waiting as long as the server asks for."""
        while True:
            try:
                with self._open(path + (f"?{urllib.parse.urlencode(query)}" if query else "")) as answer:
                    return json.loads(answer.read(MOST_BYTES))
            except ValueError as error:
                raise OSError(f"that is no answer of Afterburn: {error}") from error
            except urllib.error.HTTPError as error:
                if error.code != 429:
                    raise
                time.sleep(min(int(error.headers.get("Retry-After") or 10), 600))

    def messages(self, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what a stream of Server-Sent Events says, as (event, data), until it ends."""
        with self._open(path) as answer:
            event = ""
            while line := answer.readline(MOST_BYTES):
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    yield event, json.loads(value)

    def _open(self, path: str) -> Any:
        request = urllib.request.Request(self.root + path, headers=self._headers)  # noqa: S310  # an address of its user
        return self._opener.open(request, timeout=PATIENCE)


def follow(server: Server, witness: Witness) -> None:
    """Read on whenever the server has news, for as long as the token works."""
    said_at = time.monotonic()
    while True:
        try:
            for event, data in server.messages(f"/campaigns/{witness.slug}/events/stream"):
                if event == "event":
                    witness.note(data)
                    continue
                witness.read()
                if time.monotonic() - said_at >= AGAIN:
                    witness.say_again()
                    said_at = time.monotonic()
        except (OSError, HTTPException, ValueError) as error:
            if getattr(error, "code", 0) in NO_ENTRY:
                raise
            log.warning("No word from the server (%s). Trying again.", error)
        time.sleep(3)


def main() -> int:
    """Run the command; return its exit code."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    parser = argparse.ArgumentParser("afterburn_witness", description="Follows the log of a campaign from outside.")
    parser.add_argument("address", help="of the server, such as https://table.example")
    parser.add_argument("--token", default=os.environ.get("AFTERBURN_TOKEN"), help="or in AFTERBURN_TOKEN")
    parser.add_argument("--file", type=Path, default="afterburn-witness.json", help="keeps what it saw (%(default)s)")
    parser.add_argument("--compare", type=Path, action="append", default=[], help="the file of another witness")
    parser.add_argument("--once", action="store_true", help="check everything once, and end")
    asked = parser.parse_args()
    if not asked.token:
        parser.error("a token is needed (Members → API tokens)")
    server = Server(asked.address, asked.token)
    try:
        (campaign,) = server.get("/campaigns")
        witness = Witness(server.get, campaign["slug"], asked.file, asked.compare)
        witness.read()
        log.info(witness.summary())
        with suppress(KeyboardInterrupt):
            if not asked.once:
                follow(server, witness)
        return 1 if witness.faults else 0
    except (OSError, HTTPException, *NONSENSE) as error:
        log.critical("ENDED: %s", error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
