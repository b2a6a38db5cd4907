"""What happens at the same moment, each in a thread or in a process of its own."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from threading import Barrier
from typing import Any

from django.db import OperationalError, connection, connections

from campaigns.errors import ServiceError
from campaigns.live import notifications

TRIES = 100
FORKS = get_context("fork")
SECONDS = 60


def at_once(*does: Callable[[], object]) -> list[object]:
    """Run all at the same moment, in threads. Return the result of each, or its error."""
    gate = Barrier(len(does))
    with ThreadPoolExecutor(len(does)) as pool:
        return [one.result() for one in [pool.submit(_tried, gate, do) for do in does]]


def _tried(gate: Barrier, do: Callable[[], object]) -> object:
    try:
        gate.wait()
        for _ in range(TRIES):
            with suppress(OperationalError):
                return do()
        raise AssertionError(f"{TRIES} times without an answer")
    except ServiceError as refused:
        return refused
    finally:
        connection.close()


def in_processes(does: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all at the same moment, in processes that share only the database. Return the result of each, which can be pickled."""
    notifications.close()
    connections.close_all()
    if connection.vendor == "postgresql":
        connection.close_pool()
    gate, ends = FORKS.Barrier(len(does)), []
    for do in does:
        here, there = FORKS.Pipe(duplex=False)
        if os.fork() == 0:
            _answer(there, lambda do=do: gate.wait(SECONDS) is not None and do())
        there.close()
        ends.append(here)
    answers = [end.recv() if end.poll(SECONDS) else "no answer" for end in ends]
    for _ in does:
        os.wait()
    if broken := [one for _, one in answers if one]:
        raise AssertionError("\n".join(broken))
    return [one for one, _ in answers]


def _answer(end: Any, do: Callable[[], Any]) -> None:
    try:
        end.send((do(), ""))
    except BaseException:
        end.send((None, traceback.format_exc()))
    finally:
        end.close()
        os._exit(0)
