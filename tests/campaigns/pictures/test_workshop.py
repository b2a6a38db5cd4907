"""Pictures are made in a process of their own: one at a time, within its limits, without our secrets, as long as we live."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bench.waiting import waited
from campaigns.pictures import AT_ONCE, BUSY, TOO_MUCH, WORKER, made
from campaigns.pictures.worker import MOST_MEMORY

ROOT = Path(__file__).parents[3]
PATIENCE = 30  # seconds; none of them are waited for where all is well


def written(size=(60, 40), form="PNG", mode="RGB", **how):
    out = BytesIO()
    Image.new(mode, size, "tomato").save(out, form, **how)
    return out.getvalue()


@contextmanager
def held():
    """Hold the worker, as if it made another person's picture."""
    with WORKER.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def workers(parent):
    """Return the processes that make pictures for a server process."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [child for child in children if str(WORKER).encode() in _read(child, "cmdline")]


def _read(process, what):
    try:
        return Path(f"/proc/{process}/{what}").read_bytes()
    except OSError:
        return b""


def waits(process):
    """Return whether the process waits for its turn."""
    locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(line[1] == "->" and line[5] == str(process) for line in locks)


def test_a_picture_is_made_once_for_each_side():
    full, small = made(written((900, 600)), (300, 90), may_move=False)
    assert (full.width, full.height, small.width, small.height) == (300, 200, 90, 60)
    assert Image.open(BytesIO(small.data)).size == (90, 60)


SERVER = """
import json, resource, sys
from campaigns.pictures import PictureError
from campaigns.pictures import made

def most(whose):
    return resource.getrusage(whose).ru_maxrss * 1024

data, before, said = sys.stdin.buffer.read(), most(resource.RUSAGE_SELF), ""
try:
    made(data, (1600, 640), may_move=False)
except PictureError as error:
    said = error.message
print(json.dumps([said, most(resource.RUSAGE_SELF) - before, most(resource.RUSAGE_CHILDREN)]))
"""
"""Has one picture made; what was said, and the bytes that it took this process and the other. A small process: what a large one
holds is counted as its children's, too."""


@pytest.mark.parametrize(
    ("upload", "said"),
    [
        # As if its header had not been checked.
        (((3464, 3464), "WEBP", "RGBA"), TOO_MUCH),
        (((4096, 2160), "WEBP", "RGBA"), ""),
        (((3464, 3464), "PNG", "RGBA"), ""),
    ],
    ids=["too large", "the largest WebP", "the largest PNG"],
)
def test_what_a_picture_takes_it_takes_within_limits_and_nothing_of_it_from_the_server(upload, said):
    size, form, mode = upload
    data = written(size, form, mode, **({"lossless": True} if form == "WEBP" else {}))
    ended = subprocess.run([sys.executable, "-c", SERVER], cwd=ROOT, input=data, capture_output=True, check=True)
    told, server, worker = json.loads(ended.stdout)
    assert told == said
    assert server < 5_000_000 and worker < MOST_MEMORY


def test_of_twelve_at_once_one_is_made_at_a_time_and_too_many_are_asked_to_come_again():
    with ThreadPoolExecutor(12) as threads:
        with held():
            sent = [threads.submit(made, written(), (40,), may_move=False) for _ in range(12)]
            assert waited(lambda: len(workers(os.getpid())) == 1, PATIENCE) is not None
            assert waited(lambda: sum(one.done() for one in sent) == 12 - AT_ONCE, PATIENCE) is not None
            assert len(workers(os.getpid())) == 1
        refused = [one.exception() for one in sent if one.exception()]
        assert [str(error) for error in refused] == [BUSY] * (12 - AT_ONCE)
    assert made(written(), (40,), may_move=False)[0].width == 40


@contextmanager
def waiting_worker():
    """Yield a server process, and its worker that waits for its turn."""
    secrets = os.environ | {"SECRET_KEY": "canary-of-the-site"}
    with held(), open(os.devnull, "rb") as opened:
        command = [sys.executable, "-c", SERVER]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=ROOT, env=secrets, stdin=pipe, stderr=pipe, pass_fds=[opened.fileno()]
        ) as server:
            try:
                server.stdin.write(written())
                server.stdin.close()
                assert waited(lambda: any(map(waits, workers(server.pid))), PATIENCE) is not None
                (worker,) = workers(server.pid)
                yield server, worker
            finally:
                server.kill()


def test_it_is_told_nothing_of_the_site_and_holds_nothing_of_the_server_open():
    with waiting_worker() as (_, worker):
        known = _read(worker, "environ")
        assert known and b"canary" not in known and b"DATABASE_URL" not in known
        held_open = {os.readlink(one) for one in Path(f"/proc/{worker}/fd").iterdir()}
        assert {one.partition(":")[0] for one in held_open} == {"pipe", str(WORKER)}


def test_it_dies_with_its_server():
    with waiting_worker() as (server, worker):
        server.send_signal(signal.SIGKILL)
        server.wait()
        assert waited(lambda: str(WORKER).encode() not in _read(worker, "cmdline"), PATIENCE) is not None


def test_it_may_write_no_file_and_start_no_other_process():
    with waiting_worker() as (_, worker):
        bounded = {line[:25].strip(): line[25:46].strip() for line in _read(worker, "limits").decode().splitlines()}
        assert {bounded[f"Max {what}"] for what in ("file size", "core file size", "processes")} == {"0"}
        assert bounded["Max address space"] == str(MOST_MEMORY)
