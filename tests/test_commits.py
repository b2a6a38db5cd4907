"""What commits say: a subject that every list of them shows whole, and in a body the cause."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
START = "58fecb64494e8d312a40a548f6f75d119489c367"
"""The last commit that is not looked at: what is written cannot be written otherwise."""
LONGEST = 72


def faults(subject: str, body: str) -> list[str]:
    """What is wrong with the message of a commit that is no merge."""
    found = []
    if len(subject) > LONGEST:
        found.append(f"the subject has {len(subject)} characters; {LONGEST} are shown everywhere")
    if not body.strip():
        found.append("there is no body, which says why")
    return found


def git(*words: str, at: Path = ROOT) -> str | None:
    """What git says, or None where it fails."""
    done = subprocess.run(["git", *words], cwd=at, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def unseen(at: Path) -> str:
    """Why no commit can be looked at in this copy of the project; empty where all can."""
    if not shutil.which("git"):
        return "there is no git here"
    if git("rev-parse", "--show-toplevel", at=at) != str(at.resolve()):
        return "this copy has no history"
    return "this clone is shallow" if git("rev-parse", "--is-shallow-repository", at=at) == "true" else ""


def test_commits_have_a_short_subject_and_a_body():
    if why := unseen(ROOT):
        pytest.skip(f"Not one commit was looked at: {why}")
    assert git("merge-base", "--is-ancestor", START, "HEAD") is not None, (
        f"{START} is not in this history, so there is no telling from where on commits are looked at: set START anew"
    )
    parts = iter((git("log", "-z", "--no-merges", "--format=%h%x00%s%x00%b", f"{START}..HEAD") or "").split("\0"))
    commits = zip(parts, parts, parts, strict=False)
    wrong = [f"{name} {subject}: {fault}" for name, subject, body in commits for fault in faults(subject, body)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("subject", "body", "count"),
    [
        ("Name the log's writer in each line", "Two of the same name could not be told apart.", 0),
        ("x" * 72, "Because.", 0),
        ("x" * 73, "Because.", 1),
        ("Change it", "", 1),
        ("Change it", " \n", 1),
        ("x" * 73, "", 2),
    ],
)
def test_a_long_subject_and_a_missing_body_are_found(subject, body, count):
    assert len(faults(subject, body)) == count


def test_a_copy_without_history_is_no_clean_bill(tmp_path):
    assert unseen(tmp_path)
