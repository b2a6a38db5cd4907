"""The shape of the house: who may know whom, and how long a file may get."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROOMS = ("config", "people", "campaigns", "characters", "rolls", "templates", "static", "tests", "tools")
SUFFIXES = {".py", ".html", ".css", ".js"}
LONGEST = 300


def test_every_app_knows_only_what_lies_below_it() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_no_file_is_too_long_to_be_read_in_one_go() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in _written_by_hand()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def _written_by_hand() -> list[Path]:
    files = [ROOT / "dev.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*"))]
    return [path for path in files if path.suffix in SUFFIXES and "migrations" not in path.parts]
