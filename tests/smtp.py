"""Mail servers on this machine, as they may be met: one that takes mail, and some that do not."""

from __future__ import annotations

import socket
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

REFUSED = b"550 No such user <ana@example.org> here"


@contextmanager
def taking() -> Iterator[tuple[int, list[str]]]:
    """Yield the port of a mail server that accepts everything, and the letters that it got."""
    with _serving({}) as server:
        yield server.server_address[1], server.letters


@contextmanager
def refusing(command: bytes) -> Iterator[int]:
    """Yield the port of a mail server that refuses from this command on, such as b"RCPT"."""
    with _serving({command: REFUSED}) as server:
        yield server.server_address[1]


@contextmanager
def silent() -> Iterator[int]:
    """Yield the port of a mail server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def absent() -> int:
    """Return a port at which nobody listens."""
    with silent() as port:
        return port


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, answers: dict[bytes, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.answers = answers
        self.letters: list[str] = []


class _Talk(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        self._say(b"220 here")
        for line in self.rfile:
            command = line[:4].upper()
            refusal = self.server.answers.get(command)
            if command == b"DATA" and not refusal:
                self._say(b"354 go on")
                self.server.letters.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
            self._say(refusal or b"250 done")

    def _say(self, words: bytes) -> None:
        self.wfile.write(words + b"\r\n")


@contextmanager
def _serving(answers: dict[bytes, bytes]) -> Iterator[Any]:
    with _Server(answers) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
