"""What stands outside the site: the receiver of webhooks and a push service, which one server on this machine plays."""

from __future__ import annotations

import asyncio
import os
from base64 import urlsafe_b64encode
from collections import Counter
from typing import Any
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bench.drive.web import Form, ask
from bench.live_world import HOST

FAILS = 20  # of so many messages to a webhook one is refused, and comes again


class Receiver:
    """Takes what is sent to its addresses; `taken` counts it."""

    def __init__(self) -> None:
        self.taken, self.port = Counter[str](), 0

    async def start(self) -> None:
        server = await asyncio.start_server(self._take, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(line for line in head.lower().splitlines() if line.startswith("content-length:"))
            await reader.readexactly(int(length.partition(":")[2]))
            kind = head.split(" ", 2)[1].split("/")[1]
            self.taken[kind] += 1
            fails = kind == "hook" and self.taken[kind] % FAILS == 0
            status = "503 Service Unavailable" if fails else "201 Created"
            writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def prepare(port: int, table: dict[str, Any], receiver: Receiver) -> None:
    """Send what happens at a table to the receiver, and what waits for who is away to a device of theirs. Raises RuntimeError
    where the site refuses it."""
    home, gm = f"http://{HOST}:{receiver.port}", table["people"][0]["session"]
    hook = {
        "address": f"{home}/hook/{table['slug']}",
        "format": "standard",
        "topics": ["roll", "burn", "major", "session"],
    }
    await _posted(port, f"/c/{table['slug']}/webhooks/", gm, hook)
    away = next(who["session"] for who in table["people"] if who["is_away"])
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    device = {
        "endpoint": f"{home}/push/{uuid4().hex}",
        "p256dh": _letters(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
        "auth": _letters(os.urandom(16)),
    }
    await _posted(port, "/notices/device/", away, device)
    # No hours are quiet without `is_quiet`.
    hours = {"quiet_from": "23", "quiet_until": "8", "day_before_at": "18", "patience": "5", "do": "hours"}
    await _posted(port, "/notices/", away, hours)


async def _posted(port: int, path: str, session: str, form: Form) -> None:
    answer = await ask(port, path, session, {**form, "key": str(uuid4())}, whole=True)
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {answer.status} {answer.text[:500]}")


def _letters(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
