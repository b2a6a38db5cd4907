"""The blocks of shell in docs/hosting.md, by their headings, and what the machines of machine.py need to run them."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from tests.hosting.machine import Machine
from tests.released import SUFFIXES, kept, version
from tools.environment import ROOT

DOC = (ROOT / "docs/hosting.md").read_text()
ONE, TWO = DOC.split("\n## Two servers\n")
BLOCKS, BLOCKS_OF_TWO = (
    re.findall(r"^### ([^\n]*)$|^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL) for part in (ONE, TWO)
)
CODE = sorted({*re.findall(r"^!([^/\n]+)", (ROOT / ".dockerignore").read_text(), re.MULTILINE)})
"""What a site needs of a checkout: the same as the container's image."""
BEGUN = """
cd {origin}
git init --quiet --initial-branch=main
git config user.name Tests
git config user.email tests@example.org
git add --all
git commit --quiet -m 'Release {release}'
"""


@contextmanager
def new_machine(database_url: str = "", port: int = 0) -> Iterator[Machine]:
    """Yield a machine that uses this PostgreSQL, or can have its own; its site is stopped and its files are deleted after it."""
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
    origin.mkdir()
    _put_this_code(machine, origin)
    done(machine, "origin", BEGUN.format(origin=origin, release=version()))
    done(machine, "later", f"cd {origin}; git commit --quiet --allow-empty -m 'Begin what is not released yet'")
    return origin


def old_release(machine: Machine, release: str) -> Path:
    """Return a repository whose only release is this older one, as hosts have it, with this code uncommitted in it."""
    origin = machine.home / "origin"
    there = _git("ls-tree", "--name-only", RELEASES[release]).decode().split()
    released = _git("archive", RELEASES[release], *(name for name in CODE if name in there))
    with tarfile.open(fileobj=io.BytesIO(released)) as code:
        code.extractall(origin, filter="data")
    (origin / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    _settle(machine, origin)
    done(machine, "origin", BEGUN.format(origin=origin, release=release))
    done(machine, "no old code", f"cd {origin}; rm -rf {' '.join(CODE)}")
    _put_this_code(machine, origin)
    return origin


def _put_this_code(machine: Machine, origin: Path) -> None:
    machine.give_away()
    done(machine, "this code", f"cp -r {' '.join(f'{ROOT}/{name}' for name in CODE)} {origin}")
    _settle(machine, origin)


def _settle(machine: Machine, origin: Path) -> None:
    for path in (origin / "deploy").iterdir():
        path.write_text(machine.moved(path.read_text()))
    machine.give_away()


def _commits() -> dict[str, str]:
    """Return the commits of the releases of which a database is kept; none in a copy without history."""
    found = _git("log", "--topo-order", "--format=%H %s").decode().splitlines()
    kept_of = [path.name.removesuffix(SUFFIXES["sqlite"]) for path in kept("sqlite")]
    subjects = [(line.partition(" ")[2], line.split()[0]) for line in reversed(found)]
    return {release: commit for release in kept_of for subject, commit in subjects if subject == f"Release {release}"}


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False).stdout


RELEASES = _commits()


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
