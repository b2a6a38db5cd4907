"""The blocks of shell in docs/hosting.md, by their headings, and what the machines of machine.py need to run them."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from tests.hosting.machine import Machine
from tests.released import version
from tools.environment import ROOT

DOC = (ROOT / "docs/hosting.md").read_text()
ONE, TWO = DOC.split("\n## Two servers\n")
BLOCKS, BLOCKS_OF_TWO = (
    re.findall(r"^### ([^\n]*)$|^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL) for part in (ONE, TWO)
)
CODE = sorted({*re.findall(r"^!([^/\n]+)", (ROOT / ".dockerignore").read_text(), re.MULTILINE)})
"""What a site needs of a checkout: the same as the container's image."""


@contextmanager
def new_machine(database_url: str, port: int = 0) -> Iterator[Machine]:
    """Yield a machine that uses this PostgreSQL; its site is stopped and its files are deleted at the end."""
    # The name of a socket has room for about a hundred characters, so pytest's own folders are too deep.
    home = Path(tempfile.mkdtemp(prefix="afterburn-walk-", dir="/tmp"))
    home.chmod(0o755)
    try:
        machine = Machine(home, database_url, port)
        try:
            yield machine
        finally:
            machine.close()
    finally:
        shutil.rmtree(home)


def new_release(machine: Machine) -> Path:
    """Return a repository with this code, as of its last release, and a newer commit that is no release."""
    origin = machine.home / "origin"
    copied = " ".join(f"{ROOT}/{name}" for name in CODE)
    moved = machine.run(f"mkdir {origin} && cp -r {copied} {origin}")
    assert moved.returncode == 0, moved.stdout
    for path in (origin / "deploy").iterdir():
        path.write_text(machine.moved(path.read_text()))
    done(
        machine,
        "origin",
        f"""
        cd {origin}
        git init --quiet --initial-branch=main
        git config user.name Tests
        git config user.email tests@example.org
        git add --all
        git commit --quiet -m 'Release {version()}'
        git commit --quiet --allow-empty -m 'Begin what is not released yet'
        """,
    )
    return origin


def under(heading: str, blocks: list[tuple[str, str]] = BLOCKS) -> str:
    """Return all commands under a heading."""
    at = next(place for place, (title, _) in enumerate(blocks) if title == heading)
    return "".join(block for _, block in takewhile(lambda one: not one[0], blocks[at + 1 :]))


def with_answers(block: str, origin: Path) -> str:
    """Return a block with the address of the repository, and with answers to its prompts."""
    block = block.replace("https://git.example.org/afterburn.git", str(origin))
    block = block.replace("afterburn-release back\n", "echo yes | afterburn-release back\n")
    block = block.replace("afterburn restore --force", "echo yes | afterburn restore --force")
    answers = {"USERNAME": "gm", "EMAIL": "gm@example.org", "PASSWORD": "lanterns-and-soot"}
    given = " ".join(f"DJANGO_SUPERUSER_{name}={value}" for name, value in answers.items())
    return block.replace("afterburn createsuperuser\n", f"{given} afterburn createsuperuser --noinput\n")


def done(machine: Machine, what: str, block: str) -> str:
    """Run a block and return its output. Fails with that, and the end of the server's log, if a command fails."""
    finished = machine.run(block)
    log = machine.home / "server.log"
    served = log.read_text()[-3000:] if log.exists() else ""
    assert finished.returncode == 0, f"{what}:\n{block}\n{finished.stdout}\n{served}"
    return finished.stdout
