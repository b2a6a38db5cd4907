"""The Discord bot as a host runs it: a process of its own, with a configuration file."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from tests.browser.servers import free_port
from tests.examples.discord_stand_in import APPLICATION, BOT_TOKEN, CHANNEL, StandIn
from tests.examples.installing import EXAMPLES

PATIENCE = 20  # seconds
PACKAGES = ("afterburn-client", "afterburn-discord-bot", "afterburn-cli")


def environment() -> dict[str, str]:
    """Return the environment of a process with the programs that use the API installed."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(str(EXAMPLES / name) for name in PACKAGES)}


def configure(file: Path, stand_in: StandIn, url: str, slug: str, channel: str, people: Mapping[str, str]) -> int:
    """Write the configuration of a bot: with the token of its channel, and of people by their Discord ids. Returns its port."""
    port = free_port()
    lines = ["[afterburn]", f'address = "{url}"', f'campaign = "{slug}"', f'token = "{channel}"']
    lines += ["[discord]", f'application = "{APPLICATION}"', f'public_key = "{stand_in.public_key}"']
    lines += [f'bot_token = "{BOT_TOKEN}"', f'channel = "{CHANNEL}"', f'api = "{stand_in.url}"']
    lines += ["[listen]", f"port = {port}", "[people]", *(f'{user} = "{token}"' for user, token in people.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    file.chmod(0o600)
    return port


def run(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the bot until it ends by itself."""
    command = [sys.executable, "-m", "afterburn_discord_bot", str(file), *words]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, timeout=PATIENCE)


@contextmanager
def running(file: Path, port: int) -> Iterator[str]:
    """Run the bot; yields the address to which Discord sends interactions."""
    command = [sys.executable, "-m", "afterburn_discord_bot", str(file)]
    with (file.with_suffix(".log")).open("ab") as log:
        process = subprocess.Popen(command, env=environment(), stdout=log, stderr=log)
    try:
        wait_until(lambda: process.poll() is not None or _answers(port))
        assert process.poll() is None, file.with_suffix(".log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for another process. Raises AssertionError after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _answers(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
