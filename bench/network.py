"""Machines of a bench: network namespaces of this one (root, Linux), each with an address, all on one bridge; gone after it."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from tools.postgres import folder_of

CLONE_NEWNET = 0x40000000
NETWORK = "10.77.0"
BRIDGE = "afterburn"
LIBC = ctypes.CDLL(None, use_errno=True)


class Machine:
    """A namespace with the address `address`. What is started within `inside` is there, threads and processes alike."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.address = f"afterburn-{os.getpid()}-{name}", f"{NETWORK}.{number}"

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Have this thread, and what it starts, on this machine."""
        with open("/proc/thread-self/ns/net") as before, Path(f"/run/netns/{self.name}").open() as there:
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(before.fileno())

    def plug(self, into: Machine, number: int) -> None:
        """Give it a cable to the machine that has the bridge."""
        cable = f"cable{number}"
        _ip("-n", self.name, "link", "add", "eth0", "type", "veth", "peer", "name", cable, "netns", into.name)
        _ip("-n", into.name, "link", "set", cable, "master", BRIDGE, "up")
        _ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        self.cable("up")

    def cable(self, state: str) -> None:
        """Pull the cable ("down"), or put it back ("up")."""
        _ip("-n", self.name, "link", "set", "eth0", state)


@contextmanager
def machines(names: Sequence[str]) -> Iterator[list[Machine]]:
    """Yield a machine for each name; the first has the bridge that all others are at. Raises CalledProcessError unless root."""
    with ExitStack() as stack:
        made = [Machine(name, number) for number, name in enumerate(names, 1)]
        for machine in made:
            _ip("netns", "add", machine.name)
            stack.callback(_ip, "netns", "delete", machine.name)
            _ip("-n", machine.name, "link", "set", "lo", "up")
        first = made[0]
        _ip("-n", first.name, "link", "add", BRIDGE, "type", "bridge")
        _ip("-n", first.name, "addr", "add", f"{first.address}/24", "dev", BRIDGE)
        _ip("-n", first.name, "link", "set", BRIDGE, "up")
        for number, machine in enumerate(made[1:], 2):
            machine.plug(first, number)
        yield made


def let_in(url: str) -> None:
    """Have a PostgreSQL of tools/postgres.py believe whoever comes from this network."""
    with (folder_of(url) / "data/pg_hba.conf").open("a") as doors:
        doors.write(f"host all,replication postgres {NETWORK}.0/24 trust\n")
    with psycopg.connect(url.replace("/afterburn", "/postgres")) as link:
        link.execute("SELECT pg_reload_conf()")


def is_there() -> bool:
    """Return whether such machines can be made here."""
    return os.geteuid() == 0 and shutil.which("ip") is not None


def _enter(namespace: int) -> None:
    if LIBC.setns(namespace, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
