import subprocess
import sys
from pathlib import Path

import pytest

from bench import odds, second_opinion

ROOT = Path(__file__).parents[2]


def test_the_race_runs_and_both_sides_agree(capsys):
    odds.main(["--quick"])
    rows = capsys.readouterr().out.splitlines()
    for system in ("storyteller", "descriptors", "forged", "arc"):
        assert any(row.startswith(system) and row.endswith("x") for row in rows)


def test_a_race_between_different_answers_stops(monkeypatch):
    monkeypatch.setattr(second_opinion, "forged", lambda dice: {})
    with pytest.raises(SystemExit, match=r"forged.*does not agree"):
        odds.main(["--quick"])


def test_it_starts_alone():
    ended = subprocess.run([sys.executable, "-m", "bench.odds", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
