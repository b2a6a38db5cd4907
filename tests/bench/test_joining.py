import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_all_are_live_again_after_a_cut_and_after_a_restart_and_nobody_has_a_gap():
    command = [sys.executable, "-m", "bench.joining", "--sockets", "12", "--tables", "4", "--only", "sqlite"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    rows = [row for row in ended.stdout.splitlines() if "live, half" in row]
    assert [row.partition("  ")[0] for row in rows] == [
        "opened",
        "4 tables, cut at once",
        "opened",
        "one table, cut at once",
        "opened",
        "a restart",
    ]
    for row in rows:
        count = "6 of 6" if row in rows[4:] else "12 of 12"
        assert count in row and "cut {}" in row and "gaps 0" in row
