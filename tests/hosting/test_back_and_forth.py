"""A host goes from 0.1.0 to this code, back, and forth again, as docs/hosting.md says, and plays in between.

The code of 0.1.0 is that of its commit, and what is in its tables what it left (tests/released/), on SQLite: the walk
(test_walk.py) goes the same way on PostgreSQL, and tests/released migrates what was left on both.
"""

from __future__ import annotations

import io
import lzma
import subprocess
import tarfile
from itertools import takewhile
from pathlib import Path

import pytest

from tests.hosting.machine import Machine
from tests.hosting.test_walk import BLOCKS, CODE, _answered, machine
from tests.released import FOLDER, SUFFIXES, version
from tools.environment import ROOT

__all__ = ["machine"]

NEWER = {"database", "languages", "api", "webhooks", "afterburn"}
"""Folders of the code that 0.1.0 did not have."""

PLAYED = """
from uuid import uuid4
from campaigns.models import Event, Membership
from campaigns.services import play
mo = Membership.objects.get(user__username="mo")
play.say(mo, "{words}", key=uuid4())
print("said", [event.stored.payload["words"] for event in Event.objects.filter(kind="campaigns.said").order_by("-pk")[:2]])
"""


def _released() -> bytes:
    """Return the code of 0.1.0 as a tar; b"" in a copy without history."""
    command = ["git", "log", "--topo-order", "--format=%H %s"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    commit = next((line.split()[0] for line in found if line.partition(" ")[2] == "Release 0.1.0"), "")
    command = ["git", "archive", commit, *(name for name in CODE if name not in NEWER)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout if commit else b""


@pytest.mark.skipif(not _released(), reason="this copy has no history")
def test_upgrade_play_back_and_play(machine):
    origin = _origin(machine)
    _install(machine, origin)
    assert "Before the upgrade" in _play(machine, "Before the upgrade")

    done(machine, "newer release", f"cd {origin}; git add --all; git commit --quiet -m 'Release {version()}.1'")
    said = _walk(machine, origin, "An upgrade")
    assert said.splitlines()[-1] == "ready"
    assert "'After the upgrade', 'Before the upgrade'" in _play(machine, "After the upgrade")

    said = _walk(machine, origin, "The way back from an upgrade")
    assert "Release 0.1.0" in said and said.splitlines()[-1] == "ready"
    assert "all as they were written" in done(machine, "check", "afterburn check_log")
    assert "'Back again', 'Before the upgrade'" in _play(machine, "Back again")

    said = _walk(machine, origin, "An upgrade")
    assert said.splitlines()[-1] == "ready"
    assert "'And forth', 'Back again'" in _play(machine, "And forth")
    assert "all as they were written" in done(machine, "check", "afterburn check_log")


def _origin(machine: Machine) -> Path:
    """Make a repository whose only release is 0.1.0, as hosts have it, with this code uncommitted in it."""
    origin = machine.home / "origin"
    with tarfile.open(fileobj=io.BytesIO(_released())) as code:
        code.extractall(origin, filter="data")
    (origin / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    _settle(machine, origin)
    begun = "git init --quiet --initial-branch=main; git config user.name Tests; git config user.email t@example.org"
    done(machine, "origin", f"cd {origin}; {begun}; git add --all; git commit --quiet -m 'Release 0.1.0'")
    copied = " ".join(f"{ROOT}/{name}" for name in CODE)
    done(machine, "this code", f"cd {origin}; rm -rf {' '.join(CODE)}; cp -r {copied} {origin}")
    _settle(machine, origin)
    return origin


def _settle(machine: Machine, origin: Path) -> None:
    for path in (origin / "deploy").iterdir():
        path.write_text(machine.moved(path.read_text()))
    machine._give_away()


def _install(machine: Machine, origin: Path) -> None:
    """Install 0.1.0."""
    for heading in ("Packages, user and folders", "The code", None, "Settings", "The service"):
        block = _block(heading) if heading else "mkdir -p /var/lib/afterburn"
        if heading == "The code":
            # It is found only with files of this code, which 0.1.0 does not have.
            block = block.replace(f"find {version()}", "find 0.1.0").replace(
                "install -m 755 deploy/afterburn-release", f"install -m 755 {origin}/deploy/afterburn-release"
            )
        if heading == "The service":
            # The second unit comes with the upgrade, by deploy/afterburn-release.
            block = block.replace(" deploy/afterburn-deliver.service", "")
        if heading == "Settings":
            database = f"sqlite:///{machine.home}/var/lib/afterburn/afterburn.sqlite3"
            block = block.replace("postgres://afterburn@%2Fvar%2Frun%2Fpostgresql/afterburn", database)
            file = machine.home / "left.backup"
            file.write_bytes(lzma.decompress((FOLDER / f"0.1.0{SUFFIXES['sqlite']}").read_bytes()))
            file.chmod(0o644)
            block = block.replace("afterburn migrate --verbosity 0", f"afterburn restore {file}").replace(
                "afterburn createsuperuser\n", ""
            )
        done(machine, heading or "The folder of the database", _answered(block, origin))


def _walk(machine: Machine, origin: Path, heading: str) -> str:
    return done(machine, heading, _answered(_block(heading), origin))


def _play(machine: Machine, words: str) -> str:
    program = machine.home / "play.py"
    program.write_text(PLAYED.format(words=words))
    return done(machine, "play", f'afterburn shell -c "$(cat {program})"')


def _block(heading: str) -> str:
    """Return all commands under a heading of docs/hosting.md."""
    at = next(place for place, (title, _) in enumerate(BLOCKS) if title == heading)
    return "".join(block for _, block in takewhile(lambda one: not one[0], BLOCKS[at + 1 :]))


def done(machine: Machine, what: str, block: str) -> str:
    finished = machine.run(block)
    log = machine.home / "server.log"
    served = log.read_text()[-3000:] if log.exists() else ""
    assert finished.returncode == 0, f"{what}:\n{block}\n{finished.stdout}\n{served}"
    return finished.stdout
