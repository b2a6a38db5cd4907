"""`afterburn-release find` names the one commit of a release: by its tag, else the newest whose whole subject says so."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tools.environment import ROOT


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a clone in which three commits are called Release 0.1.0, and others nearly so."""
    origin = tmp_path / "origin"
    origin.mkdir()
    git(origin, "init", "--quiet", "--initial-branch=main")
    for subject in (
        "Release 0.1.0",
        "Release 0.1.0",
        "Release 0.1.0",
        "Release 0.1.0 once more, perhaps",
        "Prepare Release 0.1.0",
        "Release 0.1.01",
        "Go on",
    ):
        git(origin, "commit", "--quiet", "--allow-empty", "-m", subject)
    git(tmp_path, "clone", "--quiet", str(origin), "code")
    program = (ROOT / "deploy/afterburn-release").read_text().replace("/srv/afterburn/code", str(tmp_path / "code"))
    (tmp_path / "find").write_text(program.replace("runuser -u afterburn -- ", ""))
    return tmp_path / "code"


def git(where: Path, *words: str) -> str:
    who = {f"GIT_{one}_{what}": "tests@example.org" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    nobodys = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *words], cwd=where, env=os.environ | who | nobodys, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def find(code: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", code.parent / "find", "find", *words], capture_output=True, text=True, check=False
    )


def test_of_several_with_one_subject_it_is_the_newest_and_no_other_subject_will_do(code):
    assert find(code, "0.1.0").stdout.strip() == git(code, "rev-parse", "HEAD~4")


def test_a_tag_goes_before(code):
    git(code, "tag", "v0.1.0", "HEAD~6")
    assert find(code, "0.1.0").stdout.strip() == git(code, "rev-parse", "HEAD~6")


def test_the_newest_is_that_of_the_highest_number(code):
    git(code, "tag", "v0.10.0", "HEAD")
    git(code, "tag", "v0.9.0", "HEAD~1")
    assert find(code).stdout.strip() == git(code, "rev-parse", "HEAD")


def test_a_commit_will_do_and_what_is_none_is_said(code):
    commit = git(code, "rev-parse", "HEAD~2")
    assert find(code, commit[:12]).stdout.strip() == commit
    nothing = find(code, "7.7.7")
    assert nothing.returncode == 1 and "There is no release, tag or commit 7.7.7" in nothing.stderr
