"""A small drive of a real server: all is well, and what is put wrong in that server on purpose is found."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.drive import __main__ as drive
from bench.drive.faults import FAULTS, ONLY

ROOT = Path(__file__).parents[2]
SMALL = ["--database", "sqlite", "--sockets", "5", "--campaigns", "1", "--rate", "8", "--seconds", "6", "--within", "5"]


def driven(*more):
    command = [sys.executable, "-m", "bench.drive", *SMALL, *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def counted(ended):
    """Return the names of the broken promises in the drive's output."""
    rows = [row.rsplit("  ", 1)[0] if "(" in row else row for row in ended.stdout.splitlines()]
    found = {name: row for row in rows for name in drive.PROMISES if row.startswith(name + " ")}
    assert found.keys() == drive.PROMISES.keys(), ended.stdout + ended.stderr
    return {name for name, row in found.items() if int(row[18:24])}


def test_a_site_that_is_killed_in_the_middle_keeps_its_promises():
    ended = driven("--evening", "0.8", "--fault", "kill")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert counted(ended) == set()
    assert "POST to page" in ended.stdout and "memory (RSS)" in ended.stdout


def test_frames_that_a_server_sends_to_others_too_are_found():
    ended = driven("--bug", "frames", "--twice", "0.3")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "foreign" in counted(ended)


def test_every_fault_says_what_it_is_and_those_of_one_database_are_refused_on_the_other(capsys):
    assert all(fault.__doc__ for fault in FAULTS.values())
    for fault, database in ONLY.items():
        other = {"sqlite": "postgresql", "postgresql": "sqlite"}[database]
        with pytest.raises(SystemExit):
            drive.main(["--fault", fault, "--database", other])
        assert f"{fault} needs {database}" in capsys.readouterr().err
