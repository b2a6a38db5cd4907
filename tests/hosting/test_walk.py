"""The walk of docs/hosting.md, block by block, on a machine of its own (machine.py) with a PostgreSQL of the tests'.

Every block of shell is run, in the order in which it stands there, each in a new shell. What needs root, systemd or the
network is done by stand-ins as far as it goes without (stand_ins.py): the units' commands are really started with their
environment, pip really compares the lock with what is installed, but installs nothing, as the packages of the project's own
.venv are there already. Not tried: packages of Debian, owners of files, the units' walls, certificates.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosting.machine import Machine
from tests.released import version
from tools.environment import ROOT
from tools.postgres import postgres

DOC = (ROOT / "docs/hosting.md").read_text()
ONE, TWO = DOC.split("\n## Two servers\n")
BLOCKS, BLOCKS_OF_TWO = (
    re.findall(r"^### ([^\n]*)$|^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL) for part in (ONE, TWO)
)
CODE = sorted({*re.findall(r"^!([^/\n]+)", (ROOT / ".dockerignore").read_text(), re.MULTILINE)})
"""What a site needs of a checkout: the same as the container's image."""

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
    # The name of a socket has room for about a hundred characters, so pytest's own folders are too deep.
    home = Path(tempfile.mkdtemp(prefix="afterburn-walk-", dir="/tmp"))
    home.chmod(0o755)
    try:
        with postgres() as url:
            machine = Machine(home, url)
            try:
                yield machine
            finally:
                machine.close()
    finally:
        shutil.rmtree(home)


def test_every_block_is_whole_and_belongs_to_a_heading():
    assert BLOCKS[0][0] and {*BEFORE} <= {title for title, _ in BLOCKS}
    for _, block in [*BLOCKS, *BLOCKS_OF_TWO]:
        read = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True, check=False)
        assert not read.stderr, block


def test_the_walk_works_as_it_is_written(machine):
    origin = _release(machine)
    said: dict[str, str] = {}
    heading = ""
    for title, block in BLOCKS:
        if title:
            heading = title
            block = BEFORE.get(title, "").format(origin=origin, home=machine.home, newer=f"{version()}.1")
        done = machine.run(_answered(block, origin))
        said[heading] = said.get(heading, "") + done.stdout
        assert done.returncode == 0, f"{heading}:\n{block}\n{done.stdout}"

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


def _release(machine: Machine) -> Path:
    """Return a repository with this code, as of its last release, and a newer commit that is no release."""
    origin = machine.home / "origin"
    copied = " ".join(f"{ROOT}/{name}" for name in CODE)
    moved = machine.run(f"mkdir {origin} && cp -r {copied} {origin}")
    assert moved.returncode == 0, moved.stdout
    for path in (origin / "deploy").iterdir():
        path.write_text(machine.moved(path.read_text()))
    done = machine.run(f"""
        cd {origin}
        git init --quiet --initial-branch=main
        git config user.name Tests
        git config user.email tests@example.org
        git add --all
        git commit --quiet -m 'Release {version()}'
        git commit --quiet --allow-empty -m 'Begin what is not released yet'
    """)
    assert done.returncode == 0, done.stdout
    return origin


def _answered(block: str, origin: Path) -> str:
    """Return a block with the address of the repository, and with answers to its prompts."""
    block = block.replace("https://git.example.org/afterburn.git", str(origin))
    block = block.replace("afterburn-release back\n", "echo yes | afterburn-release back\n")
    block = block.replace("afterburn restore --force", "echo yes | afterburn restore --force")
    answers = {"USERNAME": "gm", "EMAIL": "gm@example.org", "PASSWORD": "lanterns-and-soot"}
    given = " ".join(f"DJANGO_SUPERUSER_{name}={value}" for name, value in answers.items())
    return block.replace("afterburn createsuperuser\n", f"{given} afterburn createsuperuser --noinput\n")


def _mode(machine: Machine, path: str) -> int:
    return (machine.home / path).stat().st_mode & 0o777
