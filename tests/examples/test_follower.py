"""The follower of docs/api.md, run as it stands there: a server, the program, and a table at which something happens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.servers import Site
from tests.examples.test_witness_follows import PATIENCE, START, hear_interrupts
from tools.databases import migrated_sqlite
from tools.environment import ROOT

MOST_LINES = 40

SIT_DOWN = (
    START
    + """
from tests.cast import gathered
player, key = gathered().player.member, uuid4()
say(player, "The lamp is out.", key=uuid4())
make_token(player, "follower", writes=False, days=1, key=key)
Path(sys.argv[1]).write_text(api_token(key))
"""
)
BECOME_GM = (
    START
    + """
from campaigns.models import Role
from campaigns.services.members import change_role
gm, player = (Campaign.objects.get().memberships.get(user__username=name) for name in ("gm", "mo"))
change_role(gm, player, Role.GM, expected=Role.PLAYER, key=uuid4())
say(gm, "Mo leads on.", key=uuid4())
"""
)
LEAVE = (
    START
    + """
from campaigns.services.members import leave
leave(Campaign.objects.get().memberships.get(user__username="mo"), key=uuid4())
"""
)


def follower() -> str:
    """Return the program that stands in the documentation."""
    page = (ROOT / "docs" / "api.md").read_text()
    block = page.partition("### A whole follower")[2].partition("    import ")[2].partition("\n## ")[0]
    return "".join(line.removeprefix("    ") for line in f"    import {block}".splitlines(keepends=True)).strip() + "\n"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    database = tmp_path / "db.sqlite3"
    shutil.copy(migrated_sqlite(), database)
    return Site(f"sqlite:///{database}", tmp_path, settings="tests.settings")


@pytest.fixture
def following(site: Site, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a player's follower, which begins with the first event."""
    token, program = tmp_path / "token", tmp_path / "follow.py"
    site.run("-c", SIT_DOWN, str(token))
    program.write_text(follower())
    with site.serve() as address:
        process = subprocess.Popen(
            [sys.executable, str(program), address, "table=0"],
            env=os.environ | {"AFTERBURN_TOKEN": token.read_text()},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_interrupts,
        )
        end = threading.Timer(PATIENCE, process.kill)
        end.start()
        yield process
        end.cancel()
        process.kill()
        process.communicate()


def heard(process: subprocess.Popen[str], words: str) -> str:
    """Return the next line with these words; "" if it ends without one."""
    assert process.stdout
    return next((line for line in process.stdout if words in line), "")


def test_it_tells_what_was_and_what_happens_and_ends_with_its_token(following, site) -> None:
    assert heard(following, "The lamp is out.")
    site.run("-c", BECOME_GM)
    assert heard(following, "Mo leads on.")
    site.run("-c", LEAVE)
    assert following.wait(PATIENCE) == 1
    assert following.stderr and following.stderr.read().startswith("The token has ended")


def test_it_is_as_short_as_it_is_said_to_be() -> None:
    assert len(follower().splitlines()) <= MOST_LINES
