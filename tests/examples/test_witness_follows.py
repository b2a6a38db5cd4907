"""The example of a witness while a table plays: a server, a witness, and somebody who owns the database."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.servers import Site
from tests.examples.installing import EXAMPLES
from tools.databases import migrated_sqlite

PATIENCE = 90  # seconds; it looks again with each beat of the server, every ten

START = """
import sys
import django
django.setup()
from pathlib import Path
from uuid import uuid4
from django.db import connection
from campaigns.models import Campaign
from campaigns.services.play import say
from campaigns.services.members import api_token, make_token
"""

SIT_DOWN = (
    START
    + """
from tests.cast import gathered
player, key = gathered().player.member, uuid4()
say(player, "I never said this.", key=uuid4())
make_token(player, "witness", writes=False, days=1, key=key)
Path(sys.argv[1]).write_text(api_token(key))
"""
)

TAKE_BACK = (
    START
    + """
from tests.campaigns.live.test_rollbacks import unguarded
from tests.examples.rewriting import cut
with connection.cursor() as cursor, unguarded(cursor):
    cut(Campaign.objects.get())
"""
)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    database = tmp_path / "db.sqlite3"
    shutil.copy(migrated_sqlite(), database)
    return Site(f"sqlite:///{database}", tmp_path, settings="tests.settings")


@pytest.fixture
def watching(site: Site, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a player's witness, which follows the table."""
    token = tmp_path / "token"
    site.run("-c", SIT_DOWN, str(token))
    with site.serve() as address:
        asked = [sys.executable, "-m", "afterburn_witness", address, "--file", str(tmp_path / "seen.json")]
        own = {"PYTHONPATH": str(EXAMPLES / "afterburn-witness"), "AFTERBURN_TOKEN": token.read_text()}
        process = subprocess.Popen(
            asked, env=os.environ | own, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
        )
        end = threading.Timer(PATIENCE, process.kill)
        end.start()
        yield process
        end.cancel()
        process.kill()
        process.communicate()


def hear_interrupts() -> None:
    """Undo that a shell lets what it runs in the background ignore Ctrl-C, which children inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def heard(process: subprocess.Popen[str], words: str) -> str:
    """Return the process's next line with these words; "" if it ends without one."""
    assert process.stderr
    return next((line for line in process.stderr if words in line), "")


def test_it_says_while_it_runs_that_the_log_was_cut(watching: subprocess.Popen[str], site: Site) -> None:
    assert heard(watching, "0 faults")
    site.run("-c", TAKE_BACK)
    assert heard(watching, "!!! LOG: stream table WAS CUT")
    watching.send_signal(signal.SIGINT)
    assert watching.wait(PATIENCE) == 1
