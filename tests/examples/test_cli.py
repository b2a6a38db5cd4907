"""The command line at a real table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from afterburn_cli.__main__ import printable

from tests.examples.bots import environment
from tests.examples.conftest import Table

COMMAND = [sys.executable, "-m", "afterburn_cli"]
Run = Callable[..., subprocess.CompletedProcess[str]]


def environment_of(table: Table, person: str, home: Path) -> dict[str, str]:
    own = {"AFTERBURN_ADDRESS": table.server.url, "AFTERBURN_CAMPAIGN": table.slug, "HOME": str(home)}
    return environment() | own | ({"AFTERBURN_TOKEN": table.tokens[person]} if person else {})


@pytest.fixture
def run(table: Table, tmp_path: Path) -> Run:
    """`run("player", "roll", "5")` runs the program with a person's token; "" is without one."""

    def run(person: str, *words: str) -> subprocess.CompletedProcess[str]:
        own = environment_of(table, person, tmp_path)
        return subprocess.run([*COMMAND, *words], env=own, capture_output=True, text=True, check=False, timeout=30)

    return run


def test_it_rolls_and_finds_the_roll_again(run, fall):
    fall(9, 8, 7, 3, 2)
    rolled = run("player", "roll", "perception+alertness", "d7", "# past the dogs", "--character", "Sil")
    assert rolled.returncode == 0, rolled.stderr
    assert "Mo as Silas" in rolled.stdout and "9, 8, 7, 3, 2" in rolled.stdout
    assert rolled.stdout.strip() in run("spectator", "search", "dogs", "--topic", "roll").stdout.splitlines()


def test_it_tells_odds(run):
    assert "%" in run("player", "odds", "5", "d7").stdout
    assert json.loads(run("player", "--json", "odds", "5", "d7").stdout)["dice"] == 5


def test_it_follows_a_table_one_line_an_event(table, tmp_path):
    position = ",".join(f"{stream['name']}={stream['seq']}" for stream in table.client("player").streams())
    following = subprocess.Popen(
        [*COMMAND, "follow", "--after", position],
        env=environment_of(table, "player", tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    with following:
        for note in ("one", "two"):
            table.client("gm").make_roll({"pool": "5", "note": f"number {note}"})
        lines = iter(following.stdout.readline, "")
        assert "number one" in next(line for line in lines if "number" in line)
        assert "number two" in next(line for line in lines if "number" in line)
        following.terminate()


def test_it_exports_what_its_owner_may_read_and_nothing_else(run, table, tmp_path):
    table.client("gm").make_roll({"pool": "5", "audience": "gm", "note": "canary-hidden"})
    file = tmp_path / "log.jsonl"
    assert run("player", "export", str(file)).returncode == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for stream in table.client("player").streams():
        assert [line["seq"] for line in lines if line["stream"] == stream["name"]] == list(range(1, stream["seq"] + 1))
    assert "canary" not in str(lines)
    again = run("player", "export", str(file))
    assert again.returncode == 1 and "exists" in again.stderr


def test_refusals_are_told_in_words(run):
    refused = run("player", "roll", "no-such-trait")
    assert refused.returncode == 1 and refused.stderr.strip() and "Traceback" not in refused.stderr
    reads_only = run("spectator", "roll", "5")
    assert reads_only.returncode == 1 and "Traceback" not in reads_only.stderr


def test_a_token_is_kept_where_nobody_else_reads_it(run, table, tmp_path):
    assert "Put a token" in run("", "search", "Silas").stderr
    file = tmp_path / ".config" / "afterburn" / "token"
    file.parent.mkdir(parents=True)
    file.write_text(table.tokens["player"])
    file.chmod(0o644)
    assert "chmod 600" in run("", "search", "Silas").stderr
    file.chmod(0o600)
    assert run("", "search", "Silas").returncode == 0


def test_words_of_others_move_no_cursor():
    assert printable("a\x1b[2Jb\nc\u202ed") == "a [2Jb c d"
