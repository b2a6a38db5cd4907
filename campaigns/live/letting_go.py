"""Letting go of a connection whose client takes nothing more.

ASGI has no word for that: `websocket.close` waits until what was sent before has been taken, uvicorn then waits ten seconds for
the client to close as well, and a connection with something left to flush is never closed at all.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

LET_GO_AFTER = 1.0  # seconds, in which a client that lives takes its close code and closes as well

DROPPING = struct.pack("ii", 1, 0)  # SO_LINGER: on, no seconds. The kernel too forgets what is queued.


def let_go(send: Callable[..., Any]) -> None:
    """See to it that the connection behind an application's `send` ends in a moment, with what is queued for its client.

    That of uvicorn is a method of its protocol, which has the transport. Of another server this knows no more than ASGI says.
    """
    transport: asyncio.Transport | None = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        asyncio.get_running_loop().call_later(LET_GO_AFTER, _abort, transport)


def _abort(transport: asyncio.Transport) -> None:
    with suppress(OSError):  # it has ended by itself
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, DROPPING)
    transport.abort()
