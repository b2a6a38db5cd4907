"""A host goes from a release to this code, back, and forth again, as docs/hosting.md says, and plays in between.

The code of the release is that of its commit, and what is in its tables what it left (tests/released/), on SQLite: the walk
(test_walk.py) goes the same way on PostgreSQL, and tests/released migrates what was left on both.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from tests.hosting.machine import Machine
from tests.hosting.stand_ins import answered
from tests.hosting.test_walk import machine
from tests.hosting.walking import RELEASES, done, old_release, under, with_answers
from tests.released import FOLDER, SUFFIXES, version

__all__ = ["machine"]

FULL = """#!/bin/sh
[ "$1" != backup ] || ulimit -f 8
exec {wrapper}.whole "$@"
"""
"""Stands in for `afterburn` on a machine whose disk is full after a few kB of a backup."""

PLAYED = """
from uuid import uuid4
from campaigns.models import Event, Membership
from campaigns.services import play
mo = Membership.objects.get(user__username="mo")
play.say(mo, "{words}", key=uuid4())
print("said", [event.stored.payload["words"] for event in Event.objects.filter(kind="campaigns.said").order_by("-pk")[:2]])
"""


@pytest.mark.skipif(not RELEASES, reason="this copy has no history")
@pytest.mark.parametrize("release", RELEASES)
def test_upgrade_play_back_and_play(machine, release):
    origin = old_release(machine, release)
    _install(machine, origin, release)
    assert "Before the upgrade" in _play(machine, "Before the upgrade")

    done(
        machine,
        "newer release",
        f"cd {origin}; git add --all; git commit --allow-empty --quiet -m 'Release {version()}.1'",
    )
    _upgrade_with_a_full_disk(machine, origin)
    said = _walk(machine, origin, "An upgrade")
    assert said.splitlines()[-1] == "ready"
    assert "'After the upgrade', 'Before the upgrade'" in _play(machine, "After the upgrade")

    said = _walk(machine, origin, "The way back from an upgrade")
    assert f"Release {release}" in said and said.splitlines()[-1] == "ready"
    assert "all as they were written" in done(machine, "check", "afterburn check_log")
    assert "'Back again', 'Before the upgrade'" in _play(machine, "Back again")

    said = _walk(machine, origin, "An upgrade")
    assert said.splitlines()[-1] == "ready"
    assert "'And forth', 'Back again'" in _play(machine, "And forth")
    assert "all as they were written" in done(machine, "check", "afterburn check_log")


def _upgrade_with_a_full_disk(machine: Machine, origin: Path) -> None:
    """Try the upgrade while a backup finds no room: it says so, and the site goes on."""
    wrapper = machine.home / "usr/local/sbin/afterburn"
    whole = wrapper.rename(f"{wrapper}.whole")
    wrapper.write_text(FULL.format(wrapper=wrapper))
    wrapper.chmod(0o755)
    before = {path.name for path in (machine.home / "var/backups/afterburn").iterdir()}
    tried = machine.run(with_answers(under("An upgrade"), origin))
    assert tried.returncode != 0 and "Nothing was changed: what ran before is still running." in tried.stdout
    assert "full" in tried.stdout or "disk" in tried.stdout or "large" in tried.stdout, tried.stdout
    ready = answered(f"http://127.0.0.1:{machine.port}/readyz", {"Host": "table.example.org"})
    assert ready == (200, "ready\n")
    assert {path.name for path in (machine.home / "var/backups/afterburn").iterdir()} == before
    whole.rename(wrapper)


def _install(machine: Machine, origin: Path, release: str) -> None:
    """Install the release, with what it left."""
    for heading in ("Packages, user and folders", "The code", None, "Settings", "The service"):
        block = under(heading) if heading else "mkdir -p /var/lib/afterburn"
        if heading == "The code":
            # It is found only with files of this code, which 0.1.0 does not have.
            block = block.replace(f"find {version()}", f"find {release}").replace(
                "install -m 755 deploy/afterburn-release", f"install -m 755 {origin}/deploy/afterburn-release"
            )
        if heading == "The service" and release == "0.1.0":
            # The second unit comes with the upgrade, by deploy/afterburn-release.
            block = block.replace(" deploy/afterburn-deliver.service", "")
        if heading == "Settings":
            database = f"sqlite:///{machine.home}/var/lib/afterburn/afterburn.sqlite3"
            block = block.replace("postgres://afterburn@%2Fvar%2Frun%2Fpostgresql/afterburn", database)
            file = machine.home / "left.backup"
            file.write_bytes(lzma.decompress((FOLDER / f"{release}{SUFFIXES['sqlite']}").read_bytes()))
            file.chmod(0o644)
            block = block.replace("afterburn migrate --verbosity 0", f"afterburn restore {file}").replace(
                "afterburn createsuperuser\n", ""
            )
        done(machine, heading or "The folder of the database", with_answers(block, origin))


def _walk(machine: Machine, origin: Path, heading: str) -> str:
    return done(machine, heading, with_answers(under(heading), origin))


def _play(machine: Machine, words: str) -> str:
    program = machine.home / "play.py"
    program.write_text(PLAYED.format(words=words))
    return done(machine, "play", f'afterburn shell -c "$(cat {program})"')
