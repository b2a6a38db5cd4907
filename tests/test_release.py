"""A release is one thing: the number in pyproject.toml, its heading in the changelog, the commit that hosts are told to take."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_newest_release_of_the_changelog_is_that_of_the_project() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(VERSION)}, \d+ [A-Z][a-z]+ \d{{4}}", headings[1])


def test_hosts_are_told_to_take_it() -> None:
    named = re.findall(r"':/\^Release ([\d\\.]+)'", (ROOT / "docs/hosting.md").read_text())
    assert {name.replace("\\.", ".") for name in named} == {VERSION}


def test_pip_is_told_that_there_is_no_wheel(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--wheel-dir", tmp_path, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run from its checkout" in done.stdout + done.stderr and "docs/hosting.md" in done.stdout + done.stderr
    assert not list(tmp_path.iterdir())
