"""The walk of docs/hosting.md, block by block, on a machine of its own (machine.py) with a PostgreSQL of the tests'.

Every block of shell is run, in the order in which it stands there, each in a new shell. What needs root, systemd or the
network is done by stand-ins as far as it goes without (stand_ins.py): the units' commands are really started with their
environment, pip really compares the lock with what is installed, but installs nothing, as the packages of the project's own
.venv are there already. Not tried: packages of Debian, owners of files, the units' walls, certificates.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.hosting.machine import Machine
from tests.hosting.walking import BLOCKS, BLOCKS_OF_TWO, done, new_machine, new_release, with_answers
from tests.released import version
from tools.postgres import postgres

# What a person does between the blocks, by the heading after which it is done.
BEFORE = {
    "An upgrade": """
        cd {origin}
        echo 'body {{}}' > static/css/new.css
        git add --all
        git commit --quiet -m 'Release {newer}'
    """,
    "A new machine": """
        systemctl stop afterburn
        cp "$(ls {home}/var/backups/afterburn/*.backup | tail -n 1)" {home}/root/afterburn.backup
        dropdb --force afterburn
        createdb --owner=afterburn --encoding=UTF8 --template=template0 afterburn
    """,
}


@pytest.fixture
def machine() -> Iterator[Machine]:
    with postgres() as url, new_machine(url) as machine:
        yield machine


def test_every_block_is_whole_and_belongs_to_a_heading():
    assert BLOCKS[0][0] and {*BEFORE} <= {title for title, _ in BLOCKS}
    for _, block in [*BLOCKS, *BLOCKS_OF_TWO]:
        read = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True, check=False)
        assert not read.stderr, block


def test_the_walk_works_as_it_is_written(machine):
    origin = new_release(machine)
    said: dict[str, str] = {}
    heading = ""
    for title, block in BLOCKS:
        if title:
            heading = title
            block = BEFORE.get(title, "").format(origin=origin, home=machine.home, newer=f"{version()}.1")
        said[heading] = said.get(heading, "") + done(machine, heading, with_answers(block, origin))

    assert said["The service"] == said["An upgrade"].splitlines()[-1] + "\n" == "ready\n"
    assert f"Release {version()}," in said["The way back from an upgrade"]
    assert said["The way back from an upgrade"].splitlines()[-1] == "ready"
    assert "System check identified no issues" in said["Settings"]
    assert "Superuser created" in said["Settings"]
    assert "Subject: Test email from" in said["Mail"]
    assert "0 campaigns" in said["Back to a backup"] and "0 campaigns" in said["A new machine"]
    assert _mode(machine, "etc/afterburn.env") == 0o640
    backups = list((machine.home / "var/backups/afterburn").glob("afterburn-*.backup"))
    assert len(backups) == 3 and {path.stat().st_mode & 0o777 for path in backups} == {0o600}
    # The new machine's people are the old one's.
    people = machine.run(
        "psql --tuples-only --no-align --dbname=afterburn --command='SELECT username FROM people_user'"
    )
    assert people.stdout == "gm\n"


def _mode(machine: Machine, path: str) -> int:
    return (machine.home / path).stat().st_mode & 0o777
