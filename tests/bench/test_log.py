import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_figures_of_a_small_log_are_printed():
    command = [sys.executable, "-m", "bench.log", "--events", "3000", "--tries", "1", "--only", "sqlite"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    for question in ("GM, everything", "player, a character's rolls", "player, search: a rare word"):
        assert any(row.startswith(question) and "ms" in row for row in ended.stdout.splitlines())
