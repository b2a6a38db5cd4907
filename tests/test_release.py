"""A release is one thing: the number in pyproject.toml, its heading in the changelog, the commit that hosts are told to take."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from django.conf import settings

from tests.released import FOLDER, SUFFIXES

ROOT = Path(settings.BASE_DIR)
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_newest_release_of_the_changelog_is_that_of_the_project() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(VERSION)}, \d+ [A-Z][a-z]+ \d{{4}}", headings[1])


def test_hosts_are_told_to_take_it() -> None:
    named = re.findall(r"afterburn-release find ([\d.]+)\)", (ROOT / "docs/hosting.md").read_text())
    assert {*named} == {VERSION}


def test_pip_is_told_that_there_is_no_wheel(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--wheel-dir", tmp_path, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run from its checkout" in done.stdout + done.stderr and "docs/hosting.md" in done.stdout + done.stderr
    assert not list(tmp_path.iterdir())


def test_what_a_release_left_is_never_made_anew() -> None:
    """The files of a version are those of its newest commit in the history: when made again, those of 0.1.0 hid faults."""
    for file in sorted(path for suffix in SUFFIXES.values() for path in FOLDER.glob(f"*{suffix}")):
        version = file.name.removesuffix(SUFFIXES["sqlite"]).removesuffix(SUFFIXES["postgresql"])
        found = _git("log", "--format=%H %s").splitlines()
        release = next((line.split()[0] for line in found if line.partition(" ")[2] == f"Release {version}"), None)
        if release and (
            kept := _git("rev-parse", "--verify", "--quiet", f"{release}:{file.relative_to(ROOT)}").strip()
        ):
            assert _git("hash-object", str(file)).strip() == kept, file.name


def _git(*words: str) -> str:
    """Return Git's output; "" in a copy without history."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout
