import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_roll_reaches_a_few_sockets_beside_a_bare_broadcast():
    command = [sys.executable, "-m", "bench.fanout", "--sockets", "6", "--rolls", "2", "--only", "sqlite"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    row = ended.stdout.splitlines()[-1].split()
    assert row[0] == "6" and row.count("ms") == 3
